"""Translate: somebody else's failure becomes the error that says what to do."""

import json

from agent_errors import (
    AgentError,
    ContextWindowExceeded,
    OutputMalformed,
    OutputTruncated,
    UpstreamInvalidResponse,
    UpstreamOverloaded,
    UpstreamRateLimited,
)
from agent_errors.translate import (
    from_provider_response,
    from_stop_reason,
    from_stream_end,
    from_stream_event,
)

# An answer of a model API, as any HTTP client gives it: status, headers, body.
headers = {"Retry-After": "20"}
body = (
    b'{"error": {"type": "rate_limit_error", "message": "Number of requests has exceeded your rate limit"}}'
)
busy = from_provider_response(429, headers, body, provider="anthropic")
assert type(busy) is UpstreamRateLimited
assert busy.retry_after == float(headers["Retry-After"])

# The same status, and the same code, but no waiting ends it.
quota = {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}
broke = from_provider_response(429, {}, quota, provider="openai")
assert type(broke) is UpstreamRateLimited
assert [busy.retryable, broke.retryable] == [True, False]

# A provider that nobody has heard of, in words that many use.
overflow = {"error": {"message": "This model's maximum context length is 8192 tokens, you sent 9001 tokens"}}
too_long = from_provider_response(400, {}, overflow, provider="acme")
assert type(too_long) is ContextWindowExceeded

# A stream came with 200 long before it failed, or just ended.
event = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
assert type(from_stream_event("error", event, provider="anthropic")) is UpstreamOverloaded
assert type(from_stream_end({"type": "content_block_delta", "index": 0})) is UpstreamInvalidResponse
assert from_stream_end({"type": "message_stop"}) is None

# The stop reason of an answer, in the words of any API. A normal end is no error.
assert type(from_stop_reason("max_tokens", provider="anthropic")) is OutputTruncated
assert from_stop_reason("end_turn") is None


def read_output(text: str) -> object:
    """Read what the model has written: if it cannot be read, the model can correct it."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise OutputMalformed(model_feedback=f"Send JSON and nothing else: {error}.") from error


# By hand: raise it from what failed. A traceback shows that as the cause; a document does not.
failures: list[AgentError] = [busy, broke, too_long]
try:
    read_output("Sure! Here it is.")
except OutputMalformed as malformed:
    failures.append(malformed)

for failure in failures:
    print("retry  " if failure.retryable else "give up", failure)
    assert "causes" not in failure.to_problem()
assert isinstance(failures[-1].__cause__, json.JSONDecodeError)
