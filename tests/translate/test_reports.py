"""Public bug reports about answers of model APIs, each a test."""

from datetime import UTC, datetime
from typing import Any

from agent_errors import (
    AgentError,
    ContextWindowExceeded,
    PolicyContentFiltered,
    PolicyModelRefusal,
    UpstreamAuthenticationFailed,
    UpstreamInfo,
    UpstreamInvalidRequest,
    UpstreamOverloaded,
    UpstreamRateLimited,
    UpstreamUnavailable,
)
from agent_errors.translate import from_provider_response, from_stream_event


def answer(provider: str, status: int | None, body: Any, headers: Any = (), **more: Any) -> AgentError:
    error = from_provider_response(status, headers, body, provider=provider, **more)
    assert error is not None
    assert error.provenance == "translated"
    return error


def told(error: AgentError) -> UpstreamInfo:
    assert error.upstream is not None
    return error.upstream


def test_rate_limit_vs_quota_01_no_credit_is_not_worth_waiting_for() -> None:
    body = {
        "error": {
            "message": "All credit is used.",
            "type": "insufficient_quota",
            "code": "insufficient_quota",
        }
    }
    error = answer("openai", 429, body, {"retry-after": "1"})
    assert isinstance(error, UpstreamRateLimited)
    assert not error.retryable
    assert error.retry_after is None
    assert told(error).code == "insufficient_quota"


def test_rate_limit_vs_quota_03_a_window_of_hours_has_its_end() -> None:
    error = answer("openai", 429, {"error": {"type": "usage_limit_reached", "resets_in_seconds": 18000}})
    assert error.retry_after == 18000


def test_rate_limit_vs_quota_05_no_credit_behind_a_400() -> None:
    body = {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "Your credit balance is too low."},
    }
    error = answer("anthropic", 400, body)
    assert isinstance(error, UpstreamRateLimited)
    assert not error.retryable


def test_rate_limit_vs_quota_06_a_limit_of_usage_until_a_day() -> None:
    message = "You have reached your specified API usage limits. You will regain access on 2026-12-01."
    error = answer("anthropic", 400, {"error": {"type": "invalid_request_error", "message": message}})
    assert isinstance(error, UpstreamRateLimited)
    assert not error.retryable
    assert (told(error).status, told(error).code) == (400, "invalid_request_error")


def test_rate_limit_vs_quota_08_no_balance_with_a_code_that_says_nothing() -> None:
    body = {
        "error": {"message": "Insufficient Balance", "type": "unknown_error", "code": "invalid_request_error"}
    }
    error = answer("deepseek", 402, body)
    assert isinstance(error, UpstreamRateLimited)
    assert not error.retryable
    assert error.http_status == 429


def test_rate_limit_vs_quota_10_one_request_above_the_whole_limit() -> None:
    message = "Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested 20117"
    error = answer(
        "groq", 413, {"error": {"message": message, "type": "tokens", "code": "rate_limit_exceeded"}}
    )
    assert isinstance(error, UpstreamRateLimited)
    assert not error.retryable
    assert error.limit is not None
    assert (error.limit.name, error.limit.value, error.limit.observed) == ("tokens_per_minute", 8000, 20117)


def test_rate_limit_vs_quota_11_too_many_tokens_is_no_context_window() -> None:
    headers = {"x-amzn-ErrorType": "ThrottlingException"}
    error = answer("bedrock", 429, {"message": "Too many tokens, please wait before trying again."}, headers)
    assert isinstance(error, UpstreamRateLimited)
    assert error.retryable


def test_rate_limit_vs_quota_13_throttled_behind_a_503() -> None:
    error = answer("bedrock", 503, {"message": "Model is getting throttled. Try your request again."})
    assert isinstance(error, UpstreamRateLimited)
    assert error.retryable


def test_rate_limit_vs_quota_15_a_limit_of_weeks() -> None:
    error = answer("anthropic", 429, "Weekly limit reached")
    assert isinstance(error, UpstreamRateLimited)
    assert "Weekly limit reached" in str(error)


def test_retry_after_01_a_date() -> None:
    now = datetime(2026, 10, 21, 7, 27, tzinfo=UTC)
    headers = {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}
    assert answer("openai", 429, {"error": {"message": "slow"}}, headers, now=now).retry_after == 60


def test_retry_after_03_no_date_at_all() -> None:
    headers = {"Retry-After": "Fri, 31 Dec 99999 23:59:59 GMT"}
    assert answer("openai", 429, {"error": {"message": "slow"}}, headers).retry_after is None


def test_retry_after_05_milliseconds_first() -> None:
    assert answer("openai", 429, None, {"retry-after-ms": "1500", "retry-after": "2"}).retry_after == 1.5


def test_retry_after_06_the_dimension_that_is_exhausted() -> None:
    headers = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "6m0s",
        "x-ratelimit-remaining-tokens": "500",
        "x-ratelimit-reset-tokens": "76ms",
    }
    assert answer("openai", 429, {"error": {"code": "rate_limit_exceeded"}}, headers).retry_after == 360


def test_retry_after_08_less_than_a_second() -> None:
    headers = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "500ms"}
    assert answer("openai", 429, None, headers).retry_after == 0.5


def test_retry_after_10_retry_info() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "45.5s"}
    body = {"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [info]}}
    error = answer("gcp.gemini", 429, body)
    assert error.retry_after == 45.5
    assert told(error) == UpstreamInfo(
        provider="gcp.gemini", status=429, code="RESOURCE_EXHAUSTED", message="quota"
    )


def test_retry_after_11_retry_info_in_the_repr_of_bytes() -> None:
    inner = (
        '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":'
        '[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"44s"}]}}'
    )
    error = answer("litellm", 429, {"error": {"message": f"VertexAIException - b'{inner}'", "code": "429"}})
    assert isinstance(error, UpstreamRateLimited)
    assert error.retry_after == 44


def test_retry_after_13_behind_a_unifier() -> None:
    assert answer("anthropic", 429, "slow", {"retry-after": "37"}).retry_after == 37


def test_retry_after_15_in_a_sentence() -> None:
    message = "Requests have exceeded the call rate limit of your pricing tier. Please retry after 3 seconds."
    assert answer("azure", 429, {"error": {"code": "429", "message": message}}).retry_after == 3


def test_retry_after_20_what_the_service_says_wins() -> None:
    headers = {"x-should-retry": "true", "retry-after": "5"}
    error = answer("openai", 400, {"error": {"message": "try again"}}, headers)
    assert error.retryable
    assert error.retry_after == 5
    assert not answer("openai", 503, {"error": {"message": "do not"}}, {"x-should-retry": "false"}).retryable


def test_context_window_10_json_in_a_string() -> None:
    inner = (
        '{"error": {"code": 400, "message": "The input token count (1050001) exceeds the maximum number of '
        'tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}'
    )
    error = answer("google", 400, {"error": {"message": inner, "code": 400, "status": "Bad Request"}})
    assert isinstance(error, ContextWindowExceeded)
    assert error.limit is not None
    assert (error.limit.value, error.limit.observed) == (1048576, 1050001)


def test_context_window_13_a_stop_reason() -> None:
    body = {"stopReason": "model_context_window_exceeded", "output": {"message": {"content": []}}}
    assert isinstance(answer("bedrock", 200, body), ContextWindowExceeded)


def test_context_window_15_more_output_than_the_model_can_make() -> None:
    error = answer(
        "bedrock", 400, {"message": "The maximum tokens you requested exceeds the model limit of 4096."}
    )
    assert isinstance(error, UpstreamInvalidRequest)


def test_upstream_transport_01_no_valid_key_behind_a_400() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    body = {"error": {"code": 400, "message": "Not valid.", "status": "INVALID_ARGUMENT", "details": [info]}}
    assert isinstance(answer("google", 400, body), UpstreamAuthenticationFailed)


def test_upstream_transport_03_overloaded_is_no_outage() -> None:
    body = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}
    assert isinstance(answer("google", 503, body), UpstreamOverloaded)


def test_upstream_transport_05_a_page_of_a_proxy() -> None:
    page = "<!DOCTYPE html><html><head><title>api | 520: unknown error</title></head><body>x</body></html>"
    error = answer("openai", 520, page, {"content-type": "text/html"})
    assert isinstance(error, UpstreamUnavailable)
    assert error.detail == "openai 520: a web page in place of an answer: api | 520: unknown error"


def test_upstream_transport_06_a_page_without_a_head() -> None:
    assert isinstance(answer("openai", 502, "<html>502 Bad Gateway</html>"), UpstreamUnavailable)


def test_upstream_transport_08_a_number_is_a_code_in_text() -> None:
    error = answer("openai-compatible", 404, {"error": {"message": "nope", "code": 404}})
    assert isinstance(error, UpstreamInvalidRequest)
    assert told(error).code == "404"


def test_upstream_transport_15_the_classes_by_type() -> None:
    for kind, expected in {
        "overloaded_error": UpstreamOverloaded,
        "rate_limit_error": UpstreamRateLimited,
        "invalid_request_error": UpstreamInvalidRequest,
    }.items():
        assert type(answer("anthropic", None, {"type": "error", "error": {"type": kind}})) is expected


def test_upstream_transport_16_the_id_that_support_asks_for() -> None:
    error = answer("openai", 500, {"error": {"message": "oops"}}, {"X-Request-ID": "req_abc123"})
    assert told(error).request_id == "req_abc123"
    assert "req_abc123" in error.to_json()


def test_stream_errors_01_and_03_an_overload_in_mid_stream() -> None:
    assert from_stream_event("content_block_delta", {"delta": {"text": "Hel"}}, provider="anthropic") is None
    data = {"type": "error", "error": {"details": None, "type": "overloaded_error", "message": "Overloaded"}}
    error = from_stream_event("error", data, provider="anthropic")
    assert isinstance(error, UpstreamOverloaded)
    assert told(error).status is None
    assert error.http_status == 503


def test_stream_errors_05_the_provider_disconnected() -> None:
    error = from_stream_event(None, {"error": {"message": "Provider disconnected", "code": 502}})
    assert isinstance(error, UpstreamUnavailable)
    assert told(error).code == "502"


def test_stream_errors_06_an_error_in_a_200() -> None:
    error = answer(
        "openrouter", 200, {"error": {"message": "Rate limit exceeded", "code": 429}, "user_id": "u"}
    )
    assert isinstance(error, UpstreamRateLimited)
    assert (told(error).status, told(error).code) == (200, "429")


def test_stream_errors_08_incomplete() -> None:
    for reason, code in {
        "max_output_tokens": "output.truncated",
        "content_filter": "policy.content_filtered",
    }.items():
        response = {"object": "response", "status": "incomplete", "incomplete_details": {"reason": reason}}
        assert answer("openai", 200, response).code == code
        event = {"type": "response.incomplete", "response": response}
        error = from_stream_event("response.incomplete", event, provider="openai")
        assert error is not None
        assert error.code == code


def test_stream_errors_10_access_disabled() -> None:
    error = answer("anthropic", 403, "Access disabled for this organisation")
    assert isinstance(error, UpstreamAuthenticationFailed)


def test_policy_01_a_filter_behind_a_400() -> None:
    inner = {
        "code": "ResponsibleAIPolicyViolation",
        "content_filter_result": {"violence": {"filtered": True}},
    }
    body = {
        "error": {"message": "It was filtered.", "type": None, "code": "content_filter", "innererror": inner}
    }
    error = answer("azure", 400, body)
    assert isinstance(error, PolicyContentFiltered)
    assert (error.origin, told(error).code) == ("upstream", "content_filter")


def test_policy_03_a_filter_before_empty_content() -> None:
    error = answer(
        "azure", 200, {"choices": [{"finish_reason": "content_filter", "message": {"content": None}}]}
    )
    assert isinstance(error, PolicyContentFiltered)
    assert told(error).stop_reason == "content_filter"


def test_policy_05_prohibited_content() -> None:
    error = answer("google", 200, {"candidates": [{"finishReason": "PROHIBITED_CONTENT", "content": {}}]})
    assert isinstance(error, PolicyContentFiltered)
    assert told(error).stop_reason == "PROHIBITED_CONTENT"


def test_policy_06_and_08_refusals() -> None:
    choice = {"finish_reason": "stop", "message": {"content": None, "refusal": "I can't help with that."}}
    assert isinstance(answer("openai", 200, {"choices": [choice]}), PolicyModelRefusal)
    body = {"type": "message", "stop_reason": "refusal", "content": []}
    assert isinstance(answer("anthropic", 200, body), PolicyModelRefusal)
