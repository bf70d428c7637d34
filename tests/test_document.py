"""Documents: what is read from one, what is written, who is shown what, and that nothing is lost between."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from every_error import EVERY_CODE, bare, full
from hypothesis import given
from hypothesis import strategies as st
from test_registry import TABLE_2

import agent_errors
from agent_errors import (
    AgentError,
    Limit,
    Location,
    LoopMaxTurnsExceeded,
    LoopTimeout,
    NotAHarnessProblem,
    OutputEmpty,
    OutputInvalidToolArguments,
    OutputMalformed,
    OutputRetriesExhausted,
    OutputSchemaViolation,
    PolicyContentFiltered,
    ToolError,
    ToolExecutionFailed,
    ToolTimeout,
    UpstreamAgentFailed,
    UpstreamError,
    UpstreamInfo,
    UpstreamOverloaded,
    UpstreamRateLimited,
    is_problem,
    lookup,
)

TYPE = "https://iana.org/assignments/http-problem-types#agent-harness-error"
OLD_TYPE = "https://agenterrors.org/problems/harness-error"
OUT_OF_STOCK = {"type": "https://example.com/problems/out-of-stock", "title": "Out Of Stock", "stock": [0]}

DATA = Path(__file__).parent / "data"
DRAFT = {path.stem: json.loads(path.read_text("utf-8")) for path in DATA.glob("*.json")}


def problem(code: str = "tool.timeout", **members: Any) -> dict[str, Any]:
    return {"type": TYPE, "code": code, **members}


def text_of(document: object) -> str:
    """The JSON text: unlike ``==`` it tells 1 from True and 1.0, and shows the order of keys."""
    return json.dumps(document)


def strictly(text: str) -> Any:
    """What a strict parser reads: one that knows neither NaN nor Infinity, from UTF-8."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text.encode("utf-8"), parse_constant=refuse)


def nested(problems: list[dict[str, Any]]) -> dict[str, Any]:
    """One problem object that has the next one as its only cause, and so on."""
    outer, *inner = problems
    return {**outer, "causes": [nested(inner)]} if inner else outer


# The draft's documents


def test_the_documents_of_the_draft_are_there() -> None:
    assert DRAFT.keys() == {"section_9", "appendix_mcp", "appendix_a2a"}


@pytest.mark.parametrize("document", DRAFT.values(), ids=DRAFT)
def test_documents_of_the_draft_come_back_as_they_were(document: dict[str, Any]) -> None:
    assert text_of(AgentError.from_problem(document).to_problem()) == text_of(document)
    assert text_of(strictly(AgentError.from_json(text_of(document)).to_json())) == text_of(document)


def test_the_document_of_section_9() -> None:
    error = AgentError.from_problem(DRAFT["section_9"])
    assert type(error) is OutputRetriesExhausted
    assert error.detail == "Structured output failed validation after 3 attempts."
    assert (error.attempts, error.max_attempts) == (3, 3)
    assert error.location == Location(run_id="run_8f2c", turn=5)
    assert error.stated == {
        "title",
        "detail",
        "code",
        "origin",
        "retryable",
        "model_recoverable",
        "attempts",
        "max_attempts",
        "location",
        "causes",
    }


def test_the_cause_in_the_document_of_section_9() -> None:
    """EM-6: it does not say whether it is retryable."""
    error = AgentError.from_problem(DRAFT["section_9"])
    cause = error.__cause__
    assert type(cause) is OutputSchemaViolation
    assert cause.model_feedback == "Field 'price' must be a number, got string."
    assert cause.location == Location(turn=5, pointer="/items/0/price")
    assert cause.retryable is False
    assert "retryable" not in cause.stated


def test_the_document_in_the_example_of_mcp() -> None:
    error = AgentError.from_problem(DRAFT["appendix_mcp"])
    assert type(error) is OutputInvalidToolArguments
    assert error.model_feedback == "Argument 'date' must be YYYY-MM-DD, got '11/04'."
    assert error.location == Location(tool_name="book_meeting", pointer="/date")


def test_the_document_in_the_example_of_a2a() -> None:
    error = AgentError.from_problem(DRAFT["appendix_a2a"])
    assert type(error) is LoopMaxTurnsExceeded
    assert error.limit == Limit("turns", 50, 50)


@pytest.mark.parametrize("document", DRAFT.values(), ids=DRAFT)
def test_a_received_object_is_wrapped_as_it_came(document: dict[str, Any]) -> None:
    """CA-3: neither rewritten nor completed; by the draft's last sentence as upstream.agent_failed."""
    outer = UpstreamAgentFailed("the booking agent failed", causes=[AgentError.from_problem(document)])
    assert text_of(outer.to_problem()["causes"]) == text_of([document])


def test_a_received_object_keeps_what_nobody_knows_through_several_agents() -> None:
    """CA-3, EM-1: each harness wraps the object, and the outermost consumer sees the original."""
    original = problem("x-acme.out_of_paper", tray=2, retryable="no", origin=None)
    first = UpstreamAgentFailed("printing failed", causes=[AgentError.from_problem(original)])
    second = UpstreamAgentFailed("the report failed", causes=[AgentError.from_json(first.to_json())])
    received = AgentError.from_json(second.to_json())
    assert text_of(received.to_problem()["causes"][0]["causes"]) == text_of([original])
    assert received.causes[0].causes[0].code == "x-acme.out_of_paper"  # type: ignore[union-attr]


# What is a harness error object

NO_PROBLEM: dict[str, Any] = {
    "null": None,
    "true": True,
    "a number": 7,
    "a string": "boom",
    "bytes": b"{}",
    "an empty array": [],
    "an array of one": [problem()],
    "pairs": list(problem().items()),
    "an empty object": {},
    "no type": {"code": "tool.timeout"},
    "another type": {"type": "https://example.com/problems/out-of-stock", "code": "tool.timeout"},
    "about:blank": {"type": "about:blank", "code": "tool.timeout"},
    "a relative type": {
        "type": "/assignments/http-problem-types#agent-harness-error",
        "code": "tool.timeout",
    },
    "a fragment as type": {"type": "#agent-harness-error", "code": "tool.timeout"},
    "http, not https": {"type": TYPE.replace("https", "http"), "code": "tool.timeout"},
    "a type in capitals": {"type": TYPE.upper(), "code": "tool.timeout"},
    "a type in an array": {"type": [TYPE], "code": "tool.timeout"},
    "a type that is an object": {"type": {"uri": TYPE}, "code": "tool.timeout"},
    "no code": {"type": TYPE, "title": "Tool Timeout"},
    "null as code": problem(None),  # type: ignore[arg-type]
    "a number as code": problem(504),  # type: ignore[arg-type]
    "an array as code": problem(["tool.timeout"]),  # type: ignore[arg-type]
    "an empty code": problem(""),
    "a code without a category": problem("timeout"),
    "a code without a name": problem("tool."),
    "a code of three parts": problem("tool.timeout.read"),
    "a code in capitals": problem("Tool.Timeout"),
    "a code with a hyphen": problem("tool.time-out"),
    "a category with a hyphen": problem("tool-box.timeout"),
    "a code with a blank": problem("tool.timeout "),
    "a code with a line end": problem("tool.timeout\n"),
    "a code in other digits": problem("tool.time٣"),
    "a private code without a vendor": problem("x-.held"),
    "a problem in detail": {"detail": problem()},
}


@pytest.mark.parametrize("value", NO_PROBLEM.values(), ids=NO_PROBLEM)
def test_what_is_no_harness_error_object(value: Any) -> None:
    assert is_problem(value) is False
    with pytest.raises(NotAHarnessProblem, match="no harness error object"):
        AgentError.from_problem(value)


PROBLEM = {
    "the registered type": problem(),
    "the old type": {"type": OLD_TYPE, "code": "tool.timeout"},
    "a new code": problem("tool.brand_new"),
    "a new category": problem("memory.full"),
    "digits and underscores": problem("4_u.2_go"),
    "a private code": problem("x-acme_2-eu.quota_held"),
    "nothing else usable": problem(title=1, detail=[], retryable="yes", causes={}, limit="turns"),
    "read-only": MappingProxyType(problem()),
}


@pytest.mark.parametrize("value", PROBLEM.values(), ids=PROBLEM)
def test_what_is_a_harness_error_object(value: Mapping[str, Any]) -> None:
    assert is_problem(value) is True
    assert AgentError.from_problem(value).code == value["code"]


def test_no_harness_error_object_is_a_value_error() -> None:
    assert issubclass(NotAHarnessProblem, ValueError)


# The two type URIs


@pytest.mark.parametrize("code", EVERY_CODE)
def test_the_registered_type_is_written(code: str) -> None:
    """PT-5: we have no need of the pre-registration URI."""
    assert bare(code).to_problem()["type"] == TYPE


@pytest.mark.parametrize("document", DRAFT.values(), ids=DRAFT)
def test_both_types_are_equivalent(document: dict[str, Any]) -> None:
    """PT-6: what is read does not depend on the URI."""
    old = AgentError.from_problem({**document, "type": OLD_TYPE})
    new = AgentError.from_problem(document)
    assert type(old) is type(new)
    assert old.stated == new.stated
    assert {name: getattr(old, name) for name in old.stated - {"causes"}} == {
        name: getattr(new, name) for name in new.stated - {"causes"}
    }


def test_both_types_are_equivalent_among_causes() -> None:
    """PT-6, CA-1: a cause with the other URI is a harness error as well."""
    error = AgentError.from_problem(problem(causes=[{"type": OLD_TYPE, "code": "output.empty"}]))
    assert type(error.causes[0]) is OutputEmpty


def test_the_old_type_comes_back_as_it_was() -> None:
    """PT-7: it is accepted for ever, and an object that is passed on is not rewritten."""
    document = {"type": OLD_TYPE, "code": "tool.timeout"}
    assert AgentError.from_problem(document).to_problem() == document


# Reading


@pytest.mark.parametrize("code", EVERY_CODE)
def test_a_document_is_read_as_the_class_of_its_code(code: str) -> None:
    error = OutputEmpty.from_problem(problem(code))
    assert type(error) is type(bare(code))
    assert error.provenance == "received"
    assert error.stated == {"code"}


@pytest.mark.parametrize(("code", "title", "origin", "retryable", "model_recoverable"), TABLE_2)
def test_absent_members_have_the_registered_defaults(
    code: str,
    title: str,
    origin: str,
    retryable: bool,  # noqa: FBT001
    model_recoverable: bool,  # noqa: FBT001
) -> None:
    """EM-6, EM-7: of both flags, and of title and origin."""
    error = AgentError.from_problem(problem(code))
    assert (error.title, error.origin) == (title, origin)
    assert error.retryable is retryable
    assert error.model_recoverable is model_recoverable


@pytest.mark.parametrize("code", EVERY_CODE)
def test_received_flags_win_over_the_defaults(code: str) -> None:
    """EM-6, EM-7: the default is for an absent member only."""
    cls = lookup(code)
    error = AgentError.from_problem(
        problem(code, retryable=not cls.retryable, model_recoverable=not cls.model_recoverable)
    )
    assert error.retryable is not cls.retryable
    assert error.model_recoverable is not cls.model_recoverable


def test_unknown_members_are_ignored_and_carried() -> None:
    """EM-1: whatever they are called, and whatever they are."""
    unknown: dict[str, Any] = {
        "retryAfter": 5,
        "": None,
        "ab": [1, {"c": 2.5}],
        "é": "x",
        "Code": "a.b",
        "status_": False,
    }
    error = AgentError.from_problem(problem(**unknown))
    assert error.extensions == unknown
    assert error.retry_after is None
    assert text_of(error.to_problem()) == text_of(problem(**unknown))


def test_upstream_decides_nothing() -> None:
    """EM-17: neither the class nor a flag depends on it."""
    error = AgentError.from_problem(
        problem(upstream={"status": 429, "code": "rate_limit", "retryable": False, "retry_after": 5})
    )
    assert type(error) is ToolTimeout
    assert error.retryable is True
    assert error.retry_after is None


def test_nested_members_keep_what_is_not_theirs() -> None:
    """EM-1, EM-14, EM-15, EM-16: in ``extra``, and written back."""
    document = problem(
        limit={"scope": "run", "name": "turns"},
        location={"turn": 0, "step": 2},
        upstream={"vendor_flags": ["a"], "status": 429},
    )
    error = AgentError.from_problem(document)
    assert error.limit == Limit("turns", extra={"scope": "run"})
    assert error.location == Location(extra={"step": 2})
    assert error.upstream == UpstreamInfo(status=429, extra={"vendor_flags": ["a"]})
    assert text_of(error.to_problem()) == text_of(document)


def test_only_usable_members_are_stated() -> None:
    """RFC-1: one of the wrong type is as good as absent."""
    error = AgentError.from_problem(
        problem(title="Slow", detail=5, retryable=1, attempts=2.0, limit=[], causes="none", upstream={})
    )
    assert error.stated == {"code", "title", "attempts", "upstream"}


def test_null_is_no_value_of_any_member() -> None:
    """RFC-1: null is a value of the wrong type."""
    names = ["title", "detail", "instance", "origin", "retryable", "model_recoverable", "model_feedback"]
    names += ["retry_after", "attempts", "max_attempts", "limit", "location", "upstream", "causes"]
    members: dict[str, Any] = dict.fromkeys(names)
    document = problem(**members)
    error = AgentError.from_problem(document)
    assert error.stated == {"code"}
    assert error.causes == ()
    assert text_of(error.to_problem()) == text_of(document)


def test_a_mapping_that_is_no_dict_is_read_as_one() -> None:
    document = problem(detail="slow", causes=[problem("output.empty")], limit={"name": "turns"})
    frozen = {**document, "causes": (MappingProxyType(problem("output.empty")),)}
    error = AgentError.from_problem(MappingProxyType(frozen))
    assert error.to_problem() == document
    assert type(error.__cause__) is OutputEmpty


# A document comes back as it was


CHARACTERS = 'abz é📎\n\x00"\\/'
NAMES = st.sampled_from(["x_vendor", "taskid", "a", "", "é", "Retryable", "retry-after", "cause"])
"""None that is the draft's, and none that could hold a credential."""
TEXTS = st.text(CHARACTERS, max_size=5)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(-1e15, 1e15)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda parts: st.lists(parts, max_size=2) | st.dictionaries(NAMES, parts, max_size=2),
    max_leaves=4,
)
"""Any JSON value: what a member of the wrong type is, or one that nobody knows."""
ORIGINS = st.sampled_from(["model", "harness", "tool", "upstream", "user", "nobody"])
CODES = st.sampled_from([*EVERY_CODE, "tool.brand_new", "memory.full", "x-acme.out_of_paper"])
JUNK_CODES = st.sampled_from(["", "Tool.Timeout", "timeout", "tool.timeout\n"])


def parts(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A nested member: its own members, each right or wrong, among others; or no object at all."""
    known = st.fixed_dictionaries({}, optional={name: right | VALUES for name, right in members.items()})
    others = st.dictionaries(NAMES, VALUES, max_size=2)
    return st.builds(lambda extra, own: {**extra, **own}, others, known) | VALUES


MEMBERS: dict[str, st.SearchStrategy[Any]] = {
    "title": TEXTS,
    "detail": TEXTS,
    "instance": TEXTS,
    "status": NUMBERS,
    "origin": ORIGINS,
    "retryable": st.booleans(),
    "model_recoverable": st.booleans(),
    "model_feedback": TEXTS,
    "retry_after": NUMBERS,
    "attempts": NUMBERS,
    "max_attempts": NUMBERS,
    "limit": parts(name=TEXTS, value=NUMBERS, observed=NUMBERS, unit=TEXTS),
    "location": parts(run_id=TEXTS, turn=NUMBERS, tool_name=TEXTS, tool_call_id=TEXTS, pointer=TEXTS),
    "upstream": parts(provider=TEXTS, status=NUMBERS, code=TEXTS, message=TEXTS, task_state=TEXTS),
    "x_vendor": VALUES,
    "ab": VALUES,
}


def objects(types: list[str], codes: st.SearchStrategy[str], levels: int) -> st.SearchStrategy[Any]:
    """Problem objects with any members, in any order, each of the right or of a wrong type."""
    optional = {name: right | VALUES for name, right in MEMBERS.items()}
    if levels:
        cause = objects(TYPES, CODES, levels - 1) | objects(OTHER_TYPES, JUNK_CODES, levels - 1)
        optional["causes"] = st.lists(cause | VALUES, max_size=3) | VALUES
    required = {"type": st.sampled_from(types), "code": codes}
    members = st.fixed_dictionaries(required, optional=optional)
    return st.builds(_shuffled, members, st.randoms(use_true_random=False))


def _shuffled(members: dict[str, Any], random: Random) -> dict[str, Any]:
    return dict(random.sample(list(members.items()), len(members)))


TYPES = [TYPE, OLD_TYPE]
OTHER_TYPES = [TYPE, "about:blank", "https://example.com/problems/out-of-stock"]
DOCUMENTS = objects(TYPES, CODES, 2)


@given(DOCUMENTS)
def test_a_document_comes_back_as_it_was(document: dict[str, Any]) -> None:
    """EM-1, RFC-1: unknown members and unusable values included, key order included."""
    assert text_of(AgentError.from_problem(document).to_problem(strict=True)) == text_of(document)


@given(DOCUMENTS)
def test_a_json_text_comes_back_as_it_was(document: dict[str, Any]) -> None:
    """RFC-7: and what is written is JSON, in UTF-8."""
    error = AgentError.from_json(text_of(document))
    assert text_of(strictly(error.to_json())) == text_of(document)
    assert text_of(error.to_problem()) == text_of(document)


@given(DOCUMENTS)
def test_a_read_is_no_assignment(document: dict[str, Any]) -> None:
    error = AgentError.from_problem(document)
    read_all(error)
    assert text_of(error.to_problem()) == text_of(document)


def read_all(error: AgentError) -> None:
    for name in [*MEMBERS, "code", "causes", "extensions", "stated", "category", "http_status"]:
        getattr(error, name, None)
    for show in (str, repr, AgentError.to_feedback, AgentError.to_json):
        show(error)
    for cause in error.causes:
        if isinstance(cause, AgentError):
            read_all(cause)


def test_any_float_comes_back_as_it_was() -> None:
    """RFC-7: the bound of integers is for those that a parser would round."""
    document = problem(avogadro=6.02214076e23, planck=6.62607015e-34, whole=50.0, zero=-0.0)
    assert text_of(AgentError.from_problem(document).to_problem(strict=True)) == text_of(document)


def test_shared_parts_come_back_as_if_they_were_not() -> None:
    shared: dict[str, Any] = {"type": TYPE, "code": "output.empty", "limit": {"name": "turns"}}
    document = problem(first=shared, second=[shared, shared], limit=shared["limit"], causes=[shared, shared])
    copy = json.loads(text_of(document))
    assert text_of(AgentError.from_problem(document).to_problem()) == text_of(copy)


def test_a_mapping_that_is_made_anew_whenever_it_is_asked_comes_back_once() -> None:
    class Fresh(Mapping[str, Any]):
        def __getitem__(self, name: str) -> Any:
            return json.loads(text_of(document))[name]

        def __iter__(self) -> Iterator[str]:
            return iter(document)

        def __len__(self) -> int:
            return len(document)

    document = problem(causes=[problem("output.empty"), problem("output.malformed")])
    assert AgentError.from_problem(Fresh()).to_problem() == document


# Assignments to a received error

ASSIGNMENTS: list[tuple[str, Any, Any]] = [
    ("title", "Slow", "Slow"),
    ("detail", "slow", "slow"),
    ("detail", "", ""),
    ("instance", "/runs/1", "/runs/1"),
    ("code", "tool.not_available", "tool.not_available"),
    ("origin", "user", "user"),
    ("retryable", True, True),
    ("retryable", False, False),
    ("model_recoverable", True, True),
    ("model_recoverable", False, False),
    ("model_feedback", "Ask for less.", "Ask for less."),
    ("retry_after", 0, 0),
    ("retry_after", 2.5, 2.5),
    ("attempts", 3, 3),
    ("max_attempts", 4, 4),
    ("limit", Limit("turns", 50, extra={"scope": "run"}), {"name": "turns", "value": 50, "scope": "run"}),
    ("limit", Limit(), {}),
    ("location", Location(turn=5, pointer=""), {"turn": 5, "pointer": ""}),
    ("upstream", UpstreamInfo(status=429, message="busy"), {"status": 429, "message": "busy"}),
    ("causes", [AgentError.from_problem(problem(tray=2)), OUT_OF_STOCK], [problem(tray=2), OUT_OF_STOCK]),
]
"""The member, what is assigned, what is written."""

OLD_VALUES: dict[str, dict[str, Any]] = {
    "title": {"usable": "Old", "unusable": 1},
    "detail": {"usable": "old", "unusable": ["old"]},
    "instance": {"usable": "/runs/0", "unusable": {}},
    "code": {"usable": "tool.timeout"},
    "origin": {"usable": "model", "unusable": "nobody"},
    "retryable": {"usable": True, "unusable": "false"},
    "model_recoverable": {"usable": False, "unusable": 0},
    "model_feedback": {"usable": "Old.", "unusable": False},
    "retry_after": {"usable": 7, "unusable": -1},
    "attempts": {"usable": 1, "unusable": True},
    "max_attempts": {"usable": 9, "unusable": 1.5},
    "limit": {"usable": {"name": "cost"}, "unusable": "cost"},
    "location": {"usable": {"turn": 1, "step": 2}, "unusable": [1]},
    "upstream": {"usable": {"status": 503}, "unusable": 503},
    "causes": {"usable": [problem("output.empty")], "unusable": {"0": problem("output.empty")}},
}


def receive(name: str, old: str) -> tuple[AgentError, dict[str, Any]]:
    """An error whose document has a value for ``name``, or none, between those of others."""
    document = {"type": TYPE, "tray": 2, name: OLD_VALUES[name].get(old), "code": "tool.timeout", "": None}
    if name == "code":
        document[name] = "tool.timeout"
    elif old == "absent":
        del document[name]
    return AgentError.from_problem(document), document


@pytest.mark.parametrize("old", ["usable", "unusable", "absent"])
@pytest.mark.parametrize(("name", "value", "written"), ASSIGNMENTS)
def test_exactly_an_assigned_member_differs(name: str, value: Any, written: Any, old: str) -> None:
    """RFC-1: also where the old value was of the wrong type; in its old place, else last."""
    error, document = receive(name, old)
    setattr(error, name, value)
    assert text_of(error.to_problem(strict=True)) == text_of({**document, name: written})


@pytest.mark.parametrize("old", ["usable", "unusable", "absent"])
@pytest.mark.parametrize("name", OLD_VALUES.keys() - {"code"})
def test_assigning_none_makes_exactly_one_member_absent(name: str, old: str) -> None:
    error, document = receive(name, old)
    setattr(error, name, None)
    document.pop(name, None)
    assert text_of(error.to_problem(strict=True)) == text_of(document)
    assert name not in error.stated


@pytest.mark.parametrize(("name", "value", "written"), ASSIGNMENTS)
def test_an_assigned_member_can_be_made_absent_again(name: str, value: Any, written: Any) -> None:
    error, document = receive(name, "absent")
    setattr(error, name, value)
    assert error.to_problem()[name] == written  # type: ignore[literal-required]
    setattr(error, name, None if name != "code" else "tool.timeout")
    assert text_of(error.to_problem()) == text_of(document)


@pytest.mark.parametrize(("name", "value", "written"), ASSIGNMENTS)
def test_an_assigned_member_is_read_and_stated(name: str, value: Any, written: Any) -> None:
    error, _ = receive(name, "unusable")
    setattr(error, name, value)
    assert getattr(error, name) == (tuple(value) if name == "causes" else value)
    assert name in error.stated
    assert written == error.to_problem()[name]  # type: ignore[literal-required]


@given(DOCUMENTS, st.sampled_from(ASSIGNMENTS))
def test_an_assignment_changes_exactly_one_member_of_any_document(
    document: dict[str, Any], assignment: tuple[str, Any, Any]
) -> None:
    name, value, written = assignment
    error = AgentError.from_problem(document)
    setattr(error, name, value)
    assert text_of(error.to_problem()) == text_of({**document, name: written})


@given(DOCUMENTS, st.sampled_from(sorted(OLD_VALUES.keys() - {"code"})))
def test_none_removes_exactly_one_member_of_any_document(document: dict[str, Any], name: str) -> None:
    error = AgentError.from_problem(document)
    read_all(error)
    setattr(error, name, None)
    assert text_of(error.to_problem()) == text_of({key: document[key] for key in document if key != name})


def test_assigned_extensions_replace_all_that_were_there() -> None:
    """EM-1: what stays keeps its place, and the draft's members stay as they are."""
    error = AgentError.from_problem(problem(tray=2, ab=1, detail="slow", paper="A4"))
    error.extensions = {"copies": 3, "paper": {"size": "A5"}, "ab": 1}
    assert text_of(error.to_problem()) == text_of(
        problem(ab=1, detail="slow", paper={"size": "A5"}, copies=3)
    )
    assert error.extensions == {"copies": 3, "paper": {"size": "A5"}, "ab": 1}


@pytest.mark.parametrize("nothing", [None, {}])
def test_extensions_can_be_made_absent(nothing: Any) -> None:
    error = AgentError.from_problem(problem(tray=2, detail="slow", status=504))
    error.extensions = nothing
    assert text_of(error.to_problem()) == text_of(problem(detail="slow", status=504))
    assert error.extensions == {}


def test_an_extension_may_be_null() -> None:
    error = AgentError.from_problem(problem())
    error.extensions = {"tray": None}
    assert text_of(error.to_problem()) == text_of(problem(tray=None))


def test_an_assigned_value_that_cannot_be_expressed_is_left_out() -> None:
    error = AgentError.from_problem(problem(retry_after=7))
    error.retry_after = -1
    assert text_of(error.to_problem()) == text_of(problem())


@pytest.mark.parametrize("name", ["detail", "status", "type"])
def test_no_extension_of_a_received_error_takes_the_place_of_a_member(name: str) -> None:
    error = AgentError.from_problem(problem(status=504))
    error.extensions = {name: "taken", "tray": 2}
    assert text_of(error.to_problem()) == text_of(problem(status=504, tray=2))
    with pytest.raises(ValueError, match=f"^{name}: "):
        error.to_problem(strict=True)


def test_an_assignment_inside_a_cause_is_not_written_by_the_outer_error() -> None:
    """CA-3: a received object is not rewritten."""
    document = problem(causes=[problem("output.empty")])
    error = AgentError.from_problem(document)
    assert isinstance(error.causes[0], AgentError)
    error.causes[0].detail = "rewritten"
    assert text_of(error.to_problem()) == text_of(document)
    assert error.causes[0].to_problem()["detail"] == "rewritten"


def test_an_assignment_shows_in_one_error_and_not_in_its_copy() -> None:
    document = problem(detail="slow")
    first = AgentError.from_problem(document)
    second = AgentError.from_problem(first.to_problem())
    second.detail = "slower"
    assert first.to_problem() == document


# Nothing is shared


def spoil(value: Any) -> None:
    """Change every list and dictionary in a value, down to the last."""
    if isinstance(value, dict):
        for part in list(value.values()):
            spoil(part)
        value.clear()
        value["spoilt"] = True
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value[:] = ["spoilt"]


@given(DOCUMENTS)
def test_nothing_is_shared_with_the_callers_mapping(document: dict[str, Any]) -> None:
    before = text_of(document)
    error = AgentError.from_problem(document)
    spoil(document)
    assert text_of(error.to_problem()) == before


@given(DOCUMENTS)
def test_nothing_is_shared_with_the_returned_mapping(document: dict[str, Any]) -> None:
    error = AgentError.from_problem(document)
    spoil(error.to_problem())
    assert text_of(error.to_problem()) == text_of(document)


@pytest.mark.parametrize("code", EVERY_CODE)
def test_nothing_of_a_raised_error_is_shared_with_the_returned_mapping(code: str) -> None:
    error = full(code)
    before = text_of(error.to_problem())
    spoil(error.to_problem())
    assert text_of(error.to_problem()) == before


def test_nothing_is_shared_with_a_mapping_given_as_a_cause() -> None:
    cause = {"type": "https://example.com/problems/out-of-stock", "stock": [0]}
    error = ToolExecutionFailed("no stock", causes=[cause])
    before = text_of(error.to_problem())
    spoil(cause)
    assert text_of(error.to_problem()) == before


def test_reading_changes_nothing_in_the_callers_mapping() -> None:
    document = problem(limit={"name": "turns", "scope": "run"}, causes=[problem("output.empty"), 5])
    before = text_of(document)
    error = AgentError.from_problem(document)
    read_all(error)
    error.limit = error.detail = None
    error.causes = ()
    error.to_problem()
    assert text_of(document) == before


# Raised errors describe themselves in full


@pytest.mark.parametrize(("code", "title", "origin", "retryable", "model_recoverable"), TABLE_2)
def test_a_raised_error_describes_itself_in_full(
    code: str,
    title: str,
    origin: str,
    retryable: bool,  # noqa: FBT001
    model_recoverable: bool,  # noqa: FBT001
) -> None:
    """PT-5, HT-3: so that a consumer without the registry can decide; and without a status."""
    error = bare(code)
    assert text_of(error.to_problem(strict=True)) == text_of(
        {
            "type": TYPE,
            "title": title,
            "detail": error.detail,
            "code": code,
            "origin": origin,
            "retryable": retryable,
            "model_recoverable": model_recoverable,
        }
    )


def test_every_member_of_a_raised_error_is_written() -> None:
    """EM-10, EM-12, EM-13, EM-14, EM-15, EM-16, CA-1: as the draft names them, in its order."""
    assert text_of(full("tool.timeout").to_problem(strict=True)) == text_of(
        {
            "type": TYPE,
            "title": "Another Title",
            "detail": "'search' did not answer within 30 s",
            "instance": "https://example.com/runs/8f2c#5",
            "code": "tool.timeout",
            "origin": "user",
            "retryable": False,
            "model_recoverable": False,
            "model_feedback": "Field 'price' must be a number, got string.",
            "retry_after": 2.5,
            "attempts": 3,
            "max_attempts": 4,
            "limit": {"name": "cost", "value": 5, "observed": 5.02, "unit": "USD", "scope": "run"},
            "location": {
                "run_id": "run_8f2c",
                "turn": 5,
                "tool_name": "book_meeting",
                "tool_call_id": "call_17",
                "pointer": "/items/0/price",
                "step": 2,
            },
            "upstream": {
                "provider": "mcp",
                "status": 429,
                "code": "-32603",
                "stop_reason": "error",
                "message": "Internal error",
                "request_id": "req_011",
                "task_state": "failed",
                "vendor_flags": ["a", None, {"b": 1.5}],
            },
            "run_owner": "team-7",
            "labels": {"eval": [1, 2, {"deep": None}]},
            "causes": [
                {
                    "type": TYPE,
                    "title": "Malformed Output",
                    "detail": "not JSON",
                    "code": "output.malformed",
                    "origin": "model",
                    "retryable": False,
                    "model_recoverable": True,
                    "attempts": 2,
                },
                {
                    "type": "https://example.com/problems/out-of-stock",
                    "title": "Out Of Stock",
                    "stock": 0,
                },
                {
                    "type": TYPE,
                    "title": "Output Truncated",
                    "detail": "cut off",
                    "code": "output.truncated",
                    "origin": "model",
                    "retryable": False,
                    "model_recoverable": False,
                    "causes": [
                        {
                            "type": TYPE,
                            "title": "Upstream Overloaded",
                            "code": "upstream.overloaded",
                            "origin": "upstream",
                            "retryable": True,
                            "model_recoverable": False,
                            "retry_after": 1,
                        }
                    ],
                },
            ],
        }
    )


@pytest.mark.parametrize("code", EVERY_CODE)
def test_a_full_error_is_written_without_a_word(code: str, caplog: pytest.LogCaptureFixture) -> None:
    error = full(code)
    assert error.to_problem() == error.to_problem(strict=True) == strictly(error.to_json())
    assert not caplog.records


@pytest.mark.parametrize("code", EVERY_CODE)
def test_a_raised_error_is_read_as_it_was_written(code: str) -> None:
    document = full(code).to_problem()
    copy = AgentError.from_problem(document)
    assert type(copy) is type(full(code))
    assert copy.provenance == "received"
    assert text_of(copy.to_problem()) == text_of(document)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (AgentError(code="x-acme.out_of_paper"), "x-acme.out_of_paper"),
        (AgentError(code="memory.full"), "memory.full"),
        (ToolError(code="tool.brand_new"), "tool.brand_new"),
    ],
)
def test_an_error_without_a_class_of_its_own_describes_itself_in_full(error: AgentError, code: str) -> None:
    """PT-2: with the title of the problem type, no origin, and neither flag."""
    assert text_of(error.to_problem(strict=True)) == text_of(
        {
            "type": TYPE,
            "title": "Agent Harness Error",
            "code": code,
            "retryable": False,
            "model_recoverable": False,
        }
    )


def test_a_received_error_is_not_completed() -> None:
    """CA-3: what is absent stays absent."""
    error = AgentError.from_problem(problem())
    assert error.title == "Tool Timeout"
    assert text_of(error.to_problem()) == text_of(problem())


def test_no_status_is_written() -> None:
    """HT-3: not even on request."""
    error = ToolTimeout("slow", extensions={"status": 504})
    assert "status" not in error.to_problem()
    with pytest.raises(ValueError, match=r"^status: "):
        error.to_problem(strict=True)


def test_a_status_that_came_with_a_document_stays() -> None:
    """HT-3, CA-3: it is the sender's, and is not rewritten."""
    assert AgentError.from_problem(problem(status=504)).to_problem() == problem(status=504)


def test_nothing_of_the_inside_is_written() -> None:
    """RFC-5: no traceback, no note, no foreign exception, no attribute of one's own."""

    class Inside(ToolTimeout):
        connection = "socket 7"

    error = Inside("slow")
    error.add_note("the note")
    error.session = "session 8"  # type: ignore[attr-defined]
    assert raise_from(error, OSError("host 10.0.0.9")).__traceback__ is not None
    assert error.to_problem() == ToolTimeout("slow").to_problem()


DEFINED = ["type", "title", "status", "detail", "instance"]
DEFINED += ["code", "origin", "retryable", "model_recoverable", "model_feedback", "retry_after", "attempts"]
DEFINED += ["max_attempts", "limit", "location", "upstream", "causes"]


@pytest.mark.parametrize("name", ["abc", "x_vendor", "Retry_After", "a12", "retryAfter"])
def test_names_that_extensions_can_have(name: str) -> None:
    """RFC-4: letters, digits and underscores, three or more, the first a letter."""
    assert ToolTimeout(extensions={name: 1}).to_problem(strict=True)[name] == 1  # type: ignore[literal-required]


@pytest.mark.parametrize(
    "name",
    ["", "ab", "1abc", "_abc", "retry-after", "x.vendor", "naïve", "abc\n", "a b c", "abc٣", *DEFINED],
)
def test_names_that_extensions_cannot_have(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """RFC-4: those of the draft and of RFC 9457 neither; left out and logged."""
    error = ToolTimeout("slow", extensions={name: "taken"})
    assert text_of(error.to_problem()) == text_of(ToolTimeout("slow").to_problem())
    assert len(caplog.records) == 1
    with pytest.raises(ValueError, match="3 or more letters, digits and underscores"):
        error.to_problem(strict=True)


def test_keys_that_are_strings_of_a_class_of_their_own() -> None:
    class Name(str):
        __slots__ = ()

    extended = ToolTimeout(extensions={Name("tray"): {Name("size"): 4}})
    assert strictly(extended.to_json())["tray"] == {"size": 4}
    received = AgentError.from_problem({Name(key): value for key, value in problem(tray=2).items()})
    assert received.to_problem() == problem(tray=2)


# JSON texts


@pytest.mark.parametrize(
    "data",
    [
        text_of(problem(detail="né 📎")),
        json.dumps(problem(detail="né 📎"), ensure_ascii=False),
        json.dumps(problem(detail="né 📎"), ensure_ascii=False).encode(),
        "\ufeff" + text_of(problem(detail="né 📎")),
        b"\xef\xbb\xbf" + text_of(problem(detail="né 📎")).encode(),
        " \r\n\t" + json.dumps(problem(detail="né 📎"), indent=2) + "\n",
    ],
    ids=["escapes", "text", "bytes", "text with a mark", "bytes with a mark", "indented"],
)
def test_text_and_bytes_are_read(data: str | bytes) -> None:
    """RFC-7: UTF-8; a byte order mark is ignored."""
    assert AgentError.from_json(data).to_problem() == problem(detail="né 📎")


NO_JSON: dict[str, Any] = {
    "nothing": "",
    "a blank": " ",
    "half": text_of(problem())[:-1],
    "two": text_of(problem()) * 2,
    "Python": str(problem()),
    "no UTF-8": b'{"detail": "\xff"}',
    "UTF-16": text_of(problem()).encode("utf-16"),
    "too deep for the parser": '{"tray":' + "[" * 100_000 + "]" * 100_000 + "}",
    "no text": 5,
    "null": None,
}


@pytest.mark.parametrize("data", NO_JSON.values(), ids=NO_JSON)
def test_what_is_not_json_is_no_harness_error_object(data: Any) -> None:
    with pytest.raises(NotAHarnessProblem, match="no harness error object: that is not JSON"):
        AgentError.from_json(data)


@pytest.mark.parametrize("data", ["null", "true", "7", '"boom"', "[]", "{}", '{"type": "about:blank"}'])
def test_other_json_is_no_harness_error_object(data: str) -> None:
    with pytest.raises(NotAHarnessProblem, match=r"^no harness error object: "):
        AgentError.from_json(data)


def test_the_parser_can_be_given() -> None:
    given_texts = []

    def loads(text: str) -> Any:
        given_texts.append(text)
        return problem(detail="from elsewhere")

    assert AgentError.from_json(b"\xef\xbb\xbfanything", loads=loads).detail == "from elsewhere"
    assert given_texts == ["anything"]


def test_whatever_the_parser_raises_it_is_not_json() -> None:
    def loads(_: str) -> Any:
        raise ZeroDivisionError

    with pytest.raises(NotAHarnessProblem) as caught:
        AgentError.from_json("{}", loads=loads)
    assert type(caught.value.__cause__) is ZeroDivisionError


def test_constants_that_are_not_json_do_not_leave_again() -> None:
    """RFC-7: Python's parser takes NaN and Infinity."""
    data = f'{{"type": "{TYPE}", "code": "tool.timeout", "retry_after": NaN, "tray": [-Infinity, 2]}}'
    error = AgentError.from_json(data)
    assert error.retry_after is None
    assert strictly(error.to_json()) == problem(tray=[2])


@pytest.mark.parametrize("code", EVERY_CODE)
def test_the_text_is_that_of_the_mapping(code: str) -> None:
    """RFC-7: compact, and nothing is escaped that need not be."""
    error = full(code)
    error.detail = "né 📎\n"
    text = error.to_json()
    assert text == json.dumps(error.to_problem(), ensure_ascii=False, separators=(",", ":"))
    assert "né 📎\\n" in text


# Causes


def raise_from(error: AgentError, cause: BaseException) -> AgentError:
    """What ``raise error from cause`` makes of ``error``."""
    try:
        raise error from cause
    except AgentError as caught:
        return caught


def details_of(error: AgentError) -> list[str | None]:
    assert all(isinstance(cause, AgentError) for cause in error.causes)
    return [cause.detail for cause in error.causes]  # type: ignore[union-attr]


def written_details(error: AgentError) -> list[str]:
    return [cause["detail"] for cause in error.to_problem().get("causes", [])]


def test_a_cause_is_implied_by_raise_from() -> None:
    """CA-1: the error that ``from`` names, with its own inside."""
    inner = raise_from(OutputMalformed("inner"), UpstreamOverloaded("innermost"))
    outer = raise_from(OutputRetriesExhausted("outer"), inner)
    assert outer.causes == (inner,)
    assert inner.causes == (inner.__cause__,)
    document = outer.to_problem()
    assert document["causes"] == [inner.to_problem()]
    assert document["causes"][0]["causes"][0]["detail"] == "innermost"


def test_the_context_is_no_cause() -> None:
    """CA-1: what an error was raised while handling did not cause it."""
    error = ToolTimeout("raised")
    error.__context__ = OutputMalformed("handled")
    assert error.causes == ()
    assert "causes" not in error.to_problem()


def test_the_context_of_a_foreign_exception_is_no_cause() -> None:
    """CA-1: nor of a group, or of what is in it."""
    foreign, group = ValueError("foreign"), ExceptionGroup("group", [OSError("inside")])
    group.exceptions[0].__context__ = group.__context__ = OutputMalformed("handled")
    foreign.__context__, foreign.__cause__ = OutputEmpty("handled"), group
    error = raise_from(ToolTimeout("outer"), foreign)
    assert error.causes == ()
    assert "causes" not in error.to_problem()


def test_a_foreign_exception_is_passed_through_and_never_written() -> None:
    """RFC-5, CA-1: behind it may be an error of ours; what it says is not for others."""
    foreign = ValueError("password of the database")
    foreign.__cause__ = KeyError("another")
    foreign.__cause__.__cause__ = OutputMalformed("behind")
    error = raise_from(ToolExecutionFailed("outer"), foreign)
    assert details_of(error) == ["behind"]
    assert "database" not in error.to_json()


def test_a_foreign_exception_alone_is_no_cause() -> None:
    """RFC-5."""
    error = raise_from(ToolExecutionFailed("outer"), ValueError("password of the database"))
    assert error.causes == ()
    assert "causes" not in error.to_problem()


def test_the_nearest_in_a_group_are_the_causes_in_its_order() -> None:
    """CA-1: through groups in groups, each error once and with its own inside."""
    foreign = ValueError("foreign")
    foreign.__cause__ = OutputEmpty("second")
    first = raise_from(OutputMalformed("first"), UpstreamOverloaded("inside the first"))
    group = ExceptionGroup(
        "several", [first, ExceptionGroup("inner", [foreign, ToolTimeout("third"), first]), OSError("lost")]
    )
    error = raise_from(OutputRetriesExhausted("outer"), group)
    assert details_of(error) == written_details(error) == ["first", "second", "third"]
    assert error.to_problem()["causes"][0]["causes"][0]["detail"] == "inside the first"


def test_a_group_that_no_except_clause_should_catch_is_passed_through_as_well() -> None:
    group = BaseExceptionGroup("cancelled", [KeyboardInterrupt(), OutputEmpty("inside")])
    assert details_of(raise_from(ToolTimeout("outer"), group)) == ["inside"]


def test_a_cause_of_a_group_is_a_cause() -> None:
    group = ExceptionGroup("several", [OutputEmpty("inside")])
    group.__cause__ = OutputMalformed("behind")
    assert details_of(raise_from(ToolTimeout("outer"), group)) == ["inside", "behind"]


def test_explicit_causes_win() -> None:
    """CA-1."""
    error = raise_from(ToolTimeout("outer", causes=[OutputEmpty("given")]), OutputMalformed("implied"))
    assert details_of(error) == written_details(error) == ["given"]


def test_causes_made_absent_are_implied_again() -> None:
    error = raise_from(ToolTimeout("outer", causes=[OutputEmpty("given")]), OutputMalformed("implied"))
    error.causes = ()
    assert details_of(error) == ["implied"]


def test_implied_causes_follow_the_chain_as_it_is_now() -> None:
    error = ToolTimeout("outer")
    assert error.causes == ()
    error.__cause__ = OutputEmpty("later")
    assert details_of(error) == ["later"]


def test_a_chain_that_ends_in_itself_ends() -> None:
    """CA-1."""
    error, other = ToolTimeout("outer"), ValueError("foreign")
    error.__cause__ = other
    other.__cause__ = error
    assert error.causes == ()
    assert "causes" not in error.to_problem()


def test_a_cause_may_be_of_another_problem_type() -> None:
    """CA-1: it is written as it was given, and read as a mapping."""
    error = ToolExecutionFailed("no stock", causes=[OUT_OF_STOCK, OutputEmpty("inner")])
    copy = AgentError.from_problem(error.to_problem())
    assert error.causes[0] == copy.causes[0] == OUT_OF_STOCK
    assert error.to_problem()["causes"][0] == OUT_OF_STOCK
    assert type(copy.__cause__) is type(copy.causes[1]) is OutputEmpty


def test_a_harness_error_object_given_as_a_cause_is_an_error() -> None:
    """CA-1, CA-3: and is written as it came."""
    received = problem("output.empty", tray=2)
    error = UpstreamAgentFailed("no paper", causes=[received])
    assert type(error.causes[0]) is OutputEmpty
    assert text_of(error.to_problem()["causes"]) == text_of([received])


@pytest.mark.parametrize("causes", [["text"], "text", b"bytes", [1, None, [OUT_OF_STOCK]], [ValueError("x")]])
def test_a_raised_error_has_no_causes_that_are_no_problem_objects(causes: Any) -> None:
    """CA-1: an array of problem details objects."""
    error = ToolTimeout("slow", causes=causes)
    assert text_of(error.to_problem()) == text_of(ToolTimeout("slow").to_problem())


def test_junk_among_received_causes_is_ignored_and_carried() -> None:
    """RFC-1, CA-1, CA-3."""
    causes = ["text", None, 5, [problem()], {}, OUT_OF_STOCK, problem(""), problem("output.empty")]
    error = AgentError.from_problem(problem(causes=causes))
    assert error.causes[:-1] == ({}, OUT_OF_STOCK, problem(""))
    assert error.causes[-1] is error.__cause__
    assert text_of(error.to_problem()) == text_of(problem(causes=causes))


@pytest.mark.parametrize("causes", [{"0": problem()}, "text", 5, True, None])
def test_causes_that_are_no_array_are_ignored_and_carried(causes: Any) -> None:
    """RFC-1."""
    error = AgentError.from_problem(problem(causes=causes))
    assert error.causes == ()
    assert error.__cause__ is None
    assert text_of(error.to_problem()) == text_of(problem(causes=causes))


def test_causes_of_causes_are_read() -> None:
    """CA-1: also below one that is not the first."""
    second = nested([problem("output.malformed"), problem("upstream.overloaded", retry_after=1)])
    error = AgentError.from_problem(problem(causes=[problem("output.empty"), second]))
    assert isinstance(error.causes[1], AgentError)
    innermost = error.causes[1].causes[0]
    assert type(innermost) is UpstreamOverloaded
    assert innermost.retry_after == 1


def test_the_chain_of_a_received_error_is_a_chain_of_causes() -> None:
    """CA-1: 64 levels, so that a traceback shows them and ``except`` clauses can look behind."""
    document = nested([problem(detail=str(level)) for level in range(65)])
    error = AgentError.from_problem(document)
    for level in range(1, 65):
        assert error.causes == (error.__cause__,)
        assert isinstance(error.__cause__, ToolTimeout)
        error = error.__cause__
        assert error.detail == str(level)
    assert error.__cause__ is None
    assert error.causes == ()


def test_every_cause_has_its_chain() -> None:
    """CA-1: also one that is not the first."""
    second = nested([problem("output.malformed"), problem("upstream.overloaded")])
    error = AgentError.from_problem(problem(causes=[problem("output.empty"), second]))
    assert isinstance(error.causes[1], AgentError)
    assert error.causes[1].__cause__ is error.causes[1].causes[0]


def test_the_first_cause_is_the_cause_even_after_an_assignment_in_it() -> None:
    error = AgentError.from_problem(problem(causes=[problem("output.empty")]))
    assert isinstance(error.__cause__, AgentError)
    error.__cause__.detail = "assigned"
    assert error.causes[0] is error.__cause__


def test_the_local_context_gives_way_to_the_remote_chain() -> None:
    error = AgentError.from_problem(problem(causes=[problem("output.empty")]))
    assert error.__suppress_context__
    assert not AgentError.from_problem(problem()).__suppress_context__


# Audiences

SHOWN_TO_PEERS = {
    "type",
    "title",
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
    "run_owner",
    "labels",
}
SHOWN_TO_THE_PUBLIC = {
    "type",
    "title",
    "instance",
    "code",
    "origin",
    "retryable",
    "model_recoverable",
    "retry_after",
}
SHOWN_OF_UPSTREAM = {"provider": "mcp", "status": 429, "code": "-32603", "stop_reason": "error"}
UNKNOWN_AUDIENCES = ["public", "nobody", "", "Operator", "PEER", "operator "]


def both(code: str) -> list[AgentError]:
    """The same error raised and received."""
    return [full(code), AgentError.from_problem(full(code).to_problem())]


@pytest.mark.parametrize("code", EVERY_CODE)
def test_an_operator_is_shown_all(code: str) -> None:
    """SE-1: to whom a document goes unless one says otherwise."""
    for error in both(code):
        document = error.to_problem(audience="operator")
        assert document.keys() == SHOWN_TO_PEERS
        assert document["upstream"]["message"] == "Internal error"
        assert document == error.to_problem()


@pytest.mark.parametrize("code", EVERY_CODE)
def test_a_peer_is_not_shown_what_the_upstream_said(code: str) -> None:
    """SE-1: of ``upstream`` the draft's four members; all else as an operator."""
    for error in both(code):
        document = error.to_problem(audience="peer")
        assert text_of(document) == text_of({**error.to_problem(), "upstream": SHOWN_OF_UPSTREAM})


@pytest.mark.parametrize("audience", UNKNOWN_AUDIENCES)
@pytest.mark.parametrize("code", EVERY_CODE)
def test_the_public_is_shown_the_least(code: str, audience: str) -> None:
    """SE-1: an unknown audience is public."""
    for error in both(code):
        document = error.to_problem(audience=audience)
        assert document.keys() == SHOWN_TO_THE_PUBLIC
        if not code.startswith("policy."):
            assert document.items() <= error.to_problem().items()


POLICY_CODES = [
    "policy.guardrail_triggered",
    "policy.model_refusal",
    "policy.content_filtered",
    "policy.approval_denied",
]


@pytest.mark.parametrize("code", POLICY_CODES)
def test_the_public_is_shown_one_policy_code(code: str) -> None:
    """SE-5: with its title, origin and flags, whatever the error itself states."""
    for error in both(code):
        assert text_of(error.to_problem(audience="public")) == text_of(
            {
                "type": TYPE,
                "title": "Guardrail Triggered",
                "instance": "https://example.com/runs/8f2c#5",
                "code": "policy.guardrail_triggered",
                "origin": "harness",
                "retryable": False,
                "model_recoverable": False,
                "retry_after": 2.5,
            }
        )


def test_a_policy_code_without_a_class_is_no_more_specific() -> None:
    """SE-5."""
    error = AgentError.from_problem(problem("policy.jailbreak_detected", title="Jailbreak"))
    assert error.to_problem(audience="public") == {
        "type": TYPE,
        "title": "Guardrail Triggered",
        "code": "policy.guardrail_triggered",
        "origin": "harness",
        "retryable": False,
        "model_recoverable": False,
    }


@pytest.mark.parametrize("code", POLICY_CODES)
def test_peers_are_shown_which_policy_it_was(code: str) -> None:
    """SE-5: it is for untrusted consumers."""
    assert full(code).to_problem(audience="peer")["code"] == code


@pytest.mark.parametrize("code", EVERY_CODE)
def test_the_codes_of_other_categories_stay_for_the_public(code: str) -> None:
    """SE-5."""
    shown = bare(code).to_problem(audience="public")["code"]
    assert shown == ("policy.guardrail_triggered" if code.startswith("policy.") else code)


def with_upstream_on_three_levels() -> AgentError:
    said = UpstreamInfo(provider="acme", message="the prompt was …", extra={"body": "…"})
    foreign = {"type": "about:blank", "upstream": {"body": 1}}
    inner = UpstreamRateLimited("inner", upstream=said, causes=[foreign])
    received = AgentError.from_problem(
        problem("upstream.unavailable", upstream={"status": 503, "message": "…"})
    )
    return UpstreamAgentFailed("outer", upstream=said, causes=[inner, received])


def test_causes_are_shown_to_peers_by_the_same_table() -> None:
    """SE-1, CA-1: on every level, and of other problem types too."""
    document = with_upstream_on_three_levels().to_problem(audience="peer")
    inner, received = document["causes"]
    assert document["upstream"] == inner["upstream"] == {"provider": "acme"}
    assert inner["causes"] == [{"type": "about:blank", "upstream": {}}]
    assert received["upstream"] == {"status": 503}
    assert received["code"] == "upstream.unavailable"


def test_causes_are_shown_to_operators_whole() -> None:
    inner, received = with_upstream_on_three_levels().to_problem()["causes"]
    assert inner["upstream"]["message"] == "the prompt was …"
    assert inner["causes"] == [{"type": "about:blank", "upstream": {"body": 1}}]
    assert received["upstream"] == {"status": 503, "message": "…"}


def test_an_upstream_of_the_wrong_type_is_for_operators_alone() -> None:
    """SE-1: nobody knows what is in it."""
    error = AgentError.from_problem(problem(upstream="the prompt was …"))
    assert error.to_problem(audience="peer") == problem()
    assert error.to_problem(audience="operator") == problem(upstream="the prompt was …")


@pytest.mark.parametrize("junk", [[{"upstream": {"message": "…"}}], {"upstream": {"message": "…"}}])
def test_an_upstream_in_malformed_causes_is_for_operators_alone(junk: Any) -> None:
    """SE-1: causes by the same table, whatever their form."""
    nested_junk = junk if isinstance(junk, dict) else [junk]
    error = AgentError.from_problem(problem(causes=nested_junk))
    assert "message" not in error.to_json(audience="peer")


def test_causes_that_are_cut_are_not_shown_either() -> None:
    """SE-1, CA-4: neither those beyond 256 nor those below the 64th level."""
    inner = problem("output.empty", upstream={"message": "the prompt was …"})
    deep = nested([*[problem()] * 100, inner])
    wide = problem(causes=[problem(causes=[inner])] * 300)
    assert "prompt" not in AgentError.from_problem(deep).to_json(audience="peer")
    assert "prompt" not in AgentError.from_problem(wide).to_json(audience="peer")


def test_a_received_error_describes_itself_in_full_to_the_public() -> None:
    error = AgentError.from_problem(problem(tray=2, detail="slow", status=504, retryable="no"))
    assert error.to_problem(audience="public") == {
        "type": TYPE,
        "title": "Tool Timeout",
        "code": "tool.timeout",
        "origin": "tool",
        "retryable": True,
        "model_recoverable": True,
    }


@pytest.mark.parametrize("audience", ["operator", "peer", "public", "nobody"])
@pytest.mark.parametrize("code", EVERY_CODE)
def test_the_text_is_shown_by_the_same_table(code: str, audience: str) -> None:
    """SE-1."""
    error = full(code)
    assert strictly(error.to_json(audience=audience)) == error.to_problem(audience=audience)


# Put together here, lest a scanner take it for one that has leaked.
TOKEN = "ghp_" + "1a2B3c4D5e6F" * 3

CREDENTIALS: dict[str, dict[str, Any]] = {
    "detail": {"detail": f"the token {TOKEN} has expired"},
    "model_feedback": {"model_feedback": f"Use {TOKEN}."},
    "instance": {"instance": f"https://example.com/?access_token={TOKEN}"},
    "an extension": {"extensions": {"vendor_note": ["x", {"why": f"token {TOKEN}"}]}},
    "an extension with a telling name": {"extensions": {"vendor_call": {"api_key": "hunter2hunter2"}}},
    "a key": {"extensions": {"vendor_tokens": {TOKEN: 1}}},
    "upstream.message": {"upstream": UpstreamInfo(message=f"invalid token {TOKEN}")},
    "upstream.extra": {"upstream": UpstreamInfo(extra={"headers": {"authorization": "hunter2hunter2"}})},
    "a cause": {"causes": [ToolTimeout(f"with {TOKEN}")]},
    "a received cause": {"causes": [problem("output.empty", tray={"password": "hunter2hunter2"})]},
    "a cause of another type": {"causes": [{"type": "about:blank", "title": f"with {TOKEN}"}]},
}


@pytest.mark.parametrize("members", CREDENTIALS.values(), ids=CREDENTIALS)
def test_a_credential_does_not_leave(members: dict[str, Any]) -> None:
    """SE-2: wherever it is, and whoever is shown the rest."""
    error = ToolExecutionFailed(**members)
    for audience in ("operator", "peer", "public"):
        for text in (error.to_json(audience=audience), text_of(error.to_problem(audience=audience))):
            assert TOKEN not in text
            assert "hunter2" not in text


# Reported elsewhere


def test_problem_json_01_unknown_members_survive() -> None:
    """EM-1: ignored, and there again after a round trip."""
    document = problem(title="Tool Timeout", x_vendor={"a": 1}, taskid="abc")
    error = AgentError.from_problem(document)
    assert type(error) is ToolTimeout
    assert error.extensions == {"x_vendor": {"a": 1}, "taskid": "abc"}
    assert error.to_problem() == document


def test_problem_json_03_a_status_that_is_a_string_is_ignored() -> None:
    """RFC-1."""
    error = AgentError.from_problem(problem(status="504"))
    assert type(error) is ToolTimeout
    assert error.http_status == 504


def test_problem_json_05_the_code_decides_whatever_the_status() -> None:
    error = AgentError.from_problem(problem(status=200))
    assert type(error) is ToolTimeout
    assert error.http_status == 504


def test_problem_json_06_a_relative_type_is_another_type() -> None:
    relative = "/assignments/http-problem-types#agent-harness-error"
    assert not is_problem({"type": relative, "code": "tool.timeout"})


@pytest.mark.parametrize("body", [[problem()], "boom", 7, None, True, []])
def test_problem_json_08_bodies_that_are_no_objects(body: Any) -> None:
    with pytest.raises(NotAHarnessProblem):
        AgentError.from_json(text_of(body))


def test_problem_json_11_a_new_code_is_of_its_category() -> None:
    """EM-4: and keeps its own string."""
    error = AgentError.from_problem(problem("tool.brand_new"))
    assert type(error) is ToolError
    assert error.code == error.to_problem()["code"] == "tool.brand_new"


def test_problem_json_11_a_private_code_is_not_retryable() -> None:
    """EM-4, EM-6."""
    error = AgentError.from_problem(problem("x-acme.out_of_paper"))
    assert type(error) is AgentError
    assert (error.code, error.category, error.retryable) == ("x-acme.out_of_paper", "x-acme", False)


@pytest.mark.parametrize("code", ["nonsense", "Tool.Timeout", ""])
def test_problem_json_11_junk_is_no_code(code: str) -> None:
    with pytest.raises(NotAHarnessProblem):
        AgentError.from_problem(problem(code))


def test_problem_json_13_infinity_and_nan_are_left_out() -> None:
    """RFC-7."""
    error = agent_errors.LoopBudgetExceeded(limit=Limit("cost", 1.0, float("inf")), retry_after=float("nan"))
    document = strictly(error.to_json())
    assert document["limit"] == {"name": "cost", "value": 1.0}
    assert "retry_after" not in document


def test_problem_json_15_a_lone_surrogate_does_not_stop_the_encoder() -> None:
    """RFC-7."""
    text = OutputMalformed("bad char \ud83d here").to_json()
    assert strictly(text)["detail"] == "bad char \ufffd here"


def test_problem_json_16_two_escapes_are_one_character() -> None:
    """RFC-7."""
    data = f'{{"type": "{TYPE}", "code": "tool.execution_failed", "detail": "\\ud83d\\udcce"}}'
    assert AgentError.from_json(data).detail == "📎"
    assert ToolExecutionFailed("\ud83d\udcce").to_problem()["detail"] == "📎"


def test_problem_json_18_a_context_that_leads_back_to_its_group() -> None:
    """CA-1: it terminates, and the inner error is there once."""
    inner = OutputEmpty("inner")
    group = ExceptionGroup("g", [inner])
    inner.__context__ = group
    error = raise_from(ToolTimeout("outer"), group)
    assert written_details(error) == ["inner"]
    assert "causes" not in error.to_problem()["causes"][0]


def test_process_boundary_13_the_plain_form_can_be_checkpointed() -> None:
    error = full("upstream.rate_limited")
    state = {"last_error": error.to_problem(), "at": datetime(2026, 11, 4, tzinfo=UTC).isoformat()}
    copy = AgentError.from_problem(json.loads(json.dumps(state))["last_error"])
    assert type(copy) is UpstreamRateLimited
    assert copy.to_problem() == error.to_problem()


def test_category_of_a_new_code_can_be_caught() -> None:
    """EM-4: a generic error of that category."""
    with pytest.raises(UpstreamError):
        raise AgentError.from_problem(problem("upstream.brand_new"))


def test_title_and_detail_decide_nothing() -> None:
    """PT-4: the kind is decided by the code."""
    document = problem("loop.timeout", title="Tool Timeout", detail="policy.model_refusal")
    error = AgentError.from_problem(document)
    assert type(error) is LoopTimeout
    assert not isinstance(error, PolicyContentFiltered)
