"""Where signals hide: envelopes, strings, lines, numbers as text."""

from typing import Any

import pytest

from agent_errors import (
    AgentError,
    ContextWindowExceeded,
    OutputTruncated,
    UpstreamAuthenticationFailed,
    UpstreamInvalidRequest,
    UpstreamRateLimited,
    UpstreamUnavailable,
)
from agent_errors.translate import from_provider_response


def nested(body: Any, levels: int) -> Any:
    for _ in range(levels):
        body = {"error": body}
    return body


SLOW = {"code": "rate_limit_exceeded", "message": "slow"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"status_code": "429", "message": "x"}, UpstreamRateLimited),
        ({"status_code": "429", "retryable": "perhaps"}, UpstreamRateLimited),
        ({"code": '{"error": {"type": "rate_limit_error", "message": "x"}}'}, UpstreamRateLimited),
        ({"error": {f"m{number}": 1 for number in range(99)} | SLOW}, UpstreamRateLimited),
        ({"message": {"detail": [{"loc": ["body"], "msg": "too long", "type": "x"}]}}, UpstreamUnavailable),
        ([{"error": SLOW}], UpstreamRateLimited),
        (nested(SLOW, 5), UpstreamRateLimited),
        (nested(SLOW, 20), UpstreamUnavailable),
        (
            {"message": "outer {'error': {'message': 'It\\'s slow', 'code': 429, 'x': None}} tail"},
            UpstreamRateLimited,
        ),
        (
            {"message": 'cut {"error": {"message": "slow", "code": "rate_limit_exceeded", "par'},
            UpstreamRateLimited,
        ),
        ({"message": "a set {'type': 'authentication_error'} of parameters"}, UpstreamUnavailable),
        ('{"done": false}\n{"error": "invalid api key"}\n{"cut', UpstreamAuthenticationFailed),
        (b'{"error": "\xff invalid api key"}', UpstreamAuthenticationFailed),
        (b"\x00\xff", UpstreamUnavailable),
        ({"error": "litellm.ContextWindowExceededError: x"}, ContextWindowExceeded),
        ({"error": "rpc error: code = ResourceExhausted desc = x"}, UpstreamRateLimited),
    ],
    ids=str,
)
def test_where_signals_hide(body: Any, expected: type[AgentError]) -> None:
    assert type(from_provider_response(500, {}, body)) is expected


def test_xml() -> None:
    body = "<Error><Code>AccessDenied</Code><Message>No</Message><RequestId>r1</RequestId></Error>"
    error = from_provider_response(400, {}, body)
    assert isinstance(error, UpstreamAuthenticationFailed)
    assert error.upstream is not None
    assert (error.upstream.code, error.upstream.request_id) == ("AccessDenied", "r1")
    assert error.upstream.message == "No"


def test_text_that_only_looks_like_markup() -> None:
    error = from_provider_response(400, {}, "<400> InternalError.Algo: <x>")
    assert isinstance(error, UpstreamInvalidRequest)
    assert error.detail == "the provider 400: <400> InternalError.Algo: <x>"


def test_many_headers() -> None:
    headers = [(f"x-{number}", "1") for number in range(999)]
    error = from_provider_response(429, [*headers, ("retry-after", "5")], "")
    assert isinstance(error, UpstreamRateLimited)
    assert error.retry_after is None


def test_a_request_id_beside_a_stop_reason() -> None:
    body = {"choices": [{"finish_reason": "length", "message": {"content": "x"}}]}
    error = from_provider_response(200, {"x-request-id": "r1"}, body)
    assert isinstance(error, OutputTruncated)
    assert error.upstream is not None
    assert error.upstream.request_id == "r1"


def test_one_request_above_the_whole_limit_by_its_numbers() -> None:
    error = from_provider_response(429, {}, "Rate limit (TPM): Limit 100, Used 0, Requested 200.")
    assert isinstance(error, UpstreamRateLimited)
    assert not error.retryable


def test_a_message_inside_a_gateways_answer_wins() -> None:
    raw = '{"error": {"message": "prompt is too long: 20 tokens > 10 maximum"}}'
    body = {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw}}}
    error = from_provider_response(400, {}, body, provider="openrouter")
    assert isinstance(error, ContextWindowExceeded)
    assert error.upstream is not None
    assert error.upstream.message == "prompt is too long: 20 tokens > 10 maximum"
