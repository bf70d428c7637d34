"""What a type checker sees of the public face: not meant to be executed.

mypy and pyright check this file. Its last part shows what they must reject: for both, a comment that ignores
an error is an error where there is none.
"""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

import copy
from collections.abc import Mapping
from typing import Any, Literal, assert_type

from agent_errors import (
    CODES,
    DRAFT,
    PROBLEM_TYPE,
    PROBLEM_TYPES,
    AgentError,
    Limit,
    Location,
    NotAHarnessProblem,
    Origin,
    OutputMalformed,
    OutputSchemaViolation,
    Problem,
    ToolTimeout,
    UpstreamError,
    UpstreamInfo,
    UpstreamRateLimited,
    is_problem,
    lookup,
)

# Raising

error = OutputSchemaViolation(
    "price is a string",
    title="Wrong Price",
    origin="model",
    retryable=False,
    model_recoverable=True,
    model_feedback="Field 'price' must be a number.",
    retry_after=0.5,
    attempts=1,
    max_attempts=3,
    limit=Limit("cost", 5, 5.02, "USD"),
    location=Location(run_id="r", turn=5, tool_name="t", tool_call_id="c", pointer="/price"),
    upstream=UpstreamInfo(provider="openai", status=429, code="x", stop_reason="length"),
    causes=[OutputMalformed(), {"type": "https://example.com/other"}],
    instance="https://example.com/runs/1",
    extensions={"run_owner": "team-7"},
)
assert_type(error, OutputSchemaViolation)
assert_type(UpstreamError("down", code="upstream.made_up"), UpstreamError)

# Members, of an error and of a class

assert_type(error.code, str)
assert_type(error.category, str)
assert_type(error.http_status, int)
assert_type(error.title, str)
assert_type(error.origin, Origin | None)
assert_type(error.retryable, bool)
assert_type(error.model_recoverable, bool)
assert_type(error.detail, str | None)
assert_type(error.model_feedback, str | None)
assert_type(error.retry_after, float | None)
assert_type(error.attempts, int | None)
assert_type(error.max_attempts, int | None)
assert_type(error.limit, Limit | None)
assert_type(error.location, Location | None)
assert_type(error.upstream, UpstreamInfo | None)
assert_type(error.causes, tuple[AgentError | Mapping[str, Any], ...])
assert_type(error.instance, str | None)
assert_type(error.extensions, Mapping[str, Any])
assert_type(error.stated, frozenset[str])
assert_type(error.provenance, Literal["raised", "received", "translated"])
assert_type(error.to_feedback(), str)

assert_type(UpstreamRateLimited.retryable, bool)
assert_type(UpstreamRateLimited.origin, Origin | None)
assert_type(UpstreamRateLimited.code, str)
assert_type(UpstreamRateLimited.http_status, int)
assert_type(AgentError.default_feedback, str)

if error.location is not None:
    assert_type(error.location.turn, int | None)
    assert_type(error.location.extra, Mapping[str, Any])
if error.limit is not None:
    assert_type(error.limit.value, float | None)
if error.upstream is not None:
    assert_type(error.upstream.status, int | None)

error.detail = "price is null"
error.retryable = True
error.origin = "harness"
error.retry_after = 3
error.limit = None
error.provenance = "translated"

# Carrying

problem = error.to_problem(audience="peer", strict=True)
assert_type(problem, Problem)
assert_type(problem["type"], str)
assert_type(problem["code"], str)
assert_type(problem.get("detail"), str | None)
assert_type(problem.get("retryable"), bool | None)
assert_type(problem.get("origin"), Origin | None)
assert_type(problem.get("location"), dict[str, Any] | None)
assert_type(problem.get("causes"), list[dict[str, Any]] | None)
assert_type(error.to_json(audience="public"), str)

received = AgentError.from_problem(problem)
assert_type(received, AgentError)
assert_type(received.code, str)
assert_type(received.title, str)
assert_type(received.retryable, bool)
assert_type(received.model_recoverable, bool)
assert_type(received.origin, Origin | None)
assert_type(received.http_status, int)
assert_type(AgentError.from_problem({"type": PROBLEM_TYPE, "code": "tool.timeout"}), AgentError)
assert_type(ToolTimeout.from_problem(problem), AgentError)
assert_type(AgentError.from_json("{}"), AgentError)
assert_type(AgentError.from_json(b"{}", loads=lambda text: text), AgentError)
assert_type(is_problem(problem), bool)
assert_type(lookup("tool.timeout"), type[AgentError])
assert_type(CODES["tool.timeout"], type[AgentError])
assert_type(PROBLEM_TYPES, frozenset[str])
assert_type(DRAFT, str)
assert_type(copy.copy(error), OutputSchemaViolation)


# Catching


def dispatch() -> None:
    try:
        raise AgentError.from_problem(problem)
    except OutputSchemaViolation as violation:
        assert_type(violation, OutputSchemaViolation)
    except (UpstreamError, ToolTimeout) as failure:
        assert_type(failure, UpstreamError | ToolTimeout)
    except AgentError as other:
        assert_type(other, AgentError)
    except NotAHarnessProblem as refused:
        assert_type(refused, NotAHarnessProblem)


def dispatch_in_groups() -> None:
    try:
        raise ExceptionGroup("run", [error])
    except* UpstreamError as group:
        assert_type(group, ExceptionGroup[UpstreamError])


# Classes of a user's


class AcmeQuotaHeld(AgentError):
    code: str = "x-acme.quota_held"
    title: str = "Quota Held"
    retryable: bool = True


class ConfigMalformed(OutputMalformed):
    def __init__(self, path: str) -> None:
        """Take what a parser knows."""
        super().__init__(path)
        self.path = path


assert_type(AcmeQuotaHeld("until Monday").code, str)
assert_type(ConfigMalformed("config.json").path, str)


# What must be rejected

AgentError("one", "two")  # type: ignore[call-arg]
ToolTimeout(3)  # type: ignore[arg-type]
ToolTimeout(retryabel=True)  # type: ignore[call-arg]
ToolTimeout(retryable="no")  # type: ignore[arg-type]
ToolTimeout(origin="mars")  # type: ignore[arg-type]
ToolTimeout(causes=[ValueError()])  # type: ignore[list-item]
ToolTimeout(limit={"name": "turns"})  # type: ignore[arg-type]
Location("run")  # type: ignore[call-arg]

error.retryabel = True  # type: ignore[attr-defined]
error.retryable = "no"  # type: ignore[assignment]
error.provenance = "sent"  # type: ignore[assignment]
error.stated = frozenset()  # type: ignore[misc]
_ = error.nothing  # type: ignore[attr-defined]
Limit("turns").value = 3  # type: ignore[misc]

_ = problem["nothing"]  # type: ignore[typeddict-item]
Problem(type=PROBLEM_TYPE)  # type: ignore[typeddict-item]

error.to_problem("peer")  # type: ignore[call-arg]
AgentError.from_problem("{}")  # type: ignore[arg-type]
AgentError.from_json({})  # type: ignore[arg-type]
lookup(ToolTimeout)  # type: ignore[arg-type]
CODES["x-acme.held"] = AcmeQuotaHeld  # type: ignore[index]
