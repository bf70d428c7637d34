"""What users' classes, foreign objects and other parties do to errors: none of it raises, or takes long."""

import copy
import dataclasses
import json
import logging
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from multiprocessing import get_context
from typing import Any
from unittest.mock import Mock

import attrs
import pytest

from agent_errors import (
    PROBLEM_TYPE,
    AgentError,
    Limit,
    NotAHarnessProblem,
    ToolError,
    ToolTimeout,
    lookup,
)

MEBIBYTE = 1024 * 1024
KEY = "sk-proj-" + "a1B2c3D4" * 5


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < seconds


def pickled(error: AgentError) -> Any:
    return pickle.loads(pickle.dumps(error))  # noqa: S301


def refuse(*_: object) -> Any:
    raise ZeroDivisionError("hostile")


def size(document: Any) -> int:
    return len(json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode())


# Pickling


def nested(levels: int, wrap: Callable[[AgentError], AgentError]) -> AgentError:
    error: AgentError = ToolTimeout("innermost")
    for _ in range(levels):
        error = wrap(error)
    return error


def with_attribute(error: AgentError) -> AgentError:
    outer = ToolTimeout("outer")
    outer.__dict__["inner"] = error
    return outer


@pytest.mark.parametrize(
    "wrap",
    [
        lambda error: ToolTimeout("outer", causes=[error]),
        with_attribute,
        ToolTimeout,
    ],
    ids=["causes", "an attribute", "detail"],
)
@pytest.mark.parametrize("again", [pickled, copy.deepcopy])
def test_time_does_not_double_with_each_level(
    wrap: Callable[[AgentError], AgentError], again: Callable[[AgentError], AgentError]
) -> None:
    with within(2):
        assert type(again(nested(40, wrap))) is ToolTimeout


class DumpsOnly(Exception):
    """As of many SDKs: it can be pickled, but what comes out cannot be loaded."""

    def __init__(self, message: str, *, response: int) -> None:
        super().__init__(message)
        self.response = response


def fail_with_an_attribute() -> None:
    error = ToolTimeout("late")
    error.__dict__["original"] = DumpsOnly("late", response=504)
    raise error


def fail_with_it_as_detail() -> None:
    raise ToolTimeout(DumpsOnly("late", response=504))  # type: ignore[arg-type]


@pytest.mark.parametrize("fail", [fail_with_an_attribute, fail_with_it_as_detail])
def test_a_pool_survives_what_dumps_but_does_not_load(fail: Callable[[], None]) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        failure = pool.submit(fail).exception(timeout=30)
        assert type(failure) is ToolTimeout
        assert failure.detail == "late"
        assert pool.submit(abs, -1).result(timeout=30) == 1


def test_causes_of_a_local_class_with_a_mixin_arrive_as_its_nearest_base() -> None:
    class Local(ToolTimeout, Mixin):
        pass

    again = pickled(ToolTimeout("outer", causes=[Local("inner")]))
    assert [(type(cause), cause.detail) for cause in again.causes] == [(ToolTimeout, "inner")]


class Mixin:
    pass


class Demanding(ToolTimeout):
    def __new__(cls, detail: str, ticket: int) -> "Demanding":  # noqa: PYI034, RUF100
        error = super().__new__(cls, detail)
        error.ticket = ticket
        return error

    def __init__(self, detail: str, ticket: int) -> None:
        super().__init__(detail)
        self.ticket = ticket


def test_a_class_whose_new_has_required_arguments() -> None:
    for again in (pickled, copy.copy, copy.deepcopy):
        other = again(Demanding("late", ticket=7))
        assert (type(other), other.detail, other.ticket) == (Demanding, "late", 7)


@attrs.frozen(init=False)
class FrozenByAttrs(ToolTimeout):
    pass


@dataclasses.dataclass(frozen=True, init=False)
class FrozenDataclass(ToolTimeout):
    pass


@pytest.mark.parametrize("cls", [FrozenByAttrs, FrozenDataclass])
def test_frozen_classes_are_copied(cls: type[AgentError]) -> None:
    error = cls("late", causes=[ToolTimeout("inner")])
    for again in (pickled, copy.copy, copy.deepcopy):
        assert [str(cause) for cause in again(error).causes] == ["[tool.timeout] inner"]


# Bounds


@pytest.mark.parametrize("length", [70_000, 480_000])
@pytest.mark.parametrize("text", ["x", "token: ab c "])
def test_one_long_string_in_many_places(text: str, length: int) -> None:
    """CA-4 and its kin: a YAML alias costs its author nothing."""
    long = (text * length)[:length]
    with within(10):
        for extensions in ({"trays": [long] * 5_000}, {f"tray{number}": long for number in range(1_000)}):
            assert size(ToolTimeout(extensions=extensions).to_problem()) <= MEBIBYTE
            document = {"type": PROBLEM_TYPE, "code": "tool.timeout", **extensions}
            assert size(AgentError.from_problem(document).to_problem()) <= MEBIBYTE


def test_malformed_causes_that_are_too_long_are_left_out() -> None:
    """CA-4: they have no innermost that could stay."""
    document = {"type": PROBLEM_TYPE, "code": "tool.timeout", "causes": [["x" * 60_000] * 30], "tray": 1}
    expected = {"type": PROBLEM_TYPE, "code": "tool.timeout", "tray": 1}
    assert AgentError.from_problem(document).to_problem() == expected


class Unhashable(str):
    """A string that cannot be looked up."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]


def test_an_origin_that_cannot_be_looked_up() -> None:
    assert ToolTimeout(origin=Unhashable("model")).to_problem()["origin"] == "model"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "members",
    [
        {str(number).ljust(60_000, "x"): 1 for number in range(100)},
        {f"member{number}": 1 for number in range(200_000)},
        {"tray": [PROBLEM_TYPE] * 40_000},
        {"tray": [-1.2345678901234567e-300] * 43_000},
    ],
    ids=["long names", "many names", "known strings", "long numbers"],
)
def test_whatever_makes_a_document_long_is_counted(members: dict[str, Any]) -> None:
    error = AgentError.from_problem({"type": PROBLEM_TYPE, "code": "tool.timeout", **members})
    assert len(error.to_json().encode()) <= MEBIBYTE
    assert error.to_problem()["code"] == "tool.timeout"


# Foreign objects


class Names(StrEnum):
    TYPE = "type"
    CODE = "code"
    TITLE = "title"


def test_names_that_are_members_of_an_enumeration() -> None:
    document: dict[str, Any] = {
        Names.TYPE: PROBLEM_TYPE,
        Names.CODE: "tool.timeout",
        "tray": {Names.TITLE: 1},
    }
    expected = {"type": PROBLEM_TYPE, "code": "tool.timeout", "tray": {"title": 1}}
    again = AgentError.from_problem(document).to_problem()
    assert again == expected
    assert {type(name) for name in [*again, *again["tray"]]} == {str}  # type: ignore[typeddict-item]
    raised = ToolTimeout(extensions={"tray": {Names.TITLE: 1}}).to_problem()
    assert raised["tray"] == {"title": 1}  # type: ignore[typeddict-item]


class Forged(str):
    """A name that passes for another."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other == "tray"

    def __hash__(self) -> int:
        return hash("tray")


def test_a_name_that_passes_for_another_is_what_it_is_written_as() -> None:
    document = ToolTimeout(extensions={Forged("code"): "harness.cancelled"}).to_problem()
    assert document["code"] == "tool.timeout"


class Quota(Limit):
    """A subclass of a user's."""


class Unreadable(Limit):
    def __getattribute__(self, name: str) -> Any:
        return refuse() if name == "name" else super().__getattribute__(name)


def test_subclasses_of_nested_members() -> None:
    assert ToolTimeout(limit=Quota("turns", 5)).to_problem()["limit"] == {"name": "turns", "value": 5}
    assert ToolTimeout(limit=Unreadable(value=5)).to_problem()["limit"] == {"value": 5}
    assert "limit" not in ToolTimeout(limit=Mock(spec=Limit)).to_problem()


class HostileKey:
    def __eq__(self, other: object) -> bool:
        return bool(refuse())

    def __hash__(self) -> int:
        return hash("code")


def test_keys_that_raise_when_they_are_compared() -> None:
    with pytest.raises(NotAHarnessProblem):
        AgentError.from_problem({HostileKey(): 1})  # type: ignore[dict-item]
    document = json.loads(ToolTimeout(extensions={"tray": {HostileKey(): 1, "size": 4}}).to_json())
    assert document["tray"] == {"size": 4}


@pytest.mark.parametrize("value", [object(), 10**5000, KEY, b"x" * 10**6, [[[]]]], ids=type)
def test_messages_about_what_was_given_are_short_and_hold_no_credential(value: object) -> None:
    """SE-2: a value in the place of another is often a key."""
    for attempt in (
        lambda: AgentError.from_problem({"type": value}),
        lambda: AgentError(code=value),  # type: ignore[arg-type]
        lambda: setattr(ToolTimeout(), "code", value),
    ):
        with pytest.raises((NotAHarnessProblem, TypeError)) as caught:
            attempt()
        assert len(str(caught.value)) < 300
        assert "a1B2c3D4" not in str(caught.value)


# Users' classes


class Odd(ToolTimeout):
    """Whatever a class can have in the place of a member."""

    title = property(refuse)
    detail = property(refuse)
    causes = property(refuse)
    extensions = None  # type: ignore[assignment]
    model_feedback = property(refuse)
    default_feedback = property(refuse)
    provenance = property(refuse)


def test_members_that_a_class_replaces() -> None:
    error = Odd("late")
    assert str(error) == "[tool.timeout] Agent Harness Error"
    assert repr(error) == "Odd(None)"
    assert error.to_feedback() == AgentError.default_feedback
    assert json.loads(error.to_json())["code"] == "tool.timeout"
    assert type(pickled(error)) is Odd


class RaisingName(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return str(refuse())


def test_a_class_that_does_not_tell_its_name() -> None:
    class Nameless(ToolTimeout, metaclass=RaisingName):
        pass

    assert repr(Nameless("late")) == "Nameless('late')"


def test_a_class_that_no_detail_alone_can_make_is_read_as_its_base() -> None:
    class Grouped(ToolError, ExceptionGroup[Exception]):
        code = "tool.grouped"

    error = AgentError.from_problem({"type": PROBLEM_TYPE, "code": "tool.grouped", "detail": "both"})
    assert (type(error), error.code, error.detail) == (ToolError, "tool.grouped", "both")


def test_a_class_that_another_has_replaced_does_not_come_back() -> None:
    def define() -> type[AgentError]:
        class Rerun(AgentError):
            code = "x-rerun.cell"

        return Rerun

    first, second = define(), define()
    assert lookup("x-rerun.unknown") is AgentError
    assert lookup("x-rerun.cell") is second
    assert first is not second


def test_a_category_that_raises_when_it_is_compared_breaks_no_lookup() -> None:
    with pytest.raises(TypeError):

        class Broken(AgentError):
            category = HostileKey()  # type: ignore[assignment]

    assert lookup("x-acme.unknown_to_all") is AgentError


def test_a_title_of_ones_own_is_masked_like_any_other_text() -> None:
    """SE-2."""

    class Careless(AgentError):
        code = "x-careless.title"
        title = f"Failed With {KEY}"

    assert "a1B2c3D4" not in Careless().to_json()


# Logging


def test_a_handler_that_raises_hides_no_error() -> None:
    handler = logging.Handler()
    handler.emit = refuse  # type: ignore[method-assign, assignment]
    logger = logging.getLogger("agent_errors")
    logger.addHandler(handler)
    try:
        assert json.loads(ToolTimeout(retry_after=-1).to_json())["code"] == "tool.timeout"
    finally:
        logger.removeHandler(handler)


def test_a_handler_that_writes_the_error_ends() -> None:
    error = ToolTimeout(retry_after=-1, attempts=-1)
    written: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda _: written.append(error.to_json())  # type: ignore[method-assign, assignment]
    logger = logging.getLogger("agent_errors")
    logger.addHandler(handler)
    try:
        error.to_problem()
    finally:
        logger.removeHandler(handler)
    assert len(written) == 2


def test_many_values_of_one_kind_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    ToolTimeout(extensions={"trays": [float("nan")] * 1_000}).to_problem()
    assert len(caplog.records) == 1
