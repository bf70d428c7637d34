"""Somebody else's failure in, the right AgentError out: answers of model APIs, and events of their streams.

``from_...`` takes whatever came and says what it means; None means no failure. Nothing here raises, imports
an SDK, or knows how the answer was fetched. What a provider means by its codes and sentences is data, in
``_providers``; its docstring says how to describe another one.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from agent_errors._base import AgentError
from agent_errors.translate._responses import event_error, response_error
from agent_errors.translate._stop_reasons import from_stop_reason, from_stream_end

__all__ = ["from_provider_response", "from_stop_reason", "from_stream_end", "from_stream_event"]


def from_provider_response(
    status: int | None,
    headers: Mapping[str, Any] | Iterable[tuple[Any, Any]] | None,
    body: Any,
    *,
    provider: str | None = None,
    now: datetime | None = None,
) -> AgentError | None:
    """The failure that a model API's answer tells of, or None if it tells of none.

    - ``status``: the HTTP status code, 100 to 599; None if it is not known.
    - ``headers``: a mapping, or pairs of a name and a value; names in any case, values as text or bytes.
    - ``body``: bytes, text, or parsed JSON. At most 16,384 characters of its texts are looked at.
    - ``provider``: whose API it is, by any common name (``"openai"``, ``"aws.bedrock"``, ``"azure_openai"``);
      kept as it is given. For others the rules hold that most services have in common.
    - ``now``: the time to count dates from, instead of the answer's ``Date`` header or the clock.

    Also failures inside a 2xx answer are found: error objects, stop reasons, a page instead of JSON.

    The error says what the answer said and no more: ``retryable`` where the facts contradict the default of
    the code (no credit; ``x-should-retry``), ``retry_after`` in seconds, ``limit`` with what is allowed and
    what was seen, and in ``upstream`` the status, the vendor's code, stop reason, message and request id.
    Its ``provenance`` is ``"translated"``. Never raises.
    """
    return response_error(status, headers, body, provider, now)


def from_stream_event(event: str | None, data: Any, *, provider: str | None = None) -> AgentError | None:
    """The failure that one event of a stream tells of, or None if it tells of none.

    - ``event``: the name of the server-sent event, or of the union member of an AWS event stream, if any.
    - ``data``: its data as bytes, text or parsed JSON; also a chunk of a stream of JSON lines.
    - ``provider``: as for ``from_provider_response``.

    The HTTP status of such a stream was 200 long before, so ``upstream.status`` is absent. Never raises.
    """
    return event_error(event, data, provider)
