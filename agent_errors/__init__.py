"""Errors of AI agent harnesses as Python exceptions and as Problem Details documents.

Each registered code is a class, each category a base class, and every error is a document at any boundary:

- raise: ``raise OutputSchemaViolation("price is not a number", model_feedback="'price' must be a number.")``
- catch: ``except UpstreamError as error`` catches a category, ``except UpstreamRateLimited`` one code
- carry: ``error.to_problem()`` on one side, ``AgentError.from_problem(document)`` on the other
- translate: ``agent_errors.translate`` makes one of these of a model API's answer, and
  ``raise UpstreamUnavailable(...) from error`` of any other failure
"""

from agent_errors._base import AgentError, NotAHarnessProblem, is_problem, lookup

# generated imports: start
from agent_errors.errors import (
    CODES,
    DRAFT,
    ContextCompactionFailed,
    ContextError,
    ContextWindowExceeded,
    HarnessCancelled,
    HarnessError,
    HarnessInternalError,
    LoopBudgetExceeded,
    LoopError,
    LoopMaxTurnsExceeded,
    LoopRepetitionDetected,
    LoopTimeout,
    OutputEmpty,
    OutputError,
    OutputInvalidToolArguments,
    OutputMalformed,
    OutputRetriesExhausted,
    OutputSchemaViolation,
    OutputTruncated,
    OutputUnknownTool,
    PolicyApprovalDenied,
    PolicyContentFiltered,
    PolicyError,
    PolicyGuardrailTriggered,
    PolicyModelRefusal,
    ToolError,
    ToolExecutionFailed,
    ToolNotAvailable,
    ToolPermissionDenied,
    ToolSandboxViolation,
    ToolTimeout,
    UpstreamAgentFailed,
    UpstreamAuthenticationFailed,
    UpstreamError,
    UpstreamInvalidRequest,
    UpstreamInvalidResponse,
    UpstreamOverloaded,
    UpstreamRateLimited,
    UpstreamUnavailable,
)

# generated imports: end
from agent_errors.members import (
    PROBLEM_TYPE,
    PROBLEM_TYPES,
    Limit,
    Location,
    Origin,
    Problem,
    UpstreamInfo,
)

# generated exports: start
__all__ = [
    "AgentError",
    "CODES",
    "ContextCompactionFailed",
    "ContextError",
    "ContextWindowExceeded",
    "DRAFT",
    "HarnessCancelled",
    "HarnessError",
    "HarnessInternalError",
    "is_problem",
    "Limit",
    "Location",
    "lookup",
    "LoopBudgetExceeded",
    "LoopError",
    "LoopMaxTurnsExceeded",
    "LoopRepetitionDetected",
    "LoopTimeout",
    "NotAHarnessProblem",
    "Origin",
    "OutputEmpty",
    "OutputError",
    "OutputInvalidToolArguments",
    "OutputMalformed",
    "OutputRetriesExhausted",
    "OutputSchemaViolation",
    "OutputTruncated",
    "OutputUnknownTool",
    "PolicyApprovalDenied",
    "PolicyContentFiltered",
    "PolicyError",
    "PolicyGuardrailTriggered",
    "PolicyModelRefusal",
    "Problem",
    "PROBLEM_TYPE",
    "PROBLEM_TYPES",
    "ToolError",
    "ToolExecutionFailed",
    "ToolNotAvailable",
    "ToolPermissionDenied",
    "ToolSandboxViolation",
    "ToolTimeout",
    "UpstreamAgentFailed",
    "UpstreamAuthenticationFailed",
    "UpstreamError",
    "UpstreamInfo",
    "UpstreamInvalidRequest",
    "UpstreamInvalidResponse",
    "UpstreamOverloaded",
    "UpstreamRateLimited",
    "UpstreamUnavailable",
]
# generated exports: end
