"""Which limit an answer says was exceeded, what it is, and what was seen.

A number in a text is what the words next to it call it.
"""

import re
from collections.abc import Mapping
from typing import Final

from agent_errors.members import Limit
from agent_errors.translate._answer import Answer
from agent_errors.translate._kinds import CONTEXT, OUTPUT_CAP, Kind

_NUMBER: Final = re.compile(r"\d[\d.,]*[^\W\d]*")
"""A number with all that is attached to it: it begins with a set of characters, which is fast to look for."""
_PLAIN: Final = re.compile(r"(\d{1,3}(?:,\d{3}){1,4}|\d{1,15}(?:\.\d{1,6})?)(k)?[.,]?")
_PART_OF_A_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz_.-/")
_MOST_NUMBERS: Final = 32
_REACH: Final = 64
"""How many characters before a number its name may take."""
_THOUSAND: Final = 1000

_VALUE, _OBSERVED, _USED, _REQUESTED, _NOTHING = range(5)

_BEFORE: Final[Mapping[str, int]] = {
    "limit": _VALUE,
    "maximum": _VALUE,
    "max ": _VALUE,
    "allowed": _VALUE,
    "cannot exceed": _VALUE,
    "context length": _VALUE,
    "context size": _VALUE,
    "context window": _VALUE,
    "<=": _VALUE,
    ">": _VALUE,
    "less than": _VALUE,
    "lower than": _VALUE,
    "at most": _VALUE,
    "up to": _VALUE,
    "[1, ": _VALUE,
    "最大": _VALUE,
    "不能超过": _VALUE,
    "限制": _VALUE,
    "used": _USED,
    "current": _USED,
    "requested": _REQUESTED,
    "given": _OBSERVED,
    "received": _OBSERVED,
    "got": _OBSERVED,
    "resulted in": _OBSERVED,
    "passed": _OBSERVED,
    "contain": _OBSERVED,
    "token count": _OBSERVED,
    "tokens (": _OBSERVED,
    "input (": _OBSERVED,
    "prompt (": _OBSERVED,
    "request (": _OBSERVED,
    "input length": _OBSERVED,
    "prompt length": _OBSERVED,
    "number of input tokens": _OBSERVED,
    "number of prompt tokens": _OBSERVED,
    "total length": _OBSERVED,
    "max_tokens": _OBSERVED,
    "too long": _OBSERVED,
    "too large": _OBSERVED,
    "keep the first": _OBSERVED,
    "current length is": _OBSERVED,
    "prompt length is": _VALUE,
    "request has": _OBSERVED,
    "prompt has": _OBSERVED,
    "input has": _OBSERVED,
    "and": _OBSERVED,
    "+": _OBSERVED,
    "-": _NOTHING,
    "by": _NOTHING,
    "code": _NOTHING,
    "after": _NOTHING,
}
"""What a number is by the words before it: those that begin nearest to it, of two the longer."""
_NEAREST: Final = re.compile(f".*({'|'.join(map(re.escape, sorted(_BEFORE, key=len, reverse=True)))})")

_AFTER: Final[Mapping[str, int]] = {
    "+": _OBSERVED,
    ">": _OBSERVED,
    "tokens >": _OBSERVED,
    "maximum": _VALUE,
    "draft": _NOTHING,
    "in the ": _NOTHING,
    "in your ": _NOTHING,
    "for the ": _NOTHING,
    "of text input": _NOTHING,
    "of tool input": _NOTHING,
    "of image input": _NOTHING,
    "tokens from the": _NOTHING,
    "tokens for the": _NOTHING,
    "second": _NOTHING,
    "%": _NOTHING,
    "bytes": _NOTHING,
}
"""What a number is by the words that follow it at once, before ``_BEFORE`` is asked."""
_FOLLOWING: Final = tuple(_AFTER)

_FIELDS: Final[Mapping[str, int]] = {
    "n_ctx": _VALUE,
    "max_context_length": _VALUE,
    "n_prompt_tokens": _OBSERVED,
    "prompt_tokens": _OBSERVED,
}
"""Members of a body that hold the window and what was to go into it."""

_WINDOWS: Final = {"s": "second", "m": "minute", "min": "minute", "h": "hour", "d": "day"}
_RATE: Final = re.compile(
    r"(token|request|querie|call)[a-z]*\s?(?:per|/)\s?(second|minute|min|hour|day|month)"
)
_SHORT_RATE: Final = re.compile(r"\b([io])?([tr])p([mdhs])\b")
_SIDES: Final[Mapping[str | None, str]] = {
    "input": "input_",
    "prompt": "input_",
    "i": "input_",
    "output": "output_",
    "completion": "output_",
}
_QUOTA: Final = re.compile(r"(Input|Output)?(Token|Request)s?.{0,80}?Per(Minute|Day|Hour|Second)")
_HEADER: Final = re.compile(r"(?:(input|output)-)?(token|request)s?(?:-(second|minute|hour|day|month))?")


def limit_of(kind: Kind, answer: Answer, text: str) -> tuple[Limit | None, bool]:
    """The limit that was exceeded, and whether a single request is more than all of it."""
    if kind is CONTEXT or kind is OUTPUT_CAP:
        numbers = _from_fields(answer) or _from_text(text)
        return _of_tokens("context_tokens" if kind is CONTEXT else "output_tokens", numbers), False
    quota = _of_quota(answer)
    if quota is not None:
        return quota, False
    if (name := _rate(text)) is None:
        return _of_headers(answer), False
    numbers = _from_text(text)
    value = next(iter(numbers[_VALUE]), None)
    used, requested = (next(iter(numbers[role]), None) for role in (_USED, _REQUESTED))
    if value is None:
        return None, False
    observed = None if used is None and requested is None else (used or 0) + (requested or 0)
    return Limit(name, value, observed), requested is not None and requested > value


def _of_tokens(name: str, numbers: list[list[float]]) -> Limit | None:
    value = next(iter(numbers[_VALUE]), None)
    seen = sum(dict.fromkeys(numbers[_OBSERVED] + numbers[_USED] + numbers[_REQUESTED]))
    if value is None:
        return None
    return Limit(name, value, seen if seen > value else None)


def _rate(text: str) -> str | None:
    """The name of the limit whose unit a text mentions first, as ``tokens_per_minute``."""
    if (match := _RATE.search(text)) is not None:
        what, window = match.groups()
        before = text[max(0, match.start() - _REACH) : match.start()].split()
        prefix = _SIDES.get(before[-1], "") if before else ""
        return f"{prefix}{'tokens' if what == 'token' else 'requests'}_per_{_WINDOWS.get(window, window)}"
    if (match := _SHORT_RATE.search(text)) is not None:
        short, what, window = match.groups()
        return f"{_SIDES.get(short, '')}{'tokens' if what == 't' else 'requests'}_per_{_WINDOWS[window]}"
    return None


def _from_text(text: str) -> list[list[float]]:
    """The numbers of a text, by what they are."""
    roles: list[list[float]] = [[], [], [], [], []]
    end = 0
    for count, match in enumerate(_NUMBER.finditer(text)):
        if count == _MOST_NUMBERS:
            break
        start = match.start()
        before = text[max(end, start - _REACH) : start]
        plain = _PLAIN.fullmatch(match[0])
        if plain is None or before[-1:] in _PART_OF_A_NAME or before[-1:] == "[":  # "[1, 8192]" is a range
            continue
        end = match.end()
        roles[_role(before, text[end : end + _REACH])].append(_value(plain))
    return roles


def _role(before: str, after: str) -> int:
    after = after.lstrip(" )`'")
    if after.startswith(_FOLLOWING):
        return next(role for words, role in _AFTER.items() if after.startswith(words))
    match = _NEAREST.match(before)
    return _BEFORE[match[1]] if match else _NOTHING


def _value(match: re.Match[str]) -> float:
    number = float(match[1].replace(",", "")) * (_THOUSAND if match[2] else 1)
    return int(number) if number.is_integer() else number


def _from_fields(answer: Answer) -> list[list[float]] | None:
    roles: list[list[float]] = [[], [], [], [], []]
    for node in answer.nodes:
        for name in () if _FIELDS.keys().isdisjoint(node) else _FIELDS.keys() & node.keys():
            if type(node[name]) is int:
                roles[_FIELDS[name]].append(node[name])
    return roles if roles[_VALUE] else None


def _of_quota(answer: Answer) -> Limit | None:
    """The first violation of a google.rpc.QuotaFailure whose window its id names."""
    for node in answer.nodes:
        quota = node.get("quotaId")
        if isinstance(quota, str) and (match := _QUOTA.search(quota[:200])):
            side, what, window = (part and part.lower() for part in match.groups())
            return Limit(f"{_SIDES.get(side, '')}{what}s_per_{window}", _integer(node.get("quotaValue")))
    return None


def _integer(text: object) -> int | None:
    """The number in decimal digits that fits into JSON."""
    fits = isinstance(text, str) and text.isdecimal() and len(text) < len(str(2**53))
    return int(text) if fits and isinstance(text, str) else None


def _of_headers(answer: Answer) -> Limit | None:
    """The limit of which nothing remains, if the name of its header has the window in it."""
    for name, value in answer.headers.items():
        if "remaining" not in name or value != "0" or (match := _HEADER.search(name)) is None:
            continue
        side, what, window = match.groups()
        if window is None and name.startswith("anthropic-"):
            window = "minute"
        limit = _integer(answer.headers.get(name.replace("remaining", "limit")))
        if window and limit is not None:
            return Limit(f"{_SIDES.get(side, '')}{what}s_per_{window}", limit)
    return None
