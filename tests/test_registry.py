"""The registry against the draft's tables, and the generated classes against the registry.

The tables are typed in by hand and compared as sets, so that a row that is missing, on either side, fails.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import agent_errors
from agent_errors import CODES, DRAFT, PROBLEM_TYPE, PROBLEM_TYPES, AgentError, errors, lookup

REGISTRY: dict[str, Any] = tomllib.loads(
    Path(agent_errors.__file__).with_name("registry.toml").read_text("utf-8")
)
ROWS: list[dict[str, Any]] = REGISTRY["codes"]
CATEGORIES: list[dict[str, Any]] = REGISTRY["categories"]

# Table 1: error categories.
TABLE_1 = {
    ("output", "Model output could not be accepted by the harness."),
    ("loop", "A limit on the agent loop was reached, or the loop is not progressing."),
    ("context", "Context assembly or management failed."),
    ("tool", "Tool resolution or execution failed."),
    ("policy", "A policy, guardrail, refusal, or human decision stopped the operation."),
    ("upstream", "A remote dependency, typically the model API, failed."),
    ("harness", "The harness failed for another reason."),
}

# Table 2: code, title, origin, R, M.
TABLE_2 = [
    ("output.malformed", "Malformed Output", "model", False, True),
    ("output.schema_violation", "Output Schema Violation", "model", False, True),
    ("output.truncated", "Output Truncated", "model", False, False),
    ("output.empty", "Empty Output", "model", True, True),
    ("output.unknown_tool", "Unknown Tool Requested", "model", False, True),
    ("output.invalid_tool_arguments", "Invalid Tool Arguments", "model", False, True),
    ("output.retries_exhausted", "Output Retries Exhausted", "harness", False, False),
    ("loop.max_turns_exceeded", "Maximum Turns Exceeded", "harness", False, False),
    ("loop.budget_exceeded", "Budget Exceeded", "harness", False, False),
    ("loop.timeout", "Run Timeout", "harness", False, False),
    ("loop.repetition_detected", "Repetition Detected", "harness", False, True),
    ("context.window_exceeded", "Context Window Exceeded", "harness", False, False),
    ("context.compaction_failed", "Context Compaction Failed", "harness", True, False),
    ("tool.not_available", "Tool Not Available", "tool", False, True),
    ("tool.execution_failed", "Tool Execution Failed", "tool", False, True),
    ("tool.timeout", "Tool Timeout", "tool", True, True),
    ("tool.permission_denied", "Tool Permission Denied", "harness", False, True),
    ("tool.sandbox_violation", "Sandbox Violation", "harness", False, False),
    ("policy.guardrail_triggered", "Guardrail Triggered", "harness", False, False),
    ("policy.model_refusal", "Model Refusal", "model", False, False),
    ("policy.content_filtered", "Content Filtered", "upstream", False, False),
    ("policy.approval_denied", "Approval Denied", "user", False, True),
    ("upstream.rate_limited", "Upstream Rate Limited", "upstream", True, False),
    ("upstream.overloaded", "Upstream Overloaded", "upstream", True, False),
    ("upstream.unavailable", "Upstream Unavailable", "upstream", True, False),
    ("upstream.authentication_failed", "Upstream Authentication Failed", "upstream", False, False),
    ("upstream.invalid_request", "Upstream Invalid Request", "upstream", False, False),
    ("upstream.invalid_response", "Upstream Invalid Response", "upstream", True, False),
    ("upstream.agent_failed", "Remote Agent Failed", "upstream", False, True),
    ("harness.cancelled", "Run Cancelled", "harness", False, False),
    ("harness.internal_error", "Harness Internal Error", "harness", False, False),
]
CODES_OF_TABLE_2 = {code for code, *_ in TABLE_2}

# Table 3: recommended HTTP status codes, `upstream.*` and `policy.*` written out.
TABLE_3 = {
    ("upstream.rate_limited", 429),
    ("upstream.overloaded", 503),
    ("upstream.unavailable", 503),
    ("upstream.authentication_failed", 502),
    ("upstream.invalid_request", 502),
    ("upstream.invalid_response", 502),
    ("upstream.agent_failed", 502),
    ("loop.timeout", 504),
    ("tool.timeout", 504),
    ("policy.guardrail_triggered", 403),
    ("policy.model_refusal", 403),
    ("policy.content_filtered", 403),
    ("policy.approval_denied", 403),
    ("tool.permission_denied", 403),
    ("harness.internal_error", 500),
}
OTHERS = {(code, 422) for code in CODES_OF_TABLE_2 - {code for code, _ in TABLE_3}}
CATEGORIES_OF_TABLE_3 = {
    ("output", 422),
    ("loop", 422),
    ("context", 422),
    ("tool", 422),
    ("policy", 403),
    ("upstream", 502),
    ("harness", 422),
}

# The class of each code and of each category.
CLASSES = {
    "output.malformed": "OutputMalformed",
    "output.schema_violation": "OutputSchemaViolation",
    "output.truncated": "OutputTruncated",
    "output.empty": "OutputEmpty",
    "output.unknown_tool": "OutputUnknownTool",
    "output.invalid_tool_arguments": "OutputInvalidToolArguments",
    "output.retries_exhausted": "OutputRetriesExhausted",
    "loop.max_turns_exceeded": "LoopMaxTurnsExceeded",
    "loop.budget_exceeded": "LoopBudgetExceeded",
    "loop.timeout": "LoopTimeout",
    "loop.repetition_detected": "LoopRepetitionDetected",
    "context.window_exceeded": "ContextWindowExceeded",
    "context.compaction_failed": "ContextCompactionFailed",
    "tool.not_available": "ToolNotAvailable",
    "tool.execution_failed": "ToolExecutionFailed",
    "tool.timeout": "ToolTimeout",
    "tool.permission_denied": "ToolPermissionDenied",
    "tool.sandbox_violation": "ToolSandboxViolation",
    "policy.guardrail_triggered": "PolicyGuardrailTriggered",
    "policy.model_refusal": "PolicyModelRefusal",
    "policy.content_filtered": "PolicyContentFiltered",
    "policy.approval_denied": "PolicyApprovalDenied",
    "upstream.rate_limited": "UpstreamRateLimited",
    "upstream.overloaded": "UpstreamOverloaded",
    "upstream.unavailable": "UpstreamUnavailable",
    "upstream.authentication_failed": "UpstreamAuthenticationFailed",
    "upstream.invalid_request": "UpstreamInvalidRequest",
    "upstream.invalid_response": "UpstreamInvalidResponse",
    "upstream.agent_failed": "UpstreamAgentFailed",
    "harness.cancelled": "HarnessCancelled",
    "harness.internal_error": "HarnessInternalError",
}
BASES = {
    "output": "OutputError",
    "loop": "LoopError",
    "context": "ContextError",
    "tool": "ToolError",
    "policy": "PolicyError",
    "upstream": "UpstreamError",
    "harness": "HarnessError",
}

LEAF_ATTRIBUTES = [
    "code",
    "title",
    "origin",
    "retryable",
    "model_recoverable",
    "http_status",
    "default_feedback",
]
BASE_ATTRIBUTES = ["category", "http_status", "default_feedback"]


def columns(table: Iterable[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in table]


def described(cls: type[AgentError]) -> str:
    """The docstring in one line, without the marks for code."""
    return " ".join((cls.__doc__ or "").replace("`", "").split())


def bases() -> list[type[AgentError]]:
    return [getattr(errors, name) for name in BASES.values()]


# The registry and the draft


def test_table_1() -> None:
    """CO-1: 7 categories."""
    assert set(columns(CATEGORIES, "name", "description")) == TABLE_1
    assert len(CATEGORIES) == len(TABLE_1) == 7


def test_table_2() -> None:
    """CO-1: 31 codes, each with title, origin and two flags, in the draft's order."""
    assert columns(ROWS, "code", "title", "origin", "retryable", "model_recoverable") == TABLE_2
    assert len(ROWS) == 31


def test_table_3() -> None:
    """HT-2: the recommended status codes."""
    assert set(columns(ROWS, "code", "http_status")) == TABLE_3 | OTHERS
    assert set(columns(CATEGORIES, "name", "http_status")) == CATEGORIES_OF_TABLE_3


def test_an_entry_has_all_that_iana_asks_for() -> None:
    """IA-1: code, title, two defaults, description, reference."""
    for row in ROWS:
        assert row.keys() == {*LEAF_ATTRIBUTES, "description", "reference"}
        assert row["description"].endswith(".")
        assert row["reference"] == "draft-ouchi-agent-harness-errors, section 5.3"


def test_no_private_code_is_registered() -> None:
    """EM-3: private codes are never registered."""
    assert not [row["code"] for row in ROWS if row["code"].startswith("x-")]
    assert not [row["name"] for row in CATEGORIES if row["name"].startswith("x-")]
    assert all(re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", row["code"]) for row in ROWS)


def test_the_problem_type() -> None:
    """IA-2: URI, title and recommended status."""
    assert REGISTRY["problem_type"] == {
        "uri": "https://iana.org/assignments/http-problem-types#agent-harness-error",
        "pre_registration_uri": "https://agenterrors.org/problems/harness-error",
        "title": "Agent Harness Error",
        "http_status": 422,
        "reference": "draft-ouchi-agent-harness-errors, section 3",
    }


def test_the_draft() -> None:
    assert REGISTRY["draft"] == {"name": "draft-ouchi-agent-harness-errors", "revision": "2026-11-04"}
    assert DRAFT == "draft-ouchi-agent-harness-errors 2026-11-04"


# The classes and the draft


def test_codes_are_those_of_table_2() -> None:
    """CO-1: a class for each code, in the draft's order, and no other."""
    members = [
        (code, cls.title, cls.origin, cls.retryable, cls.model_recoverable) for code, cls in CODES.items()
    ]
    assert members == TABLE_2
    assert all(cls.code == code for code, cls in CODES.items())


def test_classes_have_the_statuses_of_table_3() -> None:
    """HT-2: the recommended status codes."""
    assert {(code, cls.http_status) for code, cls in CODES.items()} == TABLE_3 | OTHERS
    assert {(cls.category, cls.http_status) for cls in bases()} == CATEGORIES_OF_TABLE_3


def test_class_names() -> None:
    """CO-1: the class of each code and each category has the name that the rule gives it."""
    assert {code: cls.__name__ for code, cls in CODES.items()} == CLASSES
    assert {cls.category: cls.__name__ for cls in bases()} == BASES
    generated = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert generated == {*CLASSES.values(), *BASES.values()}


def test_each_class_is_under_its_category() -> None:
    """CO-1: a class for each code under the base of its category, which is directly under the root."""
    for code, cls in CODES.items():
        category = code.partition(".")[0]
        assert cls.__bases__ == (getattr(errors, BASES[category]),)
        assert cls.category == category
    assert all(cls.__bases__ == (AgentError,) for cls in bases())


def test_the_root_is_the_problem_type() -> None:
    """IA-2: what no code says is what the problem type says."""
    problem_type = REGISTRY["problem_type"]
    assert problem_type["uri"] == PROBLEM_TYPE
    assert {problem_type["uri"], problem_type["pre_registration_uri"]} == set(PROBLEM_TYPES)
    assert problem_type["title"] == AgentError.title
    assert problem_type["http_status"] == AgentError.http_status


def test_an_unknown_category_is_only_unknown() -> None:
    """IA-3: a category that the registry does not have is no error."""
    assert lookup("fleet.lost") is AgentError


def test_codes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CODES["x-acme.held"] = AgentError  # type: ignore[index]


# The classes and the registry


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["code"])
def test_a_class_says_what_its_row_says(row: dict[str, Any]) -> None:
    """IA-1: the row is the class, and the class states all of it itself."""
    cls = CODES[row["code"]]
    stated = {name: value for name, value in vars(cls).items() if not name.startswith("__")}
    assert {name: stated[name] for name in LEAF_ATTRIBUTES} == {name: row[name] for name in LEAF_ATTRIBUTES}
    assert list(cls.__annotations__) == LEAF_ATTRIBUTES
    assert described(cls) == f"{row['title']}. {row['description'].replace('`', '')}"


@pytest.mark.parametrize("row", CATEGORIES, ids=lambda row: row["name"])
def test_a_base_says_what_its_row_says(row: dict[str, Any]) -> None:
    """CO-1: the row is the base, which has no code and no flags of its own."""
    cls = getattr(errors, BASES[row["name"]])
    assert cls.category == row["name"]
    assert cls.http_status == row["http_status"]
    assert cls.default_feedback == row["default_feedback"]
    assert list(cls.__annotations__) == BASE_ATTRIBUTES
    assert described(cls) == row["description"]


def test_the_root_has_the_sentence_of_the_registry() -> None:
    assert AgentError.default_feedback == REGISTRY["default_feedback"]


# What the model is told


@pytest.mark.parametrize(
    "sentence", [REGISTRY["default_feedback"], *(row["default_feedback"] for row in (*CATEGORIES, *ROWS))]
)
def test_default_feedback_speaks_to_the_model(sentence: str) -> None:
    """One or two sentences that say what happened and what not to do, in words that need no explanation."""
    assert 1 <= len(re.findall(r"[.](?: |$)", sentence)) <= 2
    assert sentence.endswith(".")
    assert not re.search(
        r"harness|upstream|guardrail|sandbox|compaction|retr[iy]|exception|http|json|api\b|server|\bcode\b",
        sentence,
        re.IGNORECASE,
    )


def test_default_feedback_differs_from_code_to_code() -> None:
    sentences = [row["default_feedback"] for row in (*CATEGORIES, *ROWS)]
    assert len(set(sentences)) == len(sentences)
