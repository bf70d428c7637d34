"""The values that an error carries."""

from typing import get_args, get_type_hints

import attrs
import pytest

from agent_errors import PROBLEM_TYPE, PROBLEM_TYPES, Limit, Location, Origin, Problem, UpstreamInfo


def test_names_of_the_draft_come_first() -> None:
    """EM-14, EM-15, EM-16: the members that sections 4.9 to 4.11 define, then ours, then all others."""
    assert [field.name for field in attrs.fields(Limit)] == ["name", "value", "observed", "unit", "extra"]
    assert [field.name for field in attrs.fields(Location)] == [
        "run_id",
        "turn",
        "tool_name",
        "tool_call_id",
        "pointer",
        "extra",
    ]
    assert [field.name for field in attrs.fields(UpstreamInfo)] == [
        "provider",
        "status",
        "code",
        "stop_reason",
        "message",
        "request_id",
        "task_state",
        "extra",
    ]


def test_a_limit_reads_as_it_is_said() -> None:
    assert Limit("cost", 5, 5.02, "USD") == Limit(name="cost", value=5, observed=5.02, unit="USD")


@pytest.mark.parametrize("cls", [Location, UpstreamInfo])
def test_other_values_are_given_by_name(cls: type) -> None:
    with pytest.raises(TypeError):
        cls("run_8f2c")


@pytest.mark.parametrize("cls", [Limit, Location, UpstreamInfo])
def test_every_member_is_optional(cls: type) -> None:
    """EM-14, EM-15, EM-16: nothing is stated by default."""
    value = cls()
    assert attrs.asdict(value) == {**dict.fromkeys(attrs.asdict(value)), "extra": {}}


@pytest.mark.parametrize("value", [Limit("turns"), Location(turn=1), UpstreamInfo(status=429)])
def test_values_are_immutable(value: attrs.AttrsInstance) -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        value.extra = {}  # type: ignore[attr-defined]


@pytest.mark.parametrize("cls", [Limit, Location, UpstreamInfo])
def test_values_are_hashable_whatever_came_with_them(cls: type) -> None:
    assert hash(cls(extra={"nested": [1, {"deep": 2}]})) == hash(cls())


@pytest.mark.parametrize("cls", [Limit, Location, UpstreamInfo])
def test_values_are_equal_only_with_all_that_came_with_them(cls: type) -> None:
    assert cls(extra={"scope": "run"}) == cls(extra={"scope": "run"}) != cls()


def test_the_type_uris() -> None:
    """PT-6: the registered one and the one in use before registration."""
    assert PROBLEM_TYPE == "https://iana.org/assignments/http-problem-types#agent-harness-error"
    assert {PROBLEM_TYPE, "https://agenterrors.org/problems/harness-error"} == PROBLEM_TYPES


def test_origins() -> None:
    assert get_args(Origin) == ("model", "harness", "tool", "upstream", "user")


def test_a_problem_has_the_members_of_the_draft() -> None:
    """PT-1: section 4, and those of RFC 9457; only the type and the code are required."""
    assert set(get_type_hints(Problem)) == {
        "type",
        "title",
        "status",
        "detail",
        "instance",
        "code",
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
    }
    assert Problem.__required_keys__ == {"type", "code"}
