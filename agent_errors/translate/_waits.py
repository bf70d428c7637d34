"""How long an answer says to wait, in seconds.

In this order: ``retry-after-ms``, ``Retry-After``, a member of the body, the text, the reset header of a
limit of which nothing remains. What is no time, negative, or longer than 366 days is passed over.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from agent_errors.bindings.http import parse_retry_after
from agent_errors.translate._answer import Answer, is_dict

_LONGEST: Final = 366 * 24 * 3600.0
_EPOCH: Final = 1_000_000_000
"""From here on a number of seconds is a moment, not a duration; a thousand times as much are milliseconds."""

_UNITS: Final[Mapping[str, float]] = {
    "ms": 0.001,
    "millisecond": 0.001,
    "milliseconds": 0.001,
    "s": 1,
    "sec": 1,
    "secs": 1,
    "second": 1,
    "seconds": 1,
    "m": 60,
    "min": 60,
    "mins": 60,
    "minute": 60,
    "minutes": 60,
    "h": 3600,
    "hr": 3600,
    "hrs": 3600,
    "hour": 3600,
    "hours": 3600,
    "d": 86400,
    "day": 86400,
    "days": 86400,
    "秒": 1,
    "秒钟": 1,
    "分钟": 60,
    "小时": 3600,
    "天": 86400,
}
_UNIT: Final = "|".join(sorted(_UNITS, key=len, reverse=True))
_PART: Final = rf"(\d{{1,12}}(?:\.\d{{0,12}})?)\s?({_UNIT})(?![a-z])"
_PARTS: Final = re.compile(rf"{_PART.replace('(?![a-z])', '')}[\s,]{{0,2}}")
_DURATION: Final = (
    rf"(?:\d{{1,12}}(?:\.\d{{0,12}})?\s?(?:{_UNIT})(?:\s?,?\s?(?:and )?(?=\d)|(?![a-z]))){{1,5}}"
)
_CLUES: Final = ("again", "retry", "retried", "wait", "reset", "available")
"""Words in whose company a duration is a wait: "try again in 7m12.5s", "resets in ~30s"."""
_AFTER_CLUE: Final = re.compile(rf"[a-z]*[^.;|\d]{{0,40}}({_DURATION})")
_CHINESE: Final = re.compile(rf"({_DURATION})\s?(?:后|之后|以后|再)")

_MEMBERS: Final[Mapping[str, float]] = {
    "retryDelay": 1,
    "retry_after_ms": 0.001,
    "retryAfterMs": 0.001,
    "retry_after": 1,
    "retryAfter": 1,
    "retry-after": 1,
    "retry_after_seconds": 1,
    "retryAfterSeconds": 1,
    "resets_in_seconds": 1,
    "reset_in_seconds": 1,
    "resets_at": 1,
    "reset_at": 1,
    "estimated_time": 1,
}
"""Members of a body that say when to come back, and their unit in seconds; the surest first."""
_NAMES: Final = frozenset(_MEMBERS)

_LIMIT_SPECIFIED: Final = re.compile(
    r"(?:^|[;,\s])r(?:emaining)?=0\b.{0,60}?(?:^|[;,\s])(?:t|reset)=(\d{1,10})\b"
)
"""An exhausted limit in a ``RateLimit`` header, as two drafts of the IETF have it."""


def wait(answer: Answer, text: str, now: datetime | None) -> float | None:
    """The wait that ``answer`` states, with ``text`` as its wordings; ``now`` is the time to count from."""
    headers = answer.headers
    if headers:
        seconds = _milliseconds(headers.get("retry-after-ms"))
        if seconds is None and (value := headers.get("retry-after")):
            seconds = parse_retry_after(value, now=_reference(headers, now))
        if seconds is not None:
            return seconds
    for node in answer.nodes:
        for name in () if _NAMES.isdisjoint(node) else [name for name in _MEMBERS if name in node]:
            seconds = _of_value(node[name], _MEMBERS[name], now)
            if seconds is not None:
                return seconds
    seconds = in_text(text)
    if seconds is None:
        seconds = _until_reset(headers, now)
    if seconds is None:
        seconds = next((found for found in _of_inner_headers(answer, now) if found is not None), None)
    return seconds


def in_text(text: str) -> float | None:
    """The wait that a text in lower case states."""
    for clue in _CLUES:
        start = text.find(clue)
        while start >= 0:
            end = start + len(clue)
            if match := _AFTER_CLUE.match(text, end):
                return duration(match[1])
            start = text.find(clue, end)
    if ("后" in text or "再" in text) and (match := _CHINESE.search(text)):
        return duration(match[1])
    return None


def duration(text: str) -> float | None:
    """Seconds of ``7m12.5s``, ``1 hour 2 minutes``, ``900.2ms``; None for anything else."""
    parts = _PARTS.findall(text)
    if not parts or _PARTS.sub("", text).strip(" ,and"):
        return None
    return _bounded(sum(float(number) * _UNITS[unit] for number, unit in parts))


def _bounded(seconds: float) -> float | None:
    return seconds if math.isfinite(seconds) and 0 <= seconds <= _LONGEST else None


def _milliseconds(value: str | None) -> float | None:
    seconds = parse_retry_after(value) if value and "," not in value and ":" not in value else None
    return None if seconds is None else seconds / 1000


def _reference(headers: Mapping[str, str], now: datetime | None) -> datetime:
    """The service's own clock, where it tells: the difference to ours must not count as a wait."""
    if now is not None:
        return now
    if (date := headers.get("date")) is not None:
        zero = datetime.fromtimestamp(0, UTC)
        moment = _moment(date)
        return moment or zero.now(UTC)
    return datetime.now(UTC)


def _moment(text: str) -> datetime | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415

    try:
        moment = parsedate_to_datetime(text) if "," in text else datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _of_value(value: Any, unit: float, now: datetime | None) -> float | None:
    if is_dict(value):  # a google.protobuf.Duration by its members
        seconds, nanos = value.get("seconds", 0), value.get("nanos", 0)
        try:
            return _bounded(int(seconds) + int(nanos) / 1e9)
        except (TypeError, ValueError, OverflowError):
            return None
    if isinstance(value, str):
        value = value[:64].strip()
        seconds = duration(value)
        if seconds is not None:
            return seconds
        try:
            value = float(value)
        except ValueError:
            moment = _moment(value)
            return None if moment is None else _bounded(max(0.0, _seconds_until(moment.timestamp(), now)))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _of_number(float(value), unit, now)


def _of_number(number: float, unit: float, now: datetime | None) -> float | None:
    if not math.isfinite(number):
        return None
    if number >= _EPOCH:
        number /= 1000 if number >= _EPOCH * 1000 else 1
        return _bounded(max(0.0, _seconds_until(number, now)))
    return _bounded(number * unit)


def _seconds_until(timestamp: float, now: datetime | None) -> float:
    return timestamp - (now or datetime.now(UTC)).timestamp()


def _until_reset(headers: Mapping[str, str], now: datetime | None) -> float | None:
    """The longest wait for a limit of which nothing remains, in any of the families of such headers."""
    waits: list[float] = []
    for name, value in headers.items():
        if "remaining" in name:
            exhausted = value in ("0", "0.0")
            reset = name.replace("remaining", "reset")
        elif name.endswith("-status"):  # of Anthropic's limits of a subscription
            exhausted = value == "rejected"
            reset = name.removesuffix("status") + "reset"
        elif name == "ratelimit":
            waits += [float(seconds) for seconds in _LIMIT_SPECIFIED.findall(value)]
            continue
        else:
            continue
        if exhausted and (until := headers.get(reset)) is not None:
            seconds = _of_value(until, 1, now or _reference(headers, now))
            if seconds is not None:
                waits.append(seconds)
    return max(waits, default=None)


def _of_inner_headers(answer: Answer, now: datetime | None) -> Iterator[float | None]:
    """Waits by the headers that a gateway received, and put into its own answer."""
    for node in answer.nodes:
        headers = node.get("headers")
        if is_dict(headers):
            yield _until_reset({str(name).lower(): str(value)[:64] for name, value in headers.items()}, now)
