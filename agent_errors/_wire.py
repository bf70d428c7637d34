"""Members to JSON values and back, and the bounds of both: it knows documents, and no exception.

Reading is lenient (RFC 9457 section 3.1): a member whose value has the wrong type is as good as absent,
and nothing is coerced. Writing never fails: what JSON or the bounds cannot hold is left out and reported.
"""

from __future__ import annotations

import marshal
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeGuard, cast, get_args

from agent_errors._credentials import MASK, is_secret_name, redact
from agent_errors.members import PROBLEM_TYPES, Limit, Location, Origin, UpstreamInfo

if TYPE_CHECKING:
    import json

    from cattrs import Converter

MAX_LEVELS: Final = 64
"""How deep causes nest in a document; other values as deep below their member."""
MAX_CAUSES: Final = 256
"""How many causes a document has, on all levels together."""
MAX_CHARACTERS: Final = 64 * 1024
"""How long a string is."""
MAX_BYTES: Final = 1024 * 1024
"""How long a document is, as UTF-8 JSON."""
MAX_INTEGER: Final = 2**53
"""The largest integer that every JSON parser keeps exact (RFC 8259 section 6)."""

Report = Callable[[str, str], None]
"""Told the member that is left out, and why."""

_GONE: Final[Any] = object()
"""Stands for a value that JSON cannot hold: None is one that it can."""


_logging: ContextVar[bool] = ContextVar("agent_errors_logging", default=False)


def log(code: str, member: str, why: str) -> None:
    """Tell the log what the document of an error with this code lacks of it."""
    if _logging.get():  # a handler writes the error that it is told about
        return
    token = _logging.set(True)
    try:
        import logging  # noqa: PLC0415, it costs an eighth of import attrs, and most processes never get here

        message = "the document of a %s does not tell all: %s: %s"
        logging.getLogger("agent_errors").warning(message, code, one_line(member), why)
    except Exception:  # noqa: BLE001, S110, a handler that fails must not hide the error
        pass
    finally:
        _logging.reset(token)


def refuse(member: str, why: str) -> NoReturn:
    """Raise the ValueError of ``strict=True``."""
    raise ValueError(f"{one_line(member)}: {why}")


def ignore(member: str, why: str) -> None:
    """Say nothing: what a received document has beyond the bounds is the sender's affair."""


# isinstance asks an object for its __class__, which may do anything; its type cannot be forged.


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a string."""
    return type(value) is str or issubclass(type(value), str)


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a mapping."""
    return issubclass(type(value), Mapping)


def is_array(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether a value is what JSON writes as an array."""
    return issubclass(type(value), list | tuple)


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a value is an object in a document of ours."""
    return type(value) is dict


# Readers: the usable value of a member, or None.


def _text(value: object) -> str | None:
    return value if is_text(value) else None


_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


def is_code(value: object) -> bool:
    """Whether a value has the syntax of a code (section 4.1)."""
    if not is_text(value) or len(code := str.__str__(value)) > MAX_CHARACTERS:
        return False
    category, _, name = code.partition(".")
    category = category.removeprefix("x-").replace("-", "_") if category.startswith("x-") else category
    return bool(category and name) and _NAME_CHARACTERS.issuperset(category + name)


def _code(value: object) -> Any:
    return value if is_code(value) else None


def _flag(value: object) -> bool | None:
    return value if value is True or value is False else None


def _number(value: object) -> float | None:
    """A finite number; A2A 1.0 turns 50 into 50.0, so an integral float is the integer."""
    if type(value) is bool:
        return None
    number = value if type(value) in _NUMBERS else _plain("", value, ignore)  # a Decimal cost, a numpy scalar
    if type(number) is float:
        if not math.isfinite(number):
            return None
        return int(number) if number.is_integer() and abs(number) <= MAX_INTEGER else number
    return number if type(number) is int and abs(number) <= MAX_INTEGER else None


_NUMBERS = (int, float)


def _seconds(value: object) -> float | None:
    number = _number(value)
    return number if number is not None and number >= 0 else None


def _count(value: object) -> int | None:
    number = _number(value)
    return number if isinstance(number, int) and number >= 0 else None


def _turn(value: object) -> int | None:
    return _count(value) or None


def _http_status(value: object) -> int | None:
    number = _count(value)
    return number if number is not None and 100 <= number <= 599 else None  # noqa: PLR2004


def _origin(value: object) -> str | None:
    return value if is_text(value) and str.__str__(value) in _ORIGINS else None


_ORIGINS = frozenset(get_args(Origin))

_PARTS: Mapping[type[Any], Mapping[str, Callable[[object], Any]]] = {
    Limit: {"name": _text, "value": _number, "observed": _number, "unit": _text},
    Location: {"run_id": _text, "turn": _turn, "tool_name": _text, "tool_call_id": _text, "pointer": _text},
    UpstreamInfo: {
        "provider": _text,
        "status": _http_status,
        "code": _text,
        "stop_reason": _text,
        "message": _text,
        "request_id": _text,
        "task_state": _text,
    },
}


_NESTED: Mapping[str, type[Any]] = {"limit": Limit, "location": Location, "upstream": UpstreamInfo}


@cache
def _converter() -> Converter:
    from cattrs import Converter  # noqa: PLC0415, as long to import as attrs, and needed only on the first read
    from cattrs.gen import make_dict_structure_fn, override  # noqa: PLC0415

    def hook(read: Callable[[object], Any]) -> Callable[[object, object], Any]:
        return lambda value, _: read(value)

    converter = Converter()
    for cls, readers in _PARTS.items():
        parts: dict[str, Any] = {name: override(struct_hook=hook(read)) for name, read in readers.items()}
        # cattrs would copy `extra` value by value: it is ours already.
        parts["extra"] = override(struct_hook=hook(lambda value: value))
        structure: Any = make_dict_structure_fn(cls, converter, **parts)
        converter.register_structure_hook(cls, structure)
    return converter


def _parts_of(cls: type[Any], value: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parts that the draft gives a nested member, and those that it does not know."""
    known = _PARTS[cls]
    parts = {name: part for name, part in value.items() if name in known}
    return parts, {name: part for name, part in value.items() if name not in known}


def is_plain(value: object) -> bool:
    """Whether a nested member holds nothing but strings and numbers."""
    return (parts := _PARTS.get(type(value))) is not None and not (
        getattr(value, "extra", None)
        or any(type(getattr(value, name)) not in {str, int, float, type(None)} for name in parts)
    )


def _structured(cls: type[Any]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if issubclass(type(value), cls):
            return value
        if not is_dict(value):
            return None
        parts, extra = _parts_of(cls, value)
        return _converter().structure({**parts, "extra": extra}, cls)

    return read


READERS: Mapping[str, Callable[[object], Any]] = {
    "title": _text,
    "detail": _text,
    "instance": _text,
    "code": _code,
    "origin": _origin,
    "retryable": _flag,
    "model_recoverable": _flag,
    "model_feedback": _text,
    "retry_after": _seconds,
    "attempts": _count,
    "max_attempts": _count,
    **{name: _structured(cls) for name, cls in _NESTED.items()},
}
"""The members with a value of their own, in the order in which they are written."""

NAMES: frozenset[str] = frozenset({*READERS, "type", "status", "causes"})
"""Every member that the draft or RFC 9457 defines."""


EXTENSION_NAMES: Final = (
    "3 or more letters, digits and underscores, the first a letter, and no name of the draft's"
)


def is_extension_name(name: object) -> bool:
    """Whether a producer may give an extension member this name (RFC 9457 section 3.2)."""
    if not is_text(name) or name in NAMES:
        return False
    plain = str.__str__(name)
    return len(plain) >= 3 and plain.isascii() and plain[0].isalpha() and plain.replace("_", "0").isalnum()  # noqa: PLR2004


def described(name: str, value: object, report: Report) -> Any:
    """The JSON value, not yet copied, of a member that this side states; None if it states none."""
    if name in _NESTED and is_mapping(value):  # given as a mapping, where its class was asked for
        cls = _NESTED[name]
        parts, extra = _parts_of(cls, members_of_problem(value))
        value = cls(**parts, extra=extra) if parts or extra else None
    usable = READERS[name](value)
    if usable is None:
        report(name, _expected(READERS[name], value))
    if name not in _NESTED or usable is None:
        return usable
    return _unstructured(_NESTED[name], name, usable, report)


def _unstructured(cls: type[Any], member: str, value: Any, report: Report) -> dict[str, Any]:
    readers = _PARTS[cls]
    parts: dict[str, Any] = {}
    for name, read in readers.items():
        try:
            part = getattr(value, name)
        except Exception:  # noqa: BLE001, a property of a user's class may raise anything
            part = None
        if part is not None:
            if (usable := read(part)) is None:
                report(f"{member}.{name}", _expected(read, part))
            else:
                parts[name] = usable
    extra = members_of_problem(getattr(value, "extra", None))
    parts.update((name, part) for name, part in extra.items() if name not in readers)
    return parts


def text_of(value: object) -> str:
    """``str(value)``; for a value that raises instead, the name of its class."""
    try:
        return str.__str__(value if is_text(value) else str(value))
    except Exception:  # noqa: BLE001, a foreign __str__ may raise anything
        return f"<{class_name(value)}>"


def class_name(value: object) -> str:
    """The name of its class, whatever the class of that class does when it is asked."""
    return cast("str", vars(type)["__name__"].__get__(type(value)))


def shown(value: object) -> str:
    """A value in the text of an exception: masked before it is cut, and asked nothing if it is no string."""
    if is_text(value):
        return repr(cut(masked(str.__str__(value)), 80))
    is_short = value is None or type(value) is bool or _is_safe_number(value)
    return repr(value) if is_short else class_name(value)


def masked(text: str) -> str:
    """``text`` without credentials; of one that is far too long only the ends, so that time is bounded."""
    if len(text) > 2 * _MASKED_AT_EACH_END:
        # Up to a blank, since half of a credential could not be told from other words.
        head = text[:_MASKED_AT_EACH_END].rsplit(maxsplit=1)[0]
        tail = text[-_MASKED_AT_EACH_END:].split(maxsplit=1)[-1]
        return f"{redact(head)}{_left_out(len(text) - len(head) - len(tail))}{redact(tail)}"
    return redact(text)


_MASKED_AT_EACH_END: Final = 4 * MAX_CHARACTERS


def _expected(read: Callable[[object], Any], value: object) -> str:
    expected = _EXPECTED.get(read, "a value of its class")
    return f"{expected} is expected, and {class_name(value)} given, or out of bounds"


_EXPECTED: Mapping[Callable[[object], Any], str] = {
    _text: "a string",
    _flag: "a bool",
    _number: "a finite number",
    _seconds: "a number of seconds, not negative,",
    _count: "an integer, not negative,",
    _turn: "an integer from 1",
    _http_status: "an HTTP status code",
    _origin: f"one of {', '.join(sorted(_ORIGINS))}",
    _code: "<category>.<name>",
}


def one_line(text: str) -> str:
    """``text`` for a log line: masked, bounded, control characters and line separators escaped."""
    text = cut(masked(text))
    return text if text.isprintable() else re.sub(_UNPRINTABLE, _escape, text)


_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def cut(text: str, most: int = MAX_CHARACTERS) -> str:
    """``text`` with its middle left out where it is too long: both its ends tell more."""
    if len(text) <= most:
        return text
    mark = _left_out(len(text) - most)
    half = (most - len(mark)) // 2
    return f"{text[:half]}{mark}{text[-half:]}"


def _left_out(characters: int) -> str:
    return f" …[{characters} characters or more left out]… "


def encodable(text: str) -> str:
    """``text`` with U+FFFD for every lone surrogate; two that make a pair become the character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


known: Final = {*PROBLEM_TYPES, *_ORIGINS}
"""Strings that need no look: those above, and the codes and titles of the classes that there are."""


class _Copier:
    """Copies values into JSON values of our own, masked and bounded, without recursion.

    ``size`` grows by the length of what was copied as UTF-8 JSON, or more.
    """

    __slots__ = ("_mask", "_report", "_seen", "size")

    # By the cautious count of bytes, a member of more cannot fit; nor can one of more values than that.
    ROOM = 16 * MAX_BYTES
    _VALUES = MAX_BYTES // 2

    def __init__(self, *, mask: bool, report: Report) -> None:
        self._mask = mask
        self._report = report
        self._seen = (
            0  # values, with those of members that were given up: lists may hold one another many times
        )
        self.size = 0

    def members(self, source: Mapping[Any, Any]) -> dict[str, Any]:
        """The members of one problem object; its causes only as a place among them."""
        target: dict[str, Any] = {}
        self.size += 3
        for given, value in source.items():
            if not is_text(given):
                self._report(class_name(given), "the name of a member is a string")
                continue
            name = str.__str__(given)
            if name in NAMES:
                self.size += 24
                if name == "causes" and is_array(value):
                    target[name] = []
                elif name == "code" and is_code(value):  # masked, it would be none (PT-1)
                    target[name] = str.__str__(value)
                    self.size += len(value)
                elif type(value) is str:
                    target[name] = self._text(name, value)
                elif (copied := self.value(name, value)) is not _GONE:
                    target[name] = copied
            elif self.size > self.ROOM:
                self._report(name, f"a document is no longer than {MAX_BYTES} bytes")
            else:
                copied = self.value(name, value, secret=self._mask and is_secret_name(name))
                if copied is not _GONE:
                    target[self._text(name, name)] = copied
        return target

    def others(self, causes: list[Any]) -> list[Any]:
        """``causes`` with copies of those that are no problem objects."""
        copies = (cause if type(cause) is _Node else self.value("causes", cause) for cause in causes)
        return [cause for cause in copies if cause is not _GONE]

    def value(self, member: str, value: object, *, secret: bool = False) -> Any:
        """The JSON value of one member, or _GONE."""
        todo: list[tuple[Any, Any, bool, int]] = []
        source: Any
        target: Any
        before, seen = self.size, self._seen
        result = self._step(member, value, secret, todo, 0)
        for source, target, below_secret, level in todo:  # grows while it is walked
            self._seen += len(source)
            if (
                self._seen - seen > self._VALUES
                or self._seen > 2 * self._VALUES
                or self.size - before > self.ROOM
            ):
                self._report(member, f"a document is no longer than {MAX_BYTES} bytes")
                self.size = before
                return _GONE
            if not is_dict(target):
                for part in source:
                    if self.size - before > self.ROOM:
                        break
                    if (copied := self._step(member, part, below_secret, todo, level)) is not _GONE:
                        target.append(copied)
                continue
            for name, part in source.items():
                if self.size - before > self.ROOM:
                    break
                if not is_text(name):
                    self._report(member, "the name of a member is a string")
                    continue
                hidden = below_secret or (self._mask and is_secret_name(name))
                if (copied := self._step(member, part, hidden, todo, level)) is not _GONE:
                    target[self._text(member, name)] = copied
        if self.size - before > self.ROOM:
            self._report(member, f"a document is no longer than {MAX_BYTES} bytes")
            self.size = before
            return _GONE
        return result

    def _step(
        self,
        member: str,
        value: object,
        secret: bool,  # noqa: FBT001, five arguments by name would cost as much as the step
        todo: list[Any],
        level: int,
    ) -> Any:
        kind = type(value)
        if kind is str:
            return self._text(member, MASK if secret and value else value)
        if value is None or kind is bool:
            self.size += 6
            return value
        if kind is int or kind is float:
            self.size += 25
            if not _is_safe_number(value):
                self._report(member, "neither NaN, Infinity nor an integer beyond 2**53 is safe in JSON")
                return _GONE
            return MASK if secret else value
        if kind is dict or kind is list:
            self.size += 3
            if level >= MAX_LEVELS:
                self._report(member, f"nested deeper than {MAX_LEVELS} levels")
                return _GONE
            target = cast("Any", kind)()
            # A copy, since another thread may be changing it.
            todo.append((cast("Any", value).copy(), target, secret, level + 1))
            return target
        plain = _plain(member, value, self._report)
        if plain is _GONE:
            self._report(member, f"{class_name(value)} is no JSON value")
            return _GONE
        return self._step(member, plain, secret, todo, level)

    def _text(self, member: str, value: Any) -> str:
        text = value if type(value) is str else str.__str__(value)
        if text in known:
            self.size += 6 * len(text) + 4
            return text
        if len(text) > MAX_CHARACTERS:  # what is looked at costs time, also where it is cut afterwards
            self.size += min(len(text), 2 * _MASKED_AT_EACH_END) * 6
        if self._mask:
            text = masked(text)
        if not text.isascii() and (whole := encodable(text)) is not text:
            self._report(member, "a lone surrogate")
            text = whole
        if len(text) > MAX_CHARACTERS:
            self._report(member, f"longer than {MAX_CHARACTERS} characters")
            text = cut(text)
        self.size += 6 * len(text) + 4
        return text


def _plain(member: str, value: object, report: Report) -> Any:
    """A foreign object, whatever it does when asked, as exactly one of Python's JSON types; or _GONE."""
    try:
        for basic, bare in _BARE.items():
            if issubclass(type(value), basic):
                return bare(value)
        if is_mapping(value):
            return dict(value)
        kind = type(value)
        if kind in _PARTS:
            return _unstructured(kind, member, value, report)
        if hasattr(kind, "__index__"):
            return operator.index(cast("Any", value))
        if hasattr(kind, "__float__"):  # a Decimal cost, a numpy scalar
            return float(cast("Any", value))
    except Exception:  # noqa: BLE001, S110, whatever it raises, the error being reported matters more
        pass
    return _GONE


# What makes an instance of a subclass an instance of the class itself, without asking the subclass.
_BARE: Mapping[type, Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    dict: dict[Any, Any].copy,
    list: list[Any].copy,
    tuple: lambda value: list(tuple[Any, ...].__iter__(value)),
}


@cache
def _encoder() -> json.JSONEncoder:
    import json  # noqa: PLC0415, a process that meets no error needs none

    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))


def encoded(value: object) -> str:
    """The JSON text of a value that ``document`` made: compact, and what any parser takes."""
    return _encoder().encode(value)


Causes = Callable[[Any], Sequence[Any] | None]
"""The causes of a problem object, most recent first; None of what is none."""


class _Node:
    """A problem object in the tree of causes."""

    __slots__ = ("below", "causes", "dropped", "level", "members", "on_path", "size", "source")

    def __init__(self, source: Any, below: Sequence[Any], level: int, *, on_path: bool) -> None:
        self.source = source
        self.below = below  # all its causes
        self.causes: list[Any] = []  # those that are kept: nodes, and values that are no problem object
        self.level = level
        self.on_path = on_path
        self.members: dict[str, Any] = {}
        self.size = 0
        self.dropped = False


def kept(root: Any, causes_of: Causes, report: Report) -> list[_Node]:
    """The problem objects of a tree of causes that fit the bounds, breadth first, ``root`` at index 0.

    What is cut is cut from the middle: the innermost, reached by the last cause at each step, stays
    (CA-4). An exception is there once, however many name it as their cause, so that cycles end.
    """
    path = _innermost_path(root, causes_of)
    nodes = [_Node(*path[0], 0, on_path=True)]
    cut_off = len(path) > MAX_LEVELS + 1
    if cut_off:
        path = [*path[:MAX_LEVELS], path[-1]]
    placed = {id(source) for source, _ in path if not is_mapping(source)}
    room = MAX_CAUSES - (len(path) - 1)
    for node in nodes:  # grows while it is walked
        causes = node.below
        heir = path[node.level + 1] if node.on_path and node.level + 1 < len(path) else None
        if heir is not None and heir[0] is causes[-1]:
            causes = causes[:-1]
        for cause in causes:
            if room == 0 or node.level == MAX_LEVELS:
                cut_off = True
                break
            if (below := causes_of(cause)) is None:
                node.causes.append(cause)
            elif id(cause) not in placed:
                if not is_mapping(cause):
                    placed.add(id(cause))
                node.causes.append(_Node(cause, below, node.level + 1, on_path=False))
            else:
                continue
            room -= 1
        if heir is not None:
            node.causes.append(_Node(*heir, node.level + 1, on_path=True))
        nodes.extend(cause for cause in node.causes if type(cause) is _Node)
    if cut_off:
        report("causes", f"more than {MAX_CAUSES}, or deeper than {MAX_LEVELS} levels")
    return nodes


def _innermost_path(root: Any, causes_of: Causes) -> list[tuple[Any, Sequence[Any]]]:
    """From ``root`` on the last cause at each step, each with its causes."""
    below = causes_of(root) or ()
    path = [(root, below)]
    seen = {id(root)}
    while below:
        last = below[-1]
        if id(last) in seen or (found := causes_of(last)) is None:
            break
        below = found
        path.append((last, below))
        seen.add(id(last))
    return path


def document(
    root: Any,
    causes_of: Causes,
    members_of: Callable[[Any], Mapping[str, Any]],
    *,
    mask: bool,
    report: Report,
) -> dict[str, Any]:
    """The tree of ``root`` as one JSON object: bounded, and masked if asked; to be encoded or copied."""
    nodes = kept(root, causes_of, report)
    for node in nodes:
        node.members = dict(members_of(node.source))
        if is_array(node.members.get("causes")):
            node.members["causes"] = []  # those that were kept have their place there
    _nest(nodes)
    if not is_presentable(nodes[0].members, mask=mask):
        _make_presentable(nodes, _Copier(mask=mask, report=report), report)
    return nodes[0].members


def _nest(nodes: list[_Node]) -> None:
    for node in nodes:
        if node.causes:
            node.members["causes"] = [
                cause.members if type(cause) is _Node else cause for cause in node.causes
            ]


def is_presentable(document: dict[str, Any], *, mask: bool) -> bool:
    """Whether a document can surely be written as it is; most can, and to ask is cheaper than to clean."""
    try:
        return _is_presentable(document, mask=mask)
    except Exception:  # noqa: BLE001, another thread changes it, or a key raises when it is compared
        return False


def _is_presentable(document: dict[str, Any], *, mask: bool) -> bool:
    size = 0
    container: Any
    value: object
    todo: list[tuple[Any, int]] = [(document, 0)]
    for container, level in todo:  # grows while it is walked
        size += 32 * len(container)  # a number of 24 characters, or a name of the draft's and a flag
        if size > MAX_BYTES or level > MAX_LEVELS or len(todo) > MAX_CAUSES:
            return False
        if is_dict(container):
            if not container.keys() <= _PLAIN_NAMES:
                if not _have_plain_names(container, mask=mask):
                    return False
                size += 6 * sum(map(len, container))
            values: Iterable[Any] = container.values()
        else:
            values = container
        for value in values:
            kind = type(value)
            if type(value) is str:
                size += 6 * len(value)
                if size > MAX_BYTES or (value not in known and not _is_plain_text(value, mask=mask)):
                    return False
            elif kind is dict or kind is list:
                todo.append((value, level + 1))
            elif value is not None and kind is not bool and not _is_safe_number(value):
                return False
    return True


def _is_safe_number(value: object) -> bool:
    """Whether any JSON parser reads a number of JSON's own types as it is."""
    if type(value) is int:
        return -MAX_INTEGER <= value <= MAX_INTEGER
    return type(value) is float and math.isfinite(value)


_PLAIN_NAMES = NAMES.union(*_PARTS.values())


def _have_plain_names(container: dict[Any, Any], *, mask: bool) -> bool:
    return all(
        type(name) is str and _is_plain_text(name, mask=mask) and not (mask and is_secret_name(name))
        for name in container.keys() - _PLAIN_NAMES
    )


def _is_plain_text(text: str, *, mask: bool) -> bool:
    return (
        len(text) <= MAX_CHARACTERS
        and (text.isascii() or encodable(text) is text)
        and not (mask and redact(text) != text)
    )


def copied(document: dict[str, Any]) -> dict[str, Any]:
    """A document of ours, copied: nothing in the standard library copies plain values as fast as this.

    In version 2 of its format each part becomes one of its own, also one that is there twice.
    """
    try:
        return cast("dict[str, Any]", marshal.loads(marshal.dumps(document, 2)))  # noqa: S302, it is ours
    except ValueError:  # a name is of a subclass of str, such as a StrEnum
        import json  # noqa: PLC0415, as above

        return cast("dict[str, Any]", json.loads(encoded(document)))


def _make_presentable(nodes: list[_Node], copier: _Copier, report: Report) -> None:
    total = 0
    ends = dict.fromkeys((nodes[0], _path(nodes)[-1]))
    for node in (*ends, *(node for node in nodes if node not in ends)):
        if total > _Copier.ROOM and node not in ends:
            node.dropped = True
            continue
        copier.size = 0
        node.members = copier.members(node.members)
        if node.causes:
            node.causes = copier.others(node.causes)
            node.members["causes"] = [cause for cause in node.causes if type(cause) is not _Node]
        total += copier.size
    if total > MAX_BYTES:
        _fit(nodes, report)
    _nest(nodes)


def _path(nodes: list[_Node]) -> list[_Node]:
    return [node for node in nodes if node.on_path]


def _fit(nodes: list[_Node], report: Report) -> None:
    """Leave out problem objects, and then members, until the document fits ``MAX_BYTES``."""
    for node in nodes:
        node.size = len(encoded(node.members).encode())

    def total() -> int:
        """Of all that is left, with the commas between causes; those between others are counted."""
        left = [node for node in nodes if not node.dropped]
        commas = sum(max(len(node.causes), 1) - max(len(node.members.get("causes", ())), 1) for node in left)
        return sum(node.size for node in left) + commas

    path = _path(nodes)
    middle = [node for node in reversed(nodes) if not node.on_path] + path[-2:0:-1]
    for node in middle:
        if total() <= MAX_BYTES:
            break
        node.dropped = True
    if any(node.dropped for node in middle):
        report("causes", f"a document is no longer than {MAX_BYTES} bytes")
        for node in nodes:
            node.causes = [cause for cause in node.causes if type(cause) is not _Node or not cause.dropped]
        for outer, inner in pairwise(node for node in path if not node.dropped):
            if inner not in outer.causes:
                outer.causes.append(inner)
    size = total()
    parts = [
        (len(encoded(value).encode()) + len(encoded(name).encode()) + 2, name, node)
        for node in dict.fromkeys((path[0], path[-1]))
        for name, value in node.members.items()
        if name not in {"type", "code"}
    ]
    for length, name, node in sorted(parts, key=operator.itemgetter(0), reverse=True):
        if size <= MAX_BYTES:
            break
        report(name, f"a document is no longer than {MAX_BYTES} bytes")
        del node.members[name]
        size -= length
        if name == "causes":
            node.causes = [cause for cause in node.causes if type(cause) is _Node]


def problem_causes(value: object) -> Sequence[Any] | None:
    """The causes in a problem object, read from the outside: whatever it does, this raises nothing."""
    if not is_mapping(value):
        return None
    causes = members_of_problem(value).get("causes")
    if not is_array(causes):
        return ()
    return causes if type(causes) is list else cast("list[Any]", _plain("causes", causes, ignore))


def members_of_problem(value: object) -> dict[str, Any]:
    """The members of a mapping of somebody else's; none where it does not tell them."""
    members = value if is_dict(value) else _plain("", value, ignore) if is_mapping(value) else {}
    if members is _GONE:
        return {}
    if _ONLY_NAMES.issuperset(map(type, members)):
        return members
    # A subclass of str as the str that it is written as; and no key that may raise when it is compared.
    return {
        str.__str__(name) if is_text(name) else name: part
        for name, part in members.items()
        if is_text(name) or type(name) in _HARMLESS
    }


_ONLY_NAMES = frozenset({str})
_HARMLESS = frozenset({int, float, bool, bytes, type(None), tuple})


def received(problem: Mapping[str, Any]) -> dict[str, Any]:
    """A problem object from outside as a document of our own, within the bounds, otherwise as it came."""
    if is_dict(problem) and is_presentable(problem, mask=False):
        return copied(problem)
    return document(problem, problem_causes, members_of_problem, mask=False, report=ignore)


def parsed(data: str | bytes, loads: Callable[[str], Any] | None) -> tuple[Any, bool]:
    """A JSON text as the parser gives it, and whether it is surely within the bounds.

    Raises whatever the parser raises, and TypeError or UnicodeDecodeError if ``data`` is no UTF-8 text.
    """
    text = data if isinstance(data, str) else str(data, "utf-8")
    value = (loads or _decoder())(text.removeprefix("\ufeff"))
    return value, (
        loads is None  # another parser may keep what it gives
        and len(text) <= MAX_CHARACTERS
        and text.count("[") <= MAX_LEVELS
        and text.count("{") <= MAX_CAUSES - MAX_LEVELS
    )


@cache
def _decoder() -> Callable[[str], Any]:
    import json  # noqa: PLC0415, as above

    return json.loads
