"""Members and JSON values: what is read of each, what is left out, and the bounds of both ways."""

import itertools
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from every_error import EVERY_CODE
from hypothesis import given
from hypothesis import strategies as st

from agent_errors import (
    AgentError,
    Limit,
    Location,
    LoopTimeout,
    NotAHarnessProblem,
    OutputEmpty,
    ToolTimeout,
    UpstreamAgentFailed,
    UpstreamInfo,
    is_problem,
)

TYPE = "https://iana.org/assignments/http-problem-types#agent-harness-error"
NAN, INFINITY = float("nan"), float("inf")

LEVELS = 64
CAUSES = 256
CHARACTERS = 65_536
BYTES = 1_048_576
INTEGER = 9_007_199_254_740_992


LONGEST = "some words and " * 4_369 + "!"
"""A string of exactly as many characters as one may have."""
ENTRIES = {f"key {number}": "some words" * 10 for number in range(50_000)}
"""More than 5 MB, in small parts."""


def problem(code: str = "tool.timeout", **members: Any) -> dict[str, Any]:
    return {"type": TYPE, "code": code, **members}


def strictly(text: str) -> Any:
    """What a strict parser reads: one that knows neither NaN nor Infinity, from UTF-8."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text.encode("utf-8"), parse_constant=refuse)


def size(document: object) -> int:
    return len(json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode())


# Reading: the usable value, or none

NO_TEXT: list[Any] = [None, True, 0, 1, 1.5, [], ["x"], {}, {"text": "x"}]
TEXTS: list[tuple[Any, Any]] = [("x", "x"), ("", ""), (" é\n", " é\n"), *((value, None) for value in NO_TEXT)]
NO_NUMBERS: list[tuple[Any, Any]] = [
    (None, None),
    (True, None),
    (False, None),
    ("1", None),
    ("", None),
    ([1], None),
    ({"value": 1}, None),
    (NAN, None),
    (INFINITY, None),
    (-INFINITY, None),
    (INTEGER + 1, None),
    (10**400, None),
]
NUMBERS: list[tuple[Any, Any]] = [
    (50, 50),
    (50.0, 50),
    (0, 0),
    (0.25, 0.25),
    (INTEGER, INTEGER),
    (9007199254740992.0, INTEGER),
    (1e300, 1e300),
    *NO_NUMBERS,
]
SIGNED: list[tuple[Any, Any]] = [*NUMBERS, (-3, -3), (-3.0, -3), (-0.5, -0.5), (-INTEGER - 1, None)]
SECONDS: list[tuple[Any, Any]] = [*NUMBERS, (-0.0, 0), (-1, None), (-0.001, None)]
COUNTS: list[tuple[Any, Any]] = [
    (0, 0),
    (3, 3),
    (3.0, 3),
    (INTEGER, INTEGER),
    (-1, None),
    (-1.0, None),
    (2.5, None),
    (1e300, None),
    *NO_NUMBERS,
]
FLAGS: list[tuple[Any, Any]] = [
    (True, True),
    (False, False),
    ("true", None),
    ("false", None),
    ("", None),
    (1, None),
    (0, None),
    (1.0, None),
    (0.0, None),
    (None, None),
    ([], None),
    ([True], None),
    ({}, None),
]
ORIGINS: list[tuple[Any, Any]] = [
    ("model", "model"),
    ("harness", "harness"),
    ("tool", "tool"),
    ("upstream", "upstream"),
    ("user", "user"),
    ("Model", None),
    ("user ", None),
    ("nobody", None),
    *((value, None) for value in ["", *NO_TEXT]),
]
NO_OBJECT: list[Any] = [None, True, 0, 50, 1.5, "turns", "", [], [{}]]
NO_OBJECTS: list[tuple[Any, Any]] = [(value, None) for value in NO_OBJECT]
OBJECTS: dict[str, list[tuple[Any, Any]]] = {
    "limit": [
        *NO_OBJECTS,
        ({}, Limit()),
        ({"name": "turns", "value": 50.0, "unit": ""}, Limit("turns", 50, unit="")),
        ({"name": 5, "scope": {"name": 5}}, Limit(extra={"scope": {"name": 5}})),
    ],
    "location": [
        *NO_OBJECTS,
        ({}, Location()),
        ({"turn": 5.0, "pointer": "", "step": None}, Location(turn=5, pointer="", extra={"step": None})),
    ],
    "upstream": [
        *NO_OBJECTS,
        ({}, UpstreamInfo()),
        ({"status": 429.0, "code": "", "": 1}, UpstreamInfo(status=429, code="", extra={"": 1})),
    ],
}
TURNS: list[tuple[Any, Any]] = [
    (1, 1),
    (5.0, 5),
    (0, None),
    (0.0, None),
    (-1, None),
    (1.5, None),
    *NO_NUMBERS,
]
STATUSES: list[tuple[Any, Any]] = [
    (100, 100),
    (429, 429),
    (429.0, 429),
    (599, 599),
    (99, None),
    (600, None),
    (0, None),
    (-429, None),
    (429.5, None),
    ("429", None),
    *NO_NUMBERS,
]

READ: dict[str, list[tuple[Any, Any]]] = {
    "detail": TEXTS,
    "instance": TEXTS,
    "model_feedback": TEXTS,
    "retry_after": SECONDS,
    "attempts": COUNTS,
    "max_attempts": COUNTS,
    **OBJECTS,
    "limit.name": TEXTS,
    "limit.value": SIGNED,
    "limit.observed": SIGNED,
    "limit.unit": TEXTS,
    "location.run_id": TEXTS,
    "location.turn": TURNS,
    "location.tool_name": TEXTS,
    "location.tool_call_id": TEXTS,
    "location.pointer": TEXTS,
    "upstream.provider": TEXTS,
    "upstream.status": STATUSES,
    "upstream.code": TEXTS,
    "upstream.stop_reason": TEXTS,
    "upstream.message": TEXTS,
    "upstream.request_id": TEXTS,
    "upstream.task_state": TEXTS,
}
"""The value in the document, and what is read: for each member that has no default."""
READ_OR_DEFAULT = {"title": TEXTS, "origin": ORIGINS, "retryable": FLAGS, "model_recoverable": FLAGS}


def rows(table: dict[str, list[tuple[Any, Any]]]) -> list[Any]:
    return [
        pytest.param(name, value, read, id=f"{name}-{str(value)[:24]!r}-{type(value).__name__}-{number}")
        for name, cases in table.items()
        for number, (value, read) in enumerate(cases)
    ]


@pytest.mark.parametrize(("name", "value", "read"), rows(READ))
def test_what_is_read_of_a_member(name: str, value: Any, read: Any) -> None:
    """RFC-1, EM-10, EM-12, EM-13, EM-14, EM-15, EM-16: a wrong type is no value, and nothing is coerced."""
    member, _, part = name.partition(".")
    members: dict[str, Any] = {member: {part: value} if part else value}
    error = AgentError.from_problem(problem(**members))
    found = getattr(error, member)
    found = getattr(found, part) if part else found
    assert repr(found) == repr(read)  # which tells 50 from 50.0 and True from 1
    assert (member in error.stated) is (bool(part) or read is not None)


@pytest.mark.parametrize(("name", "value", "read"), rows(READ_OR_DEFAULT))
@pytest.mark.parametrize("cls", [ToolTimeout, LoopTimeout])  # with both flags, with neither
def test_what_is_read_of_a_member_that_has_a_default(
    cls: type[AgentError], name: str, value: Any, read: Any
) -> None:
    """RFC-1, EM-6, EM-7: a member of the wrong type is as good as absent, so that it has the default."""
    error = AgentError.from_problem(problem(cls.code, **{name: value}))
    told, expected = getattr(error, name), getattr(cls, name) if read is None else read
    assert (type(told), told) == (type(expected), expected)
    assert (name in error.stated) is (read is not None)


@pytest.mark.parametrize("name", ["limit", "location", "upstream"])
def test_a_nested_member_is_read_once(name: str) -> None:
    members: dict[str, Any] = {name: {"tray": 1}}
    error = AgentError.from_problem(problem(**members))
    assert getattr(error, name) is getattr(error, name)
    assert getattr(error, name).extra == {"tray": 1}


# Writing: what is left out


class Colour(StrEnum):
    RED = "red"


class Number(IntEnum):
    SEVEN = 7


LEFT_OUT: list[tuple[str, dict[str, Any]]] = [
    ("title", {"title": b"4711"}),
    ("detail", {"detail": b"4711"}),
    ("instance", {"instance": 4711}),
    ("origin", {"origin": "4711"}),
    ("retryable", {"retryable": "4711"}),
    ("model_recoverable", {"model_recoverable": 4711}),
    ("model_feedback", {"model_feedback": ["4711"]}),
    ("retry_after", {"retry_after": -4711}),
    ("retry_after", {"retry_after": "4711"}),
    ("attempts", {"attempts": 4711.5}),
    ("max_attempts", {"max_attempts": -4711}),
    ("limit", {"limit": "4711"}),
    ("limit.name", {"limit": Limit(4711)}),  # type: ignore[arg-type]
    ("limit.value", {"limit": Limit("cost", "4711")}),  # type: ignore[arg-type]
    ("limit.observed", {"limit": Limit("cost", 5, b"4711")}),  # type: ignore[arg-type]
    ("limit.unit", {"limit": Limit("cost", unit=4711)}),  # type: ignore[arg-type]
    ("limit.name", {"limit": {"name": 4711}}),
    ("limit", {"limit": Limit("cost", extra={"scope": {4711}})}),
    ("location", {"location": ["4711"]}),
    ("location.run_id", {"location": Location(run_id=4711)}),  # type: ignore[arg-type]
    ("location.turn", {"location": Location(turn=0)}),
    ("location.turn", {"location": {"turn": -4711}}),
    ("location.tool_name", {"location": Location(tool_name=b"4711")}),  # type: ignore[arg-type]
    ("location.tool_call_id", {"location": Location(tool_call_id=4711)}),  # type: ignore[arg-type]
    ("location.pointer", {"location": Location(pointer=["4711"])}),  # type: ignore[arg-type]
    ("upstream", {"upstream": 4711}),
    ("upstream.provider", {"upstream": UpstreamInfo(provider=4711)}),  # type: ignore[arg-type]
    ("upstream.status", {"upstream": UpstreamInfo(status=4711)}),
    ("upstream.code", {"upstream": UpstreamInfo(code=4711)}),  # type: ignore[arg-type]
    ("upstream.stop_reason", {"upstream": UpstreamInfo(stop_reason=4711)}),  # type: ignore[arg-type]
    ("upstream.message", {"upstream": UpstreamInfo(message=b"4711")}),  # type: ignore[arg-type]
    ("upstream.request_id", {"upstream": UpstreamInfo(request_id=4711)}),  # type: ignore[arg-type]
    ("upstream.task_state", {"upstream": UpstreamInfo(task_state=4711)}),  # type: ignore[arg-type]
    ("causes", {"causes": [OSError("4711")]}),
    ("causes", {"causes": "4711"}),
    ("causes", {"causes": 4711}),
    ("extensions", {"extensions": 4711}),
    ("tray", {"extensions": {"tray": {4711}}}),
    ("tray", {"extensions": {"tray": b"4711"}}),
    ("tray", {"extensions": {"tray": {4711: 1}}}),
    ("tray", {"extensions": {"tray": [{"deep": 4711j}]}}),
    ("tray", {"extensions": {"tray": NAN}}),
    ("tray", {"extensions": {"tray": [-INFINITY]}}),
    ("tray", {"extensions": {"tray": INTEGER + 1}}),
    ("tray", {"extensions": {"tray": "4711\ud800"}}),
    ("tray", {"extensions": {"tray": "4711" * CHARACTERS}}),
    ("status", {"extensions": {"status": 4711}}),
    ("no-name", {"extensions": {"no-name": 4711}}),
    ("7", {"extensions": {7: 4711}}),
]
"""The member that is named, and the arguments; the value is 4711."""
LEFT_OUT_IDS = [f"{member}-{number}" for number, (member, _) in enumerate(LEFT_OUT)]


@pytest.mark.parametrize(("member", "arguments"), LEFT_OUT, ids=LEFT_OUT_IDS)
def test_what_is_left_out_is_logged(
    member: str, arguments: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """RFC-7: the member is named, the value is not, since it may be confidential."""
    ToolTimeout(**arguments).to_problem()
    assert {record.name for record in caplog.records} == {"agent_errors"}
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    assert any(f": {member}: " in record.getMessage() for record in caplog.records)
    assert "4711" not in caplog.text


@pytest.mark.parametrize(("member", "arguments"), LEFT_OUT, ids=LEFT_OUT_IDS)
def test_what_is_left_out_is_refused_when_strict(member: str, arguments: dict[str, Any]) -> None:
    """RFC-7: for tests, so that nothing is lost without a word."""
    with pytest.raises(ValueError, match=f"^{member}: ") as caught:
        ToolTimeout(**arguments).to_problem(strict=True)
    assert "4711" not in str(caught.value)


def test_a_name_cannot_forge_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    ToolTimeout(extensions={"x\nERROR forged\x1b[2J": 1}).to_problem()
    (record,) = caplog.records
    assert record.getMessage().isprintable()
    assert "x\\nERROR forged\\x1b[2J" in record.getMessage()


@pytest.mark.parametrize("name", ["title", "origin"])
def test_what_every_error_tells_is_the_default_where_it_is_junk(name: str) -> None:
    """RFC-1: so that a consumer without the registry can decide."""
    junk: dict[str, Any] = {name: 4711}
    assert ToolTimeout(**junk).to_problem() == ToolTimeout().to_problem()


@pytest.mark.parametrize("name", ["retryable", "model_recoverable"])
@pytest.mark.parametrize("junk", [0, "false", "yes", 1])
def test_a_flag_that_is_none_promises_nothing(name: str, junk: Any) -> None:
    """EM-6, EM-7: the default of the class, which may be true, is not what was meant."""
    given: dict[str, Any] = {name: junk}
    assert ToolTimeout(**given).to_problem() == {**ToolTimeout().to_problem(), name: False}


def test_defaults_of_a_class_of_ones_own_are_checked_as_well() -> None:
    class Careless(ToolTimeout):
        title = 5  # type: ignore[assignment]
        retryable = "yes"  # type: ignore[assignment]
        origin = "nobody"  # type: ignore[assignment]

    assert Careless().to_problem() == {
        "type": TYPE,
        "title": "Agent Harness Error",
        "code": "tool.timeout",
        "retryable": False,
        "model_recoverable": True,
    }


def test_a_property_that_raises_is_no_value() -> None:
    class Failing(ToolTimeout):
        @property
        def title(self) -> str:  # type: ignore[override]
            raise ZeroDivisionError

        @property
        def model_feedback(self) -> str:  # type: ignore[override]
            raise ZeroDivisionError

    assert Failing("slow").to_problem() == {
        **ToolTimeout("slow").to_problem(),
        "title": "Agent Harness Error",
    }


WRITTEN: dict[str, tuple[dict[str, Any], Any]] = {
    "an integral float": ({"retry_after": 12.0}, {"retry_after": 12}),
    "a Decimal": ({"limit": Limit("cost", Decimal("5.25"))}, {"limit": {"name": "cost", "value": 5.25}}),  # type: ignore[arg-type]
    "an integral Decimal": ({"retry_after": Decimal(5)}, {"retry_after": 5}),
    "a Fraction": ({"retry_after": Fraction(1, 4)}, {"retry_after": 0.25}),
    "an IntEnum": ({"attempts": Number.SEVEN}, {"attempts": 7}),
    "a StrEnum": ({"model_feedback": Colour.RED}, {"model_feedback": "red"}),
    "a mapping as a limit": (
        {"limit": {"name": "turns", "scope": 1}},
        {"limit": {"name": "turns", "scope": 1}},
    ),
    "a read-only mapping": ({"location": MappingProxyType({"turn": 5})}, {"location": {"turn": 5}}),
    "a mapping of extensions": ({"extensions": MappingProxyType({"tray": 2})}, {"tray": 2}),
    "a tuple": ({"extensions": {"tray": (1, (2,))}}, {"tray": [1, [2]]}),
    "a nested mapping": ({"extensions": {"tray": [MappingProxyType({"a": 1})]}}, {"tray": [{"a": 1}]}),
    "a nested enum": ({"extensions": {"tray": {"colour": Colour.RED}}}, {"tray": {"colour": "red"}}),
    "a nested Decimal": ({"extensions": {"tray": [Decimal("0.5")]}}, {"tray": [0.5]}),
    "a value of ours": (
        {"extensions": {"budget": Limit("turns", 5)}},
        {"budget": {"name": "turns", "value": 5}},
    ),
    "a surrogate pair": ({"extensions": {"tray": "\ud83d\udcce"}}, {"tray": "📎"}),
    "empty values": ({"detail": "", "extensions": {"tray": []}}, {"detail": "", "tray": []}),
    "null": ({"extensions": {"tray": None}}, {"tray": None}),
    "one cause, bare": (
        {"causes": OutputEmpty()},
        {"causes": [OutputEmpty().to_problem()]},
    ),
    "causes from a generator": (
        {"causes": (cause for cause in [OutputEmpty()])},
        {"causes": [OutputEmpty().to_problem()]},
    ),
    "one mapping as a cause, bare": (
        {"causes": {"type": "about:blank"}},
        {"causes": [{"type": "about:blank"}]},
    ),
    "a part of the wrong type beside others": (
        {"limit": Limit("turns", -INFINITY, 51)},
        {"limit": {"name": "turns", "observed": 51}},
    ),
    "a name of the draft in extra": (
        {"limit": Limit("turns", extra={"name": "cost"})},
        {"limit": {"name": "turns"}},
    ),
    "an extra that is no mapping": ({"limit": Limit("turns", extra=5)}, {"limit": {"name": "turns"}}),  # type: ignore[arg-type]
    "an extension cut short": ({"extensions": {"tray": [1, NAN, {2}, 3]}}, {"tray": [1, 3]}),
}


@pytest.mark.parametrize(("arguments", "written"), WRITTEN.values(), ids=WRITTEN)
def test_values_are_written_as_json(arguments: dict[str, Any], written: dict[str, Any]) -> None:
    """RFC-7: what has a plain form is written in it."""
    document = ToolTimeout(**arguments).to_problem()
    expected = {**ToolTimeout().to_problem(), **written}
    assert document == expected
    assert json.dumps(document, sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_a_lone_surrogate_is_replaced() -> None:
    """RFC-7: on every level and in names, from both sides."""
    error = ToolTimeout("a\udc00b\ud800", extensions={"tray": {"\udfff": ["x\udbff"]}})
    document = strictly(error.to_json())
    assert document["detail"] == "a\ufffdb\ufffd"
    assert document["tray"] == {"\ufffd": ["x\ufffd"]}
    assert AgentError.from_problem(problem(detail="\ud800")).detail == "\ufffd"


# Junk: whatever an author gives, nothing of ours is raised


class Hostile:
    """Raises whatever it is asked."""

    def _refuse(self, *_: object) -> Any:
        raise ZeroDivisionError("hostile")

    __str__ = __repr__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = __getitem__ = _refuse
    __int__ = __float__ = __index__ = __contains__ = __getattr__ = __format__ = __lt__ = _refuse


class Nameless:
    """Raises even when it is asked for its class."""

    __class__ = property(Hostile._refuse)


class HostileText(str):
    __slots__ = ()
    __str__ = __repr__ = __eq__ = __len__ = __iter__ = __getitem__ = Hostile._refuse
    encode = isascii = Hostile._refuse  # type: ignore[assignment]
    __hash__ = str.__hash__


class HostileKey:
    """A key of a dictionary, but nothing else."""

    __str__ = __repr__ = __eq__ = Hostile._refuse
    __hash__ = object.__hash__


class HostileNumber(int):
    __int__ = __index__ = __eq__ = __lt__ = __abs__ = __float__ = __repr__ = Hostile._refuse
    __hash__ = int.__hash__


class HostileMapping(Mapping[Any, Any]):
    __getitem__ = __iter__ = __len__ = __contains__ = keys = items = get = Hostile._refuse


class HostileDict(dict[Any, Any]):
    __getitem__ = __iter__ = __len__ = items = keys = get = copy = Hostile._refuse


class HostileList(list[Any]):
    __iter__ = __len__ = __getitem__ = copy = Hostile._refuse


def recursive_list() -> list[Any]:
    value: list[Any] = [1]
    value.append(value)
    return value


def recursive_dict() -> dict[str, Any]:
    value: dict[str, Any] = {"a": 1}
    value["self"] = value
    return value


def failing_generator() -> Iterator[Any]:
    yield 1
    raise ZeroDivisionError


JUNK: dict[str, Callable[[], Any]] = {
    "object": object,
    "hostile": Hostile,
    "nameless": Nameless,
    "hostile text": lambda: HostileText("text"),
    "hostile number": lambda: HostileNumber(7),
    "hostile mapping": HostileMapping,
    "hostile dict": lambda: HostileDict({"a": 1}),
    "hostile list": lambda: HostileList([1]),
    "a class": lambda: Hostile,
    "NaN": lambda: NAN,
    "Infinity": lambda: -INFINITY,
    "a huge integer": lambda: 10**400,
    "a huge Decimal": lambda: Decimal("1e400"),
    "Decimal NaN": lambda: Decimal("sNaN"),
    "a complex number": lambda: 1j,
    "lone surrogates": lambda: "\ud800 \udc00x\udfff",
    "control characters": lambda: "\x00\x1b[31m\u2028\x7f",
    "bytes": lambda: b"\xff\x00",
    "a memoryview": lambda: memoryview(b"x"),
    "a set": lambda: {1, "a"},
    "integer keys": lambda: {1: "a", None: "b", ("c",): "d"},
    "hostile keys": lambda: {HostileKey(): 1},
    "nameless keys": lambda: {Nameless(): 1},
    "a recursive list": recursive_list,
    "a recursive dict": recursive_dict,
    "a generator": lambda: (number for number in range(3)),
    "a failing generator": failing_generator,
    "an endless iterator": itertools.count,
    "Decimal": lambda: Decimal("1.5"),
    "IntEnum": lambda: Number.SEVEN,
    "StrEnum": lambda: Colour.RED,
    "enum keys": lambda: {Colour.RED: Number.SEVEN},
    "a read-only mapping": lambda: MappingProxyType({"a": {1}}),
    "a tuple": lambda: (1, object()),
    "an exception": lambda: OSError("foreign"),
    "an error of ours": lambda: OutputEmpty("inner"),
    "a function": lambda: recursive_list,
    "true": lambda: True,
    "an empty string": lambda: "",
    "a limit": lambda: Limit(Hostile(), NAN, extra={"a": Hostile()}),  # type: ignore[arg-type]
    "a limit of nameless parts": lambda: Limit(Nameless(), extra=Nameless()),  # type: ignore[arg-type]
    "a location with a hostile extra": lambda: Location(extra=HostileMapping()),
}
ARGUMENTS = [
    "detail",
    "title",
    "origin",
    "retryable",
    "model_recoverable",
    "model_feedback",
    "retry_after",
    "attempts",
    "max_attempts",
    "limit",
    "location",
    "upstream",
    "causes",
    "instance",
    "extensions",
]
IN_ANOTHER: dict[str, Callable[[Any], dict[str, Any]]] = {
    "an extension": lambda junk: {"extensions": {"tray": junk}},
    "a list in an extension": lambda junk: {"extensions": {"tray": [1, junk, 2]}},
    "a dictionary in an extension": lambda junk: {"extensions": {"tray": {"a": junk}}},
    "limit.value": lambda junk: {"limit": Limit("cost", junk)},
    "limit.name": lambda junk: {"limit": Limit(junk)},
    "limit.extra": lambda junk: {"limit": Limit("cost", extra={"scope": junk})},
    "a mapping as a limit": lambda junk: {"limit": {"name": junk, "scope": junk}},
    "upstream.status": lambda junk: {"upstream": UpstreamInfo(status=junk)},
    "a cause": lambda junk: {"causes": [junk, OutputEmpty("kept")]},
    "a member of a cause": lambda junk: {"causes": [ToolTimeout(junk), OutputEmpty("kept")]},
    "a member of a cause of another type": lambda junk: {"causes": [{"type": junk}, OutputEmpty("kept")]},
    "a member of a received cause": lambda junk: {"causes": [problem(tray=junk), OutputEmpty("kept")]},
}


def check(error: AgentError) -> Any:
    """The document of an error, which is one whatever the error is."""
    for audience in ("peer", "public"):
        strictly(error.to_json(audience=audience))
    document = strictly(error.to_json())
    assert document == error.to_problem()
    assert is_problem(document)
    assert size(document) <= BYTES
    return document


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_junk_in_an_argument(argument: str, junk: str) -> None:
    """RFC-1, RFC-7: nothing is raised, and what is written is JSON in UTF-8."""
    document = check(ToolTimeout(**{argument: JUNK[junk]()}))
    assert document["code"] == "tool.timeout"
    assert {"type", "title", "origin", "retryable", "model_recoverable"} <= document.keys()


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("place", IN_ANOTHER)
def test_junk_inside_an_argument(place: str, junk: str) -> None:
    """RFC-1, RFC-7: what is beside it stays."""
    document = check(ToolTimeout("slow", **IN_ANOTHER[place](JUNK[junk]())))
    assert document["detail"] == "slow"
    if "cause" in place:
        assert document["causes"][-1]["detail"] == "kept"


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_junk_assigned_to_a_received_error(argument: str, junk: str) -> None:
    """RFC-1, RFC-7."""
    error = AgentError.from_problem(problem(tray=2, detail="slow"))
    setattr(error, argument, JUNK[junk]())
    check(error)


@pytest.mark.parametrize("junk", JUNK)
def test_junk_in_a_received_document(junk: str) -> None:
    """RFC-1: it is ignored member by member, and never leaves."""
    members = {argument: JUNK[junk]() for argument in ARGUMENTS}
    error = AgentError.from_problem(problem(**members, tray={"a": JUNK[junk]()}, nested=[JUNK[junk]()]))
    assert type(error) is ToolTimeout
    for argument in ARGUMENTS:
        getattr(error, argument)
    check(error)


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_no_harness_error_object(junk: str) -> None:
    assert is_problem(JUNK[junk]()) is False
    assert is_problem({"type": JUNK[junk](), "code": "tool.timeout"}) is False
    assert is_problem({"type": TYPE, "code": JUNK[junk]()}) is False


def test_a_mapping_that_fails_after_it_was_asked_is_no_harness_error_object() -> None:
    class Vanishing(Mapping[str, Any]):
        asked = 0

        def __getitem__(self, name: str) -> Any:
            return problem()[name]

        def __iter__(self) -> Iterator[str]:
            self.asked += 1
            if self.asked > 1:
                raise ZeroDivisionError
            return iter(problem())

        def __len__(self) -> int:
            return 2

    with suppress(NotAHarnessProblem):
        assert AgentError.from_problem(Vanishing()).code == "tool.timeout"


# Bounds: at each of them all is kept, one beyond it something is cut


def inside(document: Any) -> list[Any]:
    """The problem objects among the causes of a document."""
    return [cause for cause in document.get("causes", ()) if isinstance(cause, dict)]


def levels(document: Any) -> int:
    """How deep causes nest in a document."""
    return max((1 + levels(cause) for cause in inside(document)), default=0)


def count(document: Any) -> int:
    """How many causes a document has."""
    return len(document.get("causes", ())) + sum(count(cause) for cause in inside(document))


def details(document: Any) -> Iterator[str]:
    for cause in inside(document):
        yield cause.get("detail", "")
        yield from details(cause)


def innermost(document: Any) -> Any:
    """The problem object that the last cause at each step leads to."""
    while document.get("causes"):
        document = document["causes"][-1]
    return document


def chain(length: int, **members: Any) -> AgentError:
    """An error with ``length`` causes, one inside the other; the innermost says so."""
    error: AgentError = OutputEmpty("innermost", **members)
    for level in range(length - 1, -1, -1):
        error = ToolTimeout(f"level {level}", causes=[error])
    return error


def received_chain(length: int) -> dict[str, Any]:
    document = problem("output.empty", detail="innermost")
    for level in range(length - 1, -1, -1):
        document = problem(detail=f"level {level}", causes=[document])
    return document


def implied_chain(length: int) -> AgentError:
    """The same as ``raise … from …`` makes it, through foreign exceptions."""
    error: AgentError = OutputEmpty("innermost")
    for level in range(length - 1, -1, -1):
        foreign = OSError("foreign")
        foreign.__cause__ = error
        error = ToolTimeout(f"level {level}")
        error.__cause__ = foreign
    return error


def pair_of(value: Any) -> list[Any]:
    return [value, value]


def nested_list(depth: int, value: Any = 1, step: Callable[[Any], Any] = lambda value: [value]) -> Any:
    for _ in range(depth):
        value = step(value)
    return value


def depth_of(value: Any) -> int:
    depth = 0
    while isinstance(value, list) and value:
        depth, value = depth + 1, value[0]
    return depth + isinstance(value, list)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Generous, since machines differ: what is not bounded takes minutes, or all memory."""
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < seconds


@contextmanager
def few_frames_left(frames: int = 300) -> Iterator[None]:
    """As if the stack were deep already."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def test_64_levels_of_causes_are_kept() -> None:
    """CA-4."""
    error = chain(64)
    document = error.to_problem(strict=True)
    assert levels(document) == count(document) == 64
    assert innermost(document)["detail"] == "innermost"


def test_65_levels_of_causes_are_cut_in_the_middle() -> None:
    """CA-4: the innermost entry is kept."""
    error = chain(65)
    document = error.to_problem()
    assert levels(document) == 64
    assert document["detail"] == "level 0"
    assert innermost(document)["detail"] == "innermost"
    with pytest.raises(ValueError, match=r"^causes: .* deeper than 64 levels$"):
        error.to_problem(strict=True)


def test_64_levels_of_causes_are_read() -> None:
    """CA-4."""
    assert AgentError.from_problem(received_chain(64)).to_problem() == received_chain(64)


@pytest.mark.parametrize("length", [65, 66, 300])
def test_more_than_64_levels_are_read_up_to_the_innermost(length: int) -> None:
    """CA-4."""
    error = AgentError.from_problem(received_chain(length))
    document = error.to_problem(strict=True)
    assert levels(document) == 64
    assert innermost(document) == problem("output.empty", detail="innermost")


@pytest.mark.parametrize("name", ['"causes"', '"\\u0063auses"'])
def test_a_text_with_more_than_64_levels_is_read_up_to_the_innermost(name: str) -> None:
    """CA-4: however the name is written."""
    text = json.dumps(received_chain(100), separators=(",", ":")).replace('"causes"', name)
    error = AgentError.from_json(text)
    depth = 0
    while error.causes:
        depth, error = depth + 1, error.causes[-1]  # type: ignore[assignment]
    assert depth == 64
    assert error.detail == "innermost"


def wide(number: int) -> AgentError:
    return UpstreamAgentFailed("outer", causes=[OutputEmpty(str(index)) for index in range(number)])


def test_256_causes_are_kept() -> None:
    """CA-4."""
    document = wide(256).to_problem(strict=True)
    assert list(details(document)) == [str(index) for index in range(256)]


def test_257_causes_are_cut_in_the_middle() -> None:
    """CA-4: the last is kept."""
    document = wide(257).to_problem()
    assert list(details(document)) == [*(str(index) for index in range(255)), "256"]
    with pytest.raises(ValueError, match=r"^causes: more than 256"):
        wide(257).to_problem(strict=True)


def test_causes_are_counted_on_all_levels_together() -> None:
    """CA-4: the levels near the root first, and the innermost before all others."""
    rows_of_causes = [ToolTimeout(f"{row}", causes=wide(20).causes) for row in range(20)]
    document = UpstreamAgentFailed("outer", causes=rows_of_causes).to_problem()
    assert count(document) == 256
    assert [cause["detail"] for cause in document["causes"]] == [str(row) for row in range(20)]
    assert innermost(document)["detail"] == "19"


@pytest.mark.parametrize(("number", "kept"), [(256, 256), (257, 256), (1000, 256)])
def test_causes_are_read_up_to_256(number: int, kept: int) -> None:
    """CA-4: the middle goes."""
    causes = [problem(detail=str(index)) for index in range(number)]
    error = AgentError.from_problem(problem(causes=causes))
    assert len(error.causes) == kept
    assert error.to_problem()["causes"] == [*causes[:255], causes[-1]]


def test_65536_characters_are_kept() -> None:
    text = "é" * 65_536
    assert ToolTimeout(text).to_problem(strict=True)["detail"] == text
    assert AgentError.from_problem(problem(detail=text)).detail == text


@pytest.mark.parametrize("length", [65_537, 70_000, 10_000_000])
def test_more_characters_are_cut_in_the_middle(length: int) -> None:
    """Both ways alike."""
    text = f"beginning{'é' * (length - 12)}end"
    for detail in (
        ToolTimeout(text).to_problem()["detail"],
        AgentError.from_problem(problem(detail=text)).detail,
    ):
        assert detail is not None
        assert 65_000 < len(detail) <= 65_536
        assert detail.startswith("beginning")
        assert detail.endswith("end")


def test_a_text_that_is_cut_is_refused_when_strict() -> None:
    with pytest.raises(ValueError, match=r"^detail: longer than 65536 characters$"):
        ToolTimeout("é" * 65_537).to_problem(strict=True)


@pytest.mark.parametrize("place", ["tray", "a key"])
def test_strings_are_cut_on_every_level(place: str) -> None:
    text = "x" * 65_537
    error = ToolTimeout(extensions={"tray": [text] if place == "tray" else {text: 1}})
    (cut,) = error.to_problem()["tray"]  # type: ignore[typeddict-item]
    assert len(cut) <= 65_536


@pytest.mark.parametrize("number", [9_007_199_254_740_992, -9_007_199_254_740_992])
def test_integers_up_to_2_to_the_53_are_kept(number: int) -> None:
    error = ToolTimeout(extensions={"tray": number})
    assert error.to_problem(strict=True)["tray"] == number  # type: ignore[typeddict-item]
    assert AgentError.from_problem(problem(tray=number)).extensions == {"tray": number}


@pytest.mark.parametrize("number", [9_007_199_254_740_993, -9_007_199_254_740_993, 10**400])
def test_larger_integers_are_left_out(number: int) -> None:
    error = ToolTimeout(extensions={"tray": number, "copies": [1, number]})
    document = error.to_problem()
    assert "tray" not in document
    assert document["copies"] == [1]  # type: ignore[typeddict-item]
    assert AgentError.from_problem(problem(tray=number)).extensions == {}


@pytest.mark.parametrize(
    "step", [lambda value: [value], lambda value: {"a": value}], ids=["lists", "objects"]
)
def test_values_nested_64_levels_deep_are_kept(step: Callable[[Any], Any]) -> None:
    value = nested_list(64, step=step)
    assert ToolTimeout(extensions={"tray": value}).to_problem(strict=True)["tray"] == value  # type: ignore[typeddict-item]
    assert AgentError.from_problem(problem(tray=value)).extensions == {"tray": value}


def test_values_nested_deeper_are_cut() -> None:
    error = ToolTimeout(extensions={"tray": nested_list(65)})
    assert error.to_problem()["tray"] == nested_list(63, [])  # type: ignore[typeddict-item]
    assert AgentError.from_problem(problem(tray=nested_list(65))).extensions == {"tray": nested_list(63, [])}
    with pytest.raises(ValueError, match=r"^tray: nested deeper than 64 levels$"):
        error.to_problem(strict=True)


def document_of_size(number: int, **members: Any) -> dict[str, Any]:
    """A document of exactly so many bytes, in strings within their bound."""
    document = problem(**members, filler=["é" * 30_000] * 16, tail="")
    missing = number - size(document)
    document["tail"] = "x" * (missing % 60_000)
    document["filler"] += ["x" * (60_000 - 3)] * (missing // 60_000)
    assert size(document) == number
    return document


def test_a_document_of_one_mebibyte_is_kept() -> None:
    document = document_of_size(1_048_576)
    error = AgentError.from_problem(document)
    assert error.to_problem(strict=True) == document
    assert AgentError.from_json(json.dumps(document)).to_problem() == document


def test_a_document_of_one_byte_more_is_cut() -> None:
    document = document_of_size(1_048_577)
    error = AgentError.from_problem(document)
    assert size(error.to_problem()) <= 1_048_576
    assert error.to_problem()["tail"] == document["tail"]  # type: ignore[typeddict-item]
    assert AgentError.from_json(json.dumps(document)).to_problem() == error.to_problem()


def test_the_largest_member_of_a_document_that_is_too_large_goes_first() -> None:
    extensions = {"first": [LONGEST[:60_000]] * 8, "second": [LONGEST[:60_000]] * 12, "third": 3}
    error = ToolTimeout("slow", extensions=extensions)
    document = error.to_problem()
    assert document.keys() == {*ToolTimeout("slow").to_problem(), "first", "third"}
    with pytest.raises(ValueError, match=r"^second: a document is no longer than 1048576 bytes$"):
        error.to_problem(strict=True)


def test_of_a_document_with_one_large_member_the_type_and_the_code_stay() -> None:
    error = AgentError.from_problem(problem(tray=[LONGEST] * 17))
    assert error.to_problem() == problem()


def test_causes_go_before_members_of_the_root_and_the_innermost() -> None:
    """CA-4."""
    outer = {"tray": [LONGEST[:60_000]] * 8}
    middle = ToolTimeout("middle", causes=[OutputEmpty("innermost", extensions=outer)], extensions=outer)
    error = ToolTimeout("outer", causes=[middle], extensions=outer)
    document = error.to_problem()
    assert document["tray"] == document["causes"][0]["tray"] == outer["tray"]  # type: ignore[typeddict-item]
    assert list(details(document)) == ["innermost"]
    with pytest.raises(ValueError, match=r"^causes: a document is no longer than 1048576 bytes$"):
        error.to_problem(strict=True)


def test_the_size_is_counted_with_the_marks_between_causes() -> None:
    """CA-4: also where causes hold next to nothing."""
    document = problem(tray=[False] * 174_600, causes=[{} for _ in range(256)])
    document["tray"] += [False] * ((1_048_576 + 300 - size(document)) // 6)
    assert size(document) > 1_048_576
    assert size(AgentError.from_problem(document).to_problem()) <= 1_048_576


HUGE: dict[str, Callable[[], AgentError]] = {
    "10,000 levels": lambda: chain(10_000),
    "10,000 levels, implied": lambda: implied_chain(10_000),
    "100,000 causes": lambda: UpstreamAgentFailed(
        "level 0", causes=[*wide(100_000).causes, OutputEmpty("innermost")]
    ),
    "100,000 received causes": lambda: UpstreamAgentFailed(
        "level 0", causes=[problem()] * 100_000 + [OutputEmpty("innermost")]
    ),
    "10 MB of detail": lambda: UpstreamAgentFailed(
        "level 0 " + "é" * 10_000_000, causes=[OutputEmpty("innermost")]
    ),
    "10 MB of surrogates": lambda: UpstreamAgentFailed(
        "level 0 " + "\ud800" * 10_000_000, causes=[OutputEmpty("innermost")]
    ),
    "10 MB in the innermost": lambda: chain(3, extensions={"tray": [LONGEST[:60_000]] * 170}),
    "a dictionary of 5 MB": lambda: UpstreamAgentFailed(
        "level 0",
        extensions={"tray": ENTRIES},
        causes=[OutputEmpty("innermost")],
    ),
    "a dictionary of 5 MB in the innermost": lambda: chain(2, extensions={"tray": ENTRIES}),
    "a dictionary of 5 MB in the middle": lambda: UpstreamAgentFailed(
        "level 0",
        causes=[
            ToolTimeout(
                causes=[OutputEmpty("innermost")],
                extensions={"tray": ENTRIES},
            )
        ],
    ),
    "1,000,000 small values": lambda: UpstreamAgentFailed(
        "level 0", extensions={"tray": list(range(1_000_000))}, causes=[OutputEmpty("innermost")]
    ),
    "256 causes of 64 Ki characters": lambda: UpstreamAgentFailed(
        "level 0", causes=[ToolTimeout(LONGEST) for _ in range(255)] + [OutputEmpty("innermost")]
    ),
    "256 causes of 64 Ki wide characters": lambda: UpstreamAgentFailed(
        "level 0", causes=[ToolTimeout("📎" * 65_536) for _ in range(255)] + [OutputEmpty("innermost")]
    ),
    "64 levels of 64 Ki characters": lambda: UpstreamAgentFailed(
        "level 0",
        causes=[
            nested_list(62, OutputEmpty("innermost"), lambda error: ToolTimeout(LONGEST, causes=[error]))
        ],
    ),
    "1,000 strings of 64 Ki characters": lambda: UpstreamAgentFailed(
        "level 0",
        extensions={f"tray{number}": LONGEST for number in range(1_000)},
        causes=[OutputEmpty("innermost")],
    ),
}


@pytest.mark.parametrize("make", HUGE.values(), ids=HUGE)
def test_whatever_is_too_large_is_cut_and_the_innermost_stays(make: Callable[[], AgentError]) -> None:
    """CA-4: the root, the code and the innermost cause are kept, within the bounds and in time."""
    error = make()
    with within(10), few_frames_left():
        document = strictly(error.to_json())
    assert document["code"] == error.code
    assert document["detail"].startswith("level 0")
    assert innermost(document)["detail"] == "innermost"
    assert innermost(document)["code"] == "output.empty"
    assert size(document) <= BYTES
    assert levels(document) <= LEVELS
    assert count(document) <= CAUSES


def huge_document(name: str) -> dict[str, Any]:
    inner = problem("output.empty", detail="innermost")
    documents: dict[str, Callable[[], dict[str, Any]]] = {
        "10,000 levels": lambda: received_chain(10_000),
        "100,000 causes": lambda: problem(causes=[problem()] * 100_000 + [inner]),
        "100,000 wrong causes": lambda: problem(causes=["x"] * 100_000 + [inner]),
        "10 MB of detail": lambda: problem(detail="x" * 10_000_000, causes=[inner]),
        "a dictionary of 5 MB": lambda: problem(tray=ENTRIES, causes=[inner]),
        "a dictionary of 5 MB in a cause": lambda: problem(causes=[problem(tray=ENTRIES), inner]),
        "256 causes of 64 Ki": lambda: problem(causes=[problem(detail=LONGEST)] * 255 + [inner]),
        "10,000 levels of lists": lambda: problem(tray=nested_list(10_000), causes=[inner]),
        "wrong causes of 10 MB": lambda: problem(causes=[[LONGEST[:60_000]] * 170, inner]),
    }
    return documents[name]()


@pytest.mark.parametrize(
    "name",
    [
        "10,000 levels",
        "100,000 causes",
        "100,000 wrong causes",
        "10 MB of detail",
        "a dictionary of 5 MB",
        "a dictionary of 5 MB in a cause",
        "256 causes of 64 Ki",
        "10,000 levels of lists",
        "wrong causes of 10 MB",
    ],
)
def test_whatever_is_too_large_is_read_within_the_bounds(name: str) -> None:
    """CA-4: and written again as it was read."""
    received = huge_document(name)
    with within(10), few_frames_left():
        error = AgentError.from_problem(received)
        document = error.to_problem(strict=True)
    assert type(error) is ToolTimeout
    assert innermost(document) == problem("output.empty", detail="innermost")
    assert size(document) <= BYTES
    assert levels(document) <= LEVELS
    assert count(document) <= CAUSES


def test_what_is_too_large_does_not_take_with_it_what_is_beside_it() -> None:
    document = problem(tray=ENTRIES, location={"turn": 5}, copies=[2], causes=[problem("output.empty")])
    assert AgentError.from_problem(document).to_problem() == problem(
        location={"turn": 5}, copies=[2], causes=[problem("output.empty")]
    )


@pytest.mark.parametrize("depth", [20, 60, 10_000])
def test_shared_lists_that_explode_are_cut(depth: int) -> None:
    """Each level twice the one below, in no more memory than the bounds allow."""
    error = ToolTimeout("slow", extensions={"tray": nested_list(depth, step=pair_of)})
    with within(5), few_frames_left():
        document = strictly(error.to_json())
    assert size(document) <= BYTES
    assert document["detail"] == "slow"


def test_shared_causes_are_written_once_each() -> None:
    """CA-4: 2 to the 50th ways lead to the innermost."""
    row: list[AgentError] = [OutputEmpty("innermost")]
    for level in range(49, -1, -1):
        row = [ToolTimeout(f"{level} left", causes=row), ToolTimeout(f"{level} right", causes=row)]
    error = UpstreamAgentFailed("outer", causes=row)
    with within(5), few_frames_left():
        document = error.to_problem()
    sides = [f"{level} {side}" for level in range(50) for side in ("left", "right")]
    assert sorted(details(document)) == sorted([*sides, "innermost"])
    assert innermost(document)["detail"] == "innermost"


def test_shared_causes_of_a_received_document_are_bounded() -> None:
    """CA-4: JSON shares nothing, so that each is written wherever it is, up to 256."""
    cause = problem("output.empty", detail="innermost")
    document = nested_list(50, cause, lambda inner: problem(causes=[inner, inner]))
    with within(5), few_frames_left():
        copy = AgentError.from_problem(document).to_problem()
    assert count(copy) == 256
    assert innermost(copy) == cause


def cycle_by_causes() -> AgentError:
    outer, inner = ToolTimeout("outer"), OutputEmpty("inner")
    outer.causes, inner.causes = (inner,), (outer,)
    return outer


def cycle_by_cause() -> AgentError:
    outer, inner = ToolTimeout("outer"), OutputEmpty("inner")
    outer.__cause__, inner.__cause__ = inner, outer
    return outer


def cycle_through_a_group() -> AgentError:
    outer, inner = ToolTimeout("outer"), OutputEmpty("inner")
    group = ExceptionGroup("group", [inner, outer])
    outer.__cause__ = inner.__cause__ = group
    group.__cause__ = outer
    return outer


def cycle_in_itself() -> AgentError:
    outer = ToolTimeout("outer", causes=[OutputEmpty("inner")])
    outer.causes = (outer, *outer.causes, outer)
    return outer


@pytest.mark.parametrize(
    "make",
    [cycle_by_causes, cycle_by_cause, cycle_through_a_group, cycle_in_itself],
    ids=lambda make: make.__name__,
)
def test_cycles_end(make: Callable[[], AgentError]) -> None:
    """CA-4: each error is written once."""
    with few_frames_left():
        document = make().to_problem(strict=True)
    assert document["detail"] == "outer"
    assert list(details(document)) == ["inner"]


WAYS = st.sampled_from(["causes", "cause", "group"])
EDGES = st.lists(st.tuples(WAYS, st.lists(st.integers(0, 7), max_size=3)), min_size=8, max_size=8)
"""For each of eight errors, how it names which others as its causes."""


@given(EDGES)
def test_whatever_leads_to_an_error_it_is_written_once(edges: list[tuple[str, list[int]]]) -> None:
    """CA-4: in any tangle of causes, all that can be reached is there."""
    errors = [ToolTimeout(str(number)) for number in range(8)]
    for error, (way, others) in zip(errors, edges, strict=True):
        if way == "causes":
            error.causes = tuple(errors[other] for other in others)
        elif way == "group" and others:
            error.__cause__ = ExceptionGroup("group", [errors[other] for other in others])
        elif others:
            error.__cause__ = errors[others[0]]
    reached = [0]
    for number in reached:  # grows while it is walked
        way, others = edges[number]
        reached += [other for other in (others[:1] if way == "cause" else others) if other not in reached]
    document = check(errors[0])
    assert sorted(details(document)) == sorted(map(str, set(reached) - {0}))


def test_a_cyclic_mapping_ends() -> None:
    """CA-4: no JSON text has a cycle, but a mapping may."""
    document = problem(detail="outer")
    document["causes"] = [document]
    document["tray"] = document
    with few_frames_left():
        error = AgentError.from_problem(document)
        copy = strictly(error.to_json())
    assert copy["detail"] == "outer"
    assert levels(copy) <= LEVELS
    assert size(copy) <= BYTES


def test_a_code_that_no_document_could_hold_is_none() -> None:
    """EM-2: it is a string, and so no longer than any other."""
    code = f"x-acme.{'held' * 20_000}"
    with pytest.raises(TypeError, match="is no code"):
        AgentError(code=code)
    with pytest.raises(NotAHarnessProblem):
        AgentError.from_problem(problem(code))


def test_deep_documents_of_every_kind_need_few_frames() -> None:
    """CA-4: 64 levels of causes, and 64 of lists in the innermost."""
    error = chain(64, extensions={"tray": nested_list(64)})
    with few_frames_left():
        document = AgentError.from_problem(error.to_problem(strict=True)).to_problem(strict=True)
    assert depth_of(innermost(document)["tray"]) == 64


def test_a_text_nested_deeper_than_the_parser_goes_needs_few_frames() -> None:
    text = json.dumps(received_chain(64)).replace('"innermost"', "[" * 200_000 + "]" * 200_000)
    with few_frames_left(), pytest.raises(ValueError, match="that is not JSON"):
        AgentError.from_json(text)


@pytest.mark.parametrize("code", EVERY_CODE)
def test_root_and_code_stay_however_large_the_rest_is(code: str) -> None:
    error = AgentError.from_problem(problem(code))
    error.extensions = {f"tray{number}": LONGEST for number in range(40)}
    document = error.to_problem()
    assert (document["type"], document["code"]) == (TYPE, code)
    assert size(document) <= BYTES


def test_masking_comes_before_cutting() -> None:
    """SE-2: half a credential is one too."""
    token = "ghp_" + "1a2B3c4D5e6F" * 3
    for end in range(20, 60, 5):
        text = "x" * 32_700 + " " * end + token + " " + "x" * 40_000
        detail = ToolTimeout(text).to_problem()["detail"]
        assert "ghp_1a2B" not in detail
        assert "4D5e6F" not in detail
