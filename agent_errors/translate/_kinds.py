"""What an answer of a provider can mean.

The tables of ``_providers`` map codes, wordings and statuses to these names.
"""

from typing import Final

from attrs import frozen

from agent_errors.errors import (
    ContextWindowExceeded,
    OutputInvalidToolArguments,
    OutputMalformed,
    OutputSchemaViolation,
    OutputTruncated,
    OutputUnknownTool,
    PolicyContentFiltered,
    UpstreamAuthenticationFailed,
    UpstreamInvalidRequest,
    UpstreamInvalidResponse,
    UpstreamOverloaded,
    UpstreamRateLimited,
    UpstreamUnavailable,
)

Leaf = (
    type[ContextWindowExceeded]
    | type[OutputInvalidToolArguments]
    | type[OutputMalformed]
    | type[OutputSchemaViolation]
    | type[OutputTruncated]
    | type[OutputUnknownTool]
    | type[PolicyContentFiltered]
    | type[UpstreamAuthenticationFailed]
    | type[UpstreamInvalidRequest]
    | type[UpstreamInvalidResponse]
    | type[UpstreamOverloaded]
    | type[UpstreamRateLimited]
    | type[UpstreamUnavailable]
)


@frozen(eq=False)
class Kind:
    """A meaning: the class to raise, and whether the facts contradict its ``retryable``."""

    error: Leaf
    retryable: bool | None = None
    limited: bool = False
    """Whether the answer may say which limit was exceeded."""
    weak: bool = False
    """Whether it is what services also say for want of a better code or status."""


RATE: Final = Kind(UpstreamRateLimited, limited=True)
"""Too much, too fast: it passes with time."""
QUOTA: Final = Kind(UpstreamRateLimited, retryable=False, limited=True)
"""No credit, a quota used up, a spend cap: it does not pass by waiting a little."""
TOO_LARGE: Final = Kind(UpstreamRateLimited, retryable=False, limited=True)
"""This one request exceeds the whole limit: no waiting helps."""
OVERLOADED: Final = Kind(UpstreamOverloaded)
UNAVAILABLE: Final = Kind(UpstreamUnavailable, weak=True)
"""Down, unreachable, too slow, or the model is still being loaded."""
UNREADY: Final = Kind(UpstreamUnavailable)
"""UNAVAILABLE, where the answer says so itself."""
AUTH: Final = Kind(UpstreamAuthenticationFailed)
"""The credentials, or what they allow."""
INVALID: Final = Kind(UpstreamInvalidRequest, weak=True)
REJECTED: Final = Kind(UpstreamInvalidRequest)
"""INVALID, where the answer says itself what is wrong with the request."""
MISSING: Final = Kind(UpstreamInvalidRequest)
"""The model, or another part of the address, does not exist, as far as these credentials may know."""
OUTPUT_CAP: Final = Kind(UpstreamInvalidRequest, limited=True)
"""More output asked for than the model can make."""
CONTEXT: Final = Kind(ContextWindowExceeded, limited=True)
FILTERED: Final = Kind(PolicyContentFiltered)
BAD_ARGUMENTS: Final = Kind(OutputInvalidToolArguments)
UNKNOWN_TOOL: Final = Kind(OutputUnknownTool)
MALFORMED: Final = Kind(OutputMalformed)
SCHEMA: Final = Kind(OutputSchemaViolation)
TRUNCATED: Final = Kind(OutputTruncated)
BAD_ANSWER: Final = Kind(UpstreamInvalidResponse)
"""Not what the protocol promises."""
UNKNOWN: Final = Kind(UpstreamUnavailable, weak=True)
"""A failure without a code, a status or a wording that we know."""
