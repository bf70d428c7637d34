"""The values that an error carries, and the names that the draft fixes for them.

``Limit``, ``Location`` and ``UpstreamInfo`` are immutable; members of theirs that the draft does not
define are kept in ``extra`` and written back beside the others.
"""

from collections.abc import Mapping
from typing import Any, Literal, Required, TypedDict

from attrs import field, frozen

PROBLEM_TYPE: str = "https://iana.org/assignments/http-problem-types#agent-harness-error"
"""The ``type`` of every document that this library makes (section 3)."""

PROBLEM_TYPES: frozenset[str] = frozenset({PROBLEM_TYPE, "https://agenterrors.org/problems/harness-error"})
"""The two equivalent type URIs; the second is the one in use before registration (section 3)."""

PROBLEM_TITLE: str = "Agent Harness Error"
"""The title of the problem type (section 12.1)."""

Origin = Literal["model", "harness", "tool", "upstream", "user"]
"""The component in which an error originated (section 4.2)."""

Provenance = Literal["raised", "received", "translated"]
"""How an error came to be: made here, read from a document, or made here from somebody else's failure."""


@frozen
class Limit:
    """A limit that was exceeded (section 4.9).

    ``name`` names it: ``turns``, ``input_tokens``, ``output_tokens``, ``context_tokens``, ``cost``,
    ``wall_clock_seconds`` or another.
    ``value`` is the configured limit, ``observed`` the value that was seen, if known.
    ``unit`` is the unit where the name does not imply one: for ``cost`` an ISO 4217 currency code.
    """

    name: str | None = None
    value: float | None = None
    observed: float | None = None
    unit: str | None = None
    extra: Mapping[str, Any] = field(factory=dict[str, Any], kw_only=True, hash=False)


@frozen(kw_only=True)
class Location:
    """Where in the run an error occurred (section 4.10).

    ``turn`` counts from 1. ``pointer`` is a JSON Pointer (RFC 6901) into the structured output.
    """

    run_id: str | None = None
    turn: int | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    pointer: str | None = None
    extra: Mapping[str, Any] = field(factory=dict[str, Any], hash=False)


@frozen(kw_only=True)
class UpstreamInfo:
    """What an upstream component reported, as it reported it (section 4.11).

    ``status`` is an HTTP status code, 100 to 599. ``code`` is the vendor's own.
    ``message``, ``request_id`` and ``task_state`` are ours: only an operator is shown them.
    For people and support requests: what to do follows from the error's class and flags.
    """

    provider: str | None = None
    status: int | None = None
    code: str | None = None
    stop_reason: str | None = None
    message: str | None = None
    request_id: str | None = None
    task_state: str | None = None
    extra: Mapping[str, Any] = field(factory=dict[str, Any], hash=False)


class Problem(TypedDict, total=False):
    """A harness error as a Problem Details object (RFC 9457 with the members of section 4).

    Members that the draft does not define may be there as well.
    ``status`` is there only if the document came with it, or is the body of an HTTP response (section 6.2).
    """

    type: Required[str]
    title: str
    status: int
    detail: str
    instance: str
    code: Required[str]
    origin: Origin
    retryable: bool
    model_recoverable: bool
    model_feedback: str
    retry_after: float
    attempts: int
    max_attempts: int
    limit: dict[str, Any]
    location: dict[str, Any]
    upstream: dict[str, Any]
    causes: list[dict[str, Any]]
