"""The HTTP binding of the draft (section 6.1)."""

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_LONGEST_WAIT: Final = 366 * 24 * 3600.0
"""What is further away than this was no wait, but a mistake: a timestamp taken for a duration, say."""

_MOST_CHARACTERS: Final = 64
"""No delay and no date is longer."""

_SECONDS: Final = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)


def parse_retry_after(value: object, *, now: datetime | None = None) -> float | None:
    """The value of a ``Retry-After`` header in seconds from ``now``, the clock's time unless given.

    It takes what RFC 9110 section 10.2.3 allows, whole seconds and the three forms of an HTTP-date, and
    fractions of seconds, which services send as well. A date that has passed is 0. Everything else is
    None: text that is neither, negative or infinite numbers, and waits of more than 366 days.
    Never raises.
    """
    try:
        return _parsed(value, now)
    except Exception:  # noqa: BLE001, the value, and what it is an instance of, are somebody else's
        return None


def _parsed(value: object, now: datetime | None) -> float | None:
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        value = value[: _MOST_CHARACTERS + 1].strip()
        if len(value) > _MOST_CHARACTERS:
            return None
        if not _SECONDS.fullmatch(value):
            return _until(value, now or datetime.now(UTC))
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    seconds = float(value)
    return seconds if math.isfinite(seconds) and 0 <= seconds <= _LONGEST_WAIT else None


def _until(date: str, now: datetime) -> float | None:
    moment = parsedate_to_datetime(date)
    moment, now = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in (moment, now))
    seconds = max(0.0, (moment - now).total_seconds())
    return seconds if seconds <= _LONGEST_WAIT else None
