# Generated from registry.toml by `python agent_errors/_tools/generate.py`: do not edit.

"""The registered codes as exceptions: a base class for each category, a class for each code.

AgentError
├── OutputError                       output.*
│   ├── OutputMalformed               output.malformed
│   ├── OutputSchemaViolation         output.schema_violation
│   ├── OutputTruncated               output.truncated
│   ├── OutputEmpty                   output.empty
│   ├── OutputUnknownTool             output.unknown_tool
│   ├── OutputInvalidToolArguments    output.invalid_tool_arguments
│   └── OutputRetriesExhausted        output.retries_exhausted
├── LoopError                         loop.*
│   ├── LoopMaxTurnsExceeded          loop.max_turns_exceeded
│   ├── LoopBudgetExceeded            loop.budget_exceeded
│   ├── LoopTimeout                   loop.timeout
│   └── LoopRepetitionDetected        loop.repetition_detected
├── ContextError                      context.*
│   ├── ContextWindowExceeded         context.window_exceeded
│   └── ContextCompactionFailed       context.compaction_failed
├── ToolError                         tool.*
│   ├── ToolNotAvailable              tool.not_available
│   ├── ToolExecutionFailed           tool.execution_failed
│   ├── ToolTimeout                   tool.timeout
│   ├── ToolPermissionDenied          tool.permission_denied
│   └── ToolSandboxViolation          tool.sandbox_violation
├── PolicyError                       policy.*
│   ├── PolicyGuardrailTriggered      policy.guardrail_triggered
│   ├── PolicyModelRefusal            policy.model_refusal
│   ├── PolicyContentFiltered         policy.content_filtered
│   └── PolicyApprovalDenied          policy.approval_denied
├── UpstreamError                     upstream.*
│   ├── UpstreamRateLimited           upstream.rate_limited
│   ├── UpstreamOverloaded            upstream.overloaded
│   ├── UpstreamUnavailable           upstream.unavailable
│   ├── UpstreamAuthenticationFailed  upstream.authentication_failed
│   ├── UpstreamInvalidRequest        upstream.invalid_request
│   ├── UpstreamInvalidResponse       upstream.invalid_response
│   └── UpstreamAgentFailed           upstream.agent_failed
└── HarnessError                      harness.*
    ├── HarnessCancelled              harness.cancelled
    └── HarnessInternalError          harness.internal_error
"""

from collections.abc import Mapping
from types import MappingProxyType

from agent_errors._base import AgentError
from agent_errors.members import Origin

# output.*


class OutputError(AgentError):
    """Model output could not be accepted by the harness."""

    category: str = "output"
    http_status: int = 422
    default_feedback: str = "Your last output could not be accepted. Do not send it again unchanged."


class OutputMalformed(OutputError):
    """Malformed Output.

    The model output could not be parsed in the required syntax, for example invalid JSON.
    """

    code: str = "output.malformed"
    title: str = "Malformed Output"
    origin: Origin | None = "model"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "Your last output could not be read because it is not in the required syntax. Send it again, "
        "complete and in that syntax, with nothing before or after it."
    )


class OutputSchemaViolation(OutputError):
    """Output Schema Violation.

    The output was syntactically valid but did not conform to the required schema.
    ``location.pointer`` SHOULD identify the offending location.
    """

    code: str = "output.schema_violation"
    title: str = "Output Schema Violation"
    origin: Origin | None = "model"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "Your last output could be read but does not match the required schema. Check every field against "
        "the schema and send the complete output again, corrected; do not send it unchanged."
    )


class OutputTruncated(OutputError):
    """Output Truncated.

    The output ended before completion because an output token limit was reached.
    Retrying unchanged is not expected to succeed; raising the limit or reducing the requested
    output may.
    """

    code: str = "output.truncated"
    title: str = "Output Truncated"
    origin: Origin | None = "model"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "Your last output was cut off because it reached its length limit. Do not send the same output "
        "again: make it shorter, or give it in smaller parts."
    )


class OutputEmpty(OutputError):
    """Empty Output.

    The model produced no usable content.
    """

    code: str = "output.empty"
    title: str = "Empty Output"
    origin: Origin | None = "model"
    retryable: bool = True
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "Your last reply had no content that could be used. Reply again with the content that was asked for."
    )


class OutputUnknownTool(OutputError):
    """Unknown Tool Requested.

    The model requested a tool that is not offered to it.
    """

    code: str = "output.unknown_tool"
    title: str = "Unknown Tool Requested"
    origin: Origin | None = "model"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "You requested a tool that is not offered to you. Do not request it again: use only the tools that "
        "you were offered, by their exact names."
    )


class OutputInvalidToolArguments(OutputError):
    """Invalid Tool Arguments.

    The model requested an offered tool with arguments that are missing, malformed, or do not
    conform to the tool's input schema.
    """

    code: str = "output.invalid_tool_arguments"
    title: str = "Invalid Tool Arguments"
    origin: Origin | None = "model"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "Your tool call was rejected because its arguments are missing, malformed or not what the tool "
        "accepts. Check them against the tool's description and call it again with corrected arguments; do "
        "not repeat the same call."
    )


class OutputRetriesExhausted(OutputError):
    """Output Retries Exhausted.

    The harness re-prompted the model after one or more ``output.*`` errors and the configured
    number of attempts was exhausted.
    ``causes`` SHOULD list the underlying errors.
    """

    code: str = "output.retries_exhausted"
    title: str = "Output Retries Exhausted"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "None of the permitted attempts produced an output that could be accepted. Do not send the same "
        "output again."
    )


# loop.*


class LoopError(AgentError):
    """A limit on the agent loop was reached, or the loop is not progressing."""

    category: str = "loop"
    http_status: int = 422
    default_feedback: str = (
        "The run reached a limit, or it is not making progress. Do not repeat the last steps."
    )


class LoopMaxTurnsExceeded(LoopError):
    """Maximum Turns Exceeded.

    The run reached its configured maximum number of turns.
    """

    code: str = "loop.max_turns_exceeded"
    title: str = "Maximum Turns Exceeded"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "The run reached the maximum number of turns that it may take. Do not start further steps: say what "
        "is done and what is still open."
    )


class LoopBudgetExceeded(LoopError):
    """Budget Exceeded.

    A token, cost, or other resource budget for the run was exhausted.
    ``limit`` SHOULD be present.
    """

    code: str = "loop.budget_exceeded"
    title: str = "Budget Exceeded"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "The budget for the run is used up. Do not start further steps: say what is done and what is still "
        "open."
    )


class LoopTimeout(LoopError):
    """Run Timeout.

    The run exceeded its wall-clock time limit.
    """

    code: str = "loop.timeout"
    title: str = "Run Timeout"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 504
    default_feedback: str = (
        "The time allowed for the run is over. Do not start further steps: say what is done and what is "
        "still open."
    )


class LoopRepetitionDetected(LoopError):
    """Repetition Detected.

    The harness determined that the run is not progressing, for example because the same tool call
    with the same arguments was repeated.
    """

    code: str = "loop.repetition_detected"
    title: str = "Repetition Detected"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "The run is not making progress. Do not repeat what was done before: try a different approach, or "
        "say what keeps you from going on."
    )


# context.*


class ContextError(AgentError):
    """Context assembly or management failed."""

    category: str = "context"
    http_status: int = 422
    default_feedback: str = (
        "The conversation so far could not be prepared for the next step. Do not rely on all of it being "
        "available."
    )


class ContextWindowExceeded(ContextError):
    """Context Window Exceeded.

    The assembled input exceeds the model's context window and could not be reduced.
    """

    code: str = "context.window_exceeded"
    title: str = "Context Window Exceeded"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "The input is longer than can be taken in at once and could not be shortened. Do not send it again "
        "unchanged: work with less text at a time."
    )


class ContextCompactionFailed(ContextError):
    """Context Compaction Failed.

    An attempt to reduce the context, for example by summarization, failed.
    """

    code: str = "context.compaction_failed"
    title: str = "Context Compaction Failed"
    origin: Origin | None = "harness"
    retryable: bool = True
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "An attempt to shorten the conversation so far failed. Do not add long texts to it: keep what you "
        "write and what you ask for short."
    )


# tool.*


class ToolError(AgentError):
    """Tool resolution or execution failed."""

    category: str = "tool"
    http_status: int = 422
    default_feedback: str = (
        "The tool call did not succeed. Do not repeat it unchanged, and do not assume that it had no effect."
    )


class ToolNotAvailable(ToolError):
    """Tool Not Available.

    A requested tool exists but cannot currently be used, for example because its server is
    disconnected.
    """

    code: str = "tool.not_available"
    title: str = "Tool Not Available"
    origin: Origin | None = "tool"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "The tool exists but cannot be used at the moment. Do not call it again right away: use another "
        "tool, or go on without it."
    )


class ToolExecutionFailed(ToolError):
    """Tool Execution Failed.

    A tool was invoked and reported failure.
    """

    code: str = "tool.execution_failed"
    title: str = "Tool Execution Failed"
    origin: Origin | None = "tool"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 422
    default_feedback: str = (
        "The tool was called and reported a failure. Do not repeat the same call unchanged, and do not "
        "assume that it had no effect."
    )


class ToolTimeout(ToolError):
    """Tool Timeout.

    A tool did not complete within its time limit.
    """

    code: str = "tool.timeout"
    title: str = "Tool Timeout"
    origin: Origin | None = "tool"
    retryable: bool = True
    model_recoverable: bool = True
    http_status: int = 504
    default_feedback: str = (
        "The tool did not finish within its time limit. Its effects are unknown: check before you call it "
        "again."
    )


class ToolPermissionDenied(ToolError):
    """Tool Permission Denied.

    The harness's permission configuration did not allow the tool call.
    """

    code: str = "tool.permission_denied"
    title: str = "Tool Permission Denied"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 403
    default_feedback: str = (
        "This tool call is not permitted. Do not repeat it and do not look for a way around it: use what you "
        "are permitted to use, or say what you need."
    )


class ToolSandboxViolation(ToolError):
    """Sandbox Violation.

    A tool attempted an operation prohibited by its sandbox.
    """

    code: str = "tool.sandbox_violation"
    title: str = "Sandbox Violation"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "The tool attempted an operation that is prohibited here. Do not attempt the same operation again, "
        "with this tool or with another."
    )


# policy.*


class PolicyError(AgentError):
    """A policy, guardrail, refusal, or human decision stopped the operation."""

    category: str = "policy"
    http_status: int = 403
    default_feedback: str = (
        "The operation was not allowed or was declined. Do not try it again, and do not look for a way "
        "around the decision."
    )


class PolicyGuardrailTriggered(PolicyError):
    """Guardrail Triggered.

    An input or output guardrail configured in the harness stopped the operation.
    """

    code: str = "policy.guardrail_triggered"
    title: str = "Guardrail Triggered"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 403
    default_feedback: str = (
        "A rule that applies here stopped the operation. Do not try it again, and do not reword it to get "
        "around the rule."
    )


class PolicyModelRefusal(PolicyError):
    """Model Refusal.

    The model declined to perform the request.
    """

    code: str = "policy.model_refusal"
    title: str = "Model Refusal"
    origin: Origin | None = "model"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 403
    default_feedback: str = (
        "The request was declined by the model that was asked. Do not send it again, and do not reword it to "
        "get around the refusal."
    )


class PolicyContentFiltered(PolicyError):
    """Content Filtered.

    A content filter applied by an upstream provider blocked the input or output.
    """

    code: str = "policy.content_filtered"
    title: str = "Content Filtered"
    origin: Origin | None = "upstream"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 403
    default_feedback: str = (
        "A content filter blocked the input or the output. Do not send the same content again: go on without "
        "it, or say that it was blocked."
    )


class PolicyApprovalDenied(PolicyError):
    """Approval Denied.

    A human denied an approval that the harness requested.
    """

    code: str = "policy.approval_denied"
    title: str = "Approval Denied"
    origin: Origin | None = "user"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 403
    default_feedback: str = (
        "A person was asked to approve the operation and said no. Do not try it again: do something else, or "
        "ask what is wanted instead."
    )


# upstream.*


class UpstreamError(AgentError):
    """A remote dependency, typically the model API, failed."""

    category: str = "upstream"
    http_status: int = 502
    default_feedback: str = (
        "A remote service that was needed failed. Do not assume that the request was carried out or that it "
        "was not."
    )


class UpstreamRateLimited(UpstreamError):
    """Upstream Rate Limited.

    The upstream service rejected the request due to rate limiting.
    ``retry_after`` SHOULD be present if known.
    """

    code: str = "upstream.rate_limited"
    title: str = "Upstream Rate Limited"
    origin: Origin | None = "upstream"
    retryable: bool = True
    model_recoverable: bool = False
    http_status: int = 429
    default_feedback: str = (
        "A remote service rejected the request because a usage limit was reached. Do not repeat it right "
        "away: go on with something that does not need the service, or say what is missing."
    )


class UpstreamOverloaded(UpstreamError):
    """Upstream Overloaded.

    The upstream service reported that it is temporarily overloaded.
    """

    code: str = "upstream.overloaded"
    title: str = "Upstream Overloaded"
    origin: Origin | None = "upstream"
    retryable: bool = True
    model_recoverable: bool = False
    http_status: int = 503
    default_feedback: str = (
        "A remote service is overloaded at the moment. Do not repeat the request right away: go on with "
        "something that does not need the service, or say what is missing."
    )


class UpstreamUnavailable(UpstreamError):
    """Upstream Unavailable.

    The upstream service could not be reached or returned a server error.
    """

    code: str = "upstream.unavailable"
    title: str = "Upstream Unavailable"
    origin: Origin | None = "upstream"
    retryable: bool = True
    model_recoverable: bool = False
    http_status: int = 503
    default_feedback: str = (
        "A remote service could not be reached or failed. Do not assume that the request was carried out or "
        "that it was not: check before you repeat it."
    )


class UpstreamAuthenticationFailed(UpstreamError):
    """Upstream Authentication Failed.

    The upstream service rejected the harness's credentials.
    """

    code: str = "upstream.authentication_failed"
    title: str = "Upstream Authentication Failed"
    origin: Origin | None = "upstream"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 502
    default_feedback: str = (
        "A remote service did not accept the credentials that were used. You cannot correct this: do not "
        "repeat the request, and do not ask for or try other credentials."
    )


class UpstreamInvalidRequest(UpstreamError):
    """Upstream Invalid Request.

    The upstream service rejected the request as invalid, for reasons not covered by a more specific
    code.
    """

    code: str = "upstream.invalid_request"
    title: str = "Upstream Invalid Request"
    origin: Origin | None = "upstream"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 502
    default_feedback: str = (
        "A remote service rejected the request as invalid. Do not send the same request again unchanged."
    )


class UpstreamInvalidResponse(UpstreamError):
    """Upstream Invalid Response.

    The upstream service returned a response that does not conform to its protocol.
    """

    code: str = "upstream.invalid_response"
    title: str = "Upstream Invalid Response"
    origin: Origin | None = "upstream"
    retryable: bool = True
    model_recoverable: bool = False
    http_status: int = 502
    default_feedback: str = (
        "A remote service gave an answer that could not be understood. Do not assume that the request was "
        "carried out or that it was not: check before you repeat it."
    )


class UpstreamAgentFailed(UpstreamError):
    """Remote Agent Failed.

    A remote agent to which the harness delegated work reported that the delegated task failed.
    ``causes`` SHOULD contain the remote agent's harness error object, if available.
    See Section 8.
    """

    code: str = "upstream.agent_failed"
    title: str = "Remote Agent Failed"
    origin: Origin | None = "upstream"
    retryable: bool = False
    model_recoverable: bool = True
    http_status: int = 502
    default_feedback: str = (
        "Another agent reported that it failed at the task it was given; parts of it may be done. Do not "
        "give it the same task unchanged: rephrase it, make it smaller, or do it another way."
    )


# harness.*


class HarnessError(AgentError):
    """The harness failed for another reason."""

    category: str = "harness"
    http_status: int = 422
    default_feedback: str = (
        "The last step could not be completed. Do not assume that it succeeded, and do not repeat it "
        "unchanged."
    )


class HarnessCancelled(HarnessError):
    """Run Cancelled.

    The run was cancelled by its caller.
    """

    code: str = "harness.cancelled"
    title: str = "Run Cancelled"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 422
    default_feedback: str = (
        "The run was cancelled by whoever started it. Do not go on with the task, and do not start it again "
        "unasked."
    )


class HarnessInternalError(HarnessError):
    """Harness Internal Error.

    The harness failed for a reason not covered by any other code.
    """

    code: str = "harness.internal_error"
    title: str = "Harness Internal Error"
    origin: Origin | None = "harness"
    retryable: bool = False
    model_recoverable: bool = False
    http_status: int = 500
    default_feedback: str = (
        "The last step failed because of an unexpected fault. You cannot correct this: do not repeat the "
        "step, and do not assume that it had no effect."
    )


DRAFT: str = "draft-ouchi-agent-harness-errors 2026-11-04"
"""The draft and the revision of it that the codes are from."""

CODES: Mapping[str, type[AgentError]] = MappingProxyType(
    {
        "output.malformed": OutputMalformed,
        "output.schema_violation": OutputSchemaViolation,
        "output.truncated": OutputTruncated,
        "output.empty": OutputEmpty,
        "output.unknown_tool": OutputUnknownTool,
        "output.invalid_tool_arguments": OutputInvalidToolArguments,
        "output.retries_exhausted": OutputRetriesExhausted,
        "loop.max_turns_exceeded": LoopMaxTurnsExceeded,
        "loop.budget_exceeded": LoopBudgetExceeded,
        "loop.timeout": LoopTimeout,
        "loop.repetition_detected": LoopRepetitionDetected,
        "context.window_exceeded": ContextWindowExceeded,
        "context.compaction_failed": ContextCompactionFailed,
        "tool.not_available": ToolNotAvailable,
        "tool.execution_failed": ToolExecutionFailed,
        "tool.timeout": ToolTimeout,
        "tool.permission_denied": ToolPermissionDenied,
        "tool.sandbox_violation": ToolSandboxViolation,
        "policy.guardrail_triggered": PolicyGuardrailTriggered,
        "policy.model_refusal": PolicyModelRefusal,
        "policy.content_filtered": PolicyContentFiltered,
        "policy.approval_denied": PolicyApprovalDenied,
        "upstream.rate_limited": UpstreamRateLimited,
        "upstream.overloaded": UpstreamOverloaded,
        "upstream.unavailable": UpstreamUnavailable,
        "upstream.authentication_failed": UpstreamAuthenticationFailed,
        "upstream.invalid_request": UpstreamInvalidRequest,
        "upstream.invalid_response": UpstreamInvalidResponse,
        "upstream.agent_failed": UpstreamAgentFailed,
        "harness.cancelled": HarnessCancelled,
        "harness.internal_error": HarnessInternalError,
    }
)
"""The registered codes and their classes, in the order of the draft."""
