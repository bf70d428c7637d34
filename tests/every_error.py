"""One error of each code, and two classes of a user's: the one table of constructors that all tests share."""

from typing import Any

from agent_errors import (
    AgentError,
    ContextCompactionFailed,
    ContextWindowExceeded,
    HarnessCancelled,
    HarnessInternalError,
    Limit,
    Location,
    LoopBudgetExceeded,
    LoopMaxTurnsExceeded,
    LoopRepetitionDetected,
    LoopTimeout,
    Origin,
    OutputEmpty,
    OutputInvalidToolArguments,
    OutputMalformed,
    OutputRetriesExhausted,
    OutputSchemaViolation,
    OutputTruncated,
    OutputUnknownTool,
    PolicyApprovalDenied,
    PolicyContentFiltered,
    PolicyGuardrailTriggered,
    PolicyModelRefusal,
    ToolExecutionFailed,
    ToolNotAvailable,
    ToolPermissionDenied,
    ToolSandboxViolation,
    ToolTimeout,
    UpstreamAgentFailed,
    UpstreamAuthenticationFailed,
    UpstreamInfo,
    UpstreamInvalidRequest,
    UpstreamInvalidResponse,
    UpstreamOverloaded,
    UpstreamRateLimited,
    UpstreamUnavailable,
)

# code: class, and the detail of one occurrence.
TABLE: dict[str, tuple[type[AgentError], str]] = {
    "output.malformed": (OutputMalformed, "expected '}' at line 3, column 7"),
    "output.schema_violation": (OutputSchemaViolation, "/items/0/price is a string"),
    "output.truncated": (OutputTruncated, "the output ended after 4096 tokens"),
    "output.empty": (OutputEmpty, "the reply had no content"),
    "output.unknown_tool": (OutputUnknownTool, "no tool is called 'serach'"),
    "output.invalid_tool_arguments": (OutputInvalidToolArguments, "'date' is not a date: '11/04'"),
    "output.retries_exhausted": (OutputRetriesExhausted, "not valid after 3 attempts"),
    "loop.max_turns_exceeded": (LoopMaxTurnsExceeded, "stopped after 50 turns"),
    "loop.budget_exceeded": (LoopBudgetExceeded, "the run has cost 5.02 USD"),
    "loop.timeout": (LoopTimeout, "the run took longer than 600 s"),
    "loop.repetition_detected": (LoopRepetitionDetected, "search('x') was called 4 times in a row"),
    "context.window_exceeded": (ContextWindowExceeded, "201,000 tokens of 200,000"),
    "context.compaction_failed": (ContextCompactionFailed, "the summary is longer than the text"),
    "tool.not_available": (ToolNotAvailable, "the server of 'search' is disconnected"),
    "tool.execution_failed": (ToolExecutionFailed, "'search' exited with status 2"),
    "tool.timeout": (ToolTimeout, "'search' did not answer within 30 s"),
    "tool.permission_denied": (ToolPermissionDenied, "'delete_file' is not allowed outside the workspace"),
    "tool.sandbox_violation": (ToolSandboxViolation, "connect() to 10.0.0.1 was blocked"),
    "policy.guardrail_triggered": (PolicyGuardrailTriggered, "the input guardrail 'pii' stopped the run"),
    "policy.model_refusal": (PolicyModelRefusal, "the model declined"),
    "policy.content_filtered": (PolicyContentFiltered, "the output was filtered: violence"),
    "policy.approval_denied": (PolicyApprovalDenied, "the payment was not approved"),
    "upstream.rate_limited": (UpstreamRateLimited, "60 requests per minute"),
    "upstream.overloaded": (UpstreamOverloaded, "the service is overloaded"),
    "upstream.unavailable": (UpstreamUnavailable, "connection refused"),
    "upstream.authentication_failed": (UpstreamAuthenticationFailed, "the key has expired"),
    "upstream.invalid_request": (UpstreamInvalidRequest, "temperature must be at most 2"),
    "upstream.invalid_response": (UpstreamInvalidResponse, "the stream ended within an event"),
    "upstream.agent_failed": (UpstreamAgentFailed, "the booking agent failed"),
    "harness.cancelled": (HarnessCancelled, "cancelled after 12 s"),
    "harness.internal_error": (HarnessInternalError, "the event loop is closed"),
}

EVERY_CODE: list[str] = list(TABLE)


class AcmeQuotaHeld(AgentError):
    """A private code."""

    code: str = "x-acme.quota_held"
    title: str = "Quota Held"
    origin: Origin | None = "harness"
    retryable: bool = True


class ConfigMalformed(OutputMalformed):
    """A class without a code of its own, with arguments and attributes of its own."""

    def __init__(self, path: str, line: int) -> None:
        """Take what a parser knows, and no members."""
        super().__init__(f"{path}:{line}", model_feedback=f"Line {line} is not valid.", attempts=line)
        self.path = path
        self.line = line


def bare(code: str) -> AgentError:
    """An error of a code with its detail alone."""
    cls, detail = TABLE[code]
    return cls(detail)


def full(code: str) -> AgentError:
    """An error of a code with every optional member set, each to another value than its class has."""
    cls, detail = TABLE[code]
    return cls(detail, **members(cls))


def members(cls: type[AgentError]) -> dict[str, Any]:
    """Every optional member but ``detail`` and ``code``, each with another value than ``cls`` has."""
    return {
        "title": "Another Title",
        "origin": "tool" if cls.origin == "user" else "user",
        "retryable": not cls.retryable,
        "model_recoverable": not cls.model_recoverable,
        "model_feedback": "Field 'price' must be a number, got string.",
        "retry_after": 2.5,
        "attempts": 3,
        "max_attempts": 4,
        "limit": Limit("cost", 5, 5.02, "USD", extra={"scope": "run"}),
        "location": Location(
            run_id="run_8f2c",
            turn=5,
            tool_name="book_meeting",
            tool_call_id="call_17",
            pointer="/items/0/price",
            extra={"step": 2},
        ),
        "upstream": UpstreamInfo(
            provider="mcp",
            status=429,
            code="-32603",
            stop_reason="error",
            message="Internal error",
            request_id="req_011",
            task_state="failed",
            extra={"vendor_flags": ["a", None, {"b": 1.5}]},
        ),
        "causes": (
            OutputMalformed("not JSON", attempts=2),
            {"type": "https://example.com/problems/out-of-stock", "title": "Out Of Stock", "stock": 0},
            OutputTruncated("cut off", causes=[UpstreamOverloaded(retry_after=1)]),
        ),
        "instance": "https://example.com/runs/8f2c#5",
        "extensions": {"run_owner": "team-7", "labels": {"eval": [1, 2, {"deep": None}]}},
    }


def told(error: AgentError) -> dict[str, Any]:
    """All that an error tells, its causes included, as values that can be compared."""
    names = [*members(type(error)), "code", "category", "detail", "args", "stated", "provenance"]
    values = {name: getattr(error, name) for name in names}
    causes = [told(cause) if isinstance(cause, AgentError) else dict(cause) for cause in error.causes]
    return {**values, "causes": causes, "class": type(error), "notes": getattr(error, "__notes__", None)}
