from typing import Any

import pytest

from agent_errors import Limit
from agent_errors.translate import from_provider_response


def limit(status: int, message: str, headers: Any = (), **more: Any) -> Limit | None:
    error = from_provider_response(status, headers, {"error": {"message": message, **more}}, provider="acme")
    assert error is not None
    return error.limit


@pytest.mark.parametrize(
    ("text", "value", "observed"),
    [
        (
            (
                "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens "
                "(5000 in the messages, 4000 in the completion)."
            ),
            8192,
            9000,
        ),
        (
            (
                "This model's maximum context length is 4097 tokens, however you requested 5000 tokens "
                "(1000 in your prompt; 4000 for the completion)."
            ),
            4097,
            5000,
        ),
        (
            (
                "This model's maximum context length is 128000 tokens. However, your messages resulted in"
                " 130000 tokens (129000 in the messages, 1000 in the functions)."
            ),
            128000,
            130000,
        ),
        (
            (
                "Requested token count exceeds the model's maximum context length of 32768 tokens. You "
                "requested a total of 33000 tokens: 32000 tokens from the input messages and 1000 tokens "
                "for the completion."
            ),
            32768,
            33000,
        ),
        ("The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8192, 9000),
        (
            "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
            131072,
            140000,
        ),
        ("prompt token count of 150000 exceeds the limit of 128000 context window", 128000, 150000),
        (
            (
                "Please reduce the length of the messages or completion. Current length is 8453 while "
                "limit is 8192"
            ),
            8192,
            8453,
        ),
        ("Requested tokens (5000) exceed context window of 4096", 4096, 5000),
        (
            "request (15000 tokens) exceeds the available context size (8192 tokens), try increasing it",
            8192,
            15000,
        ),
        (
            "input length and `max_tokens` exceed context limit: 180100 + 20000 > 200000, decrease",
            200000,
            200100,
        ),
        ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 4096, 5000),
        (
            "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model",
            8192,
            9000,
        ),
        ("The prompt is too long: 10000, model maximum context length: 8192", 8192, 10000),
        ("The input token count is 40000 but the model only supports up to 32768.", 32768, 40000),
        (
            "The input token count (1050001) exceeds the maximum number of tokens allowed (1048576).",
            1048576,
            1050001,
        ),
        (
            (
                "You passed 15009 input tokens and requested 4096 output tokens. However, the model's "
                "context length is only 16384 tokens"
            ),
            16384,
            19105,
        ),
        ("Input length (7000) exceeds model's maximum context length (4096).", 4096, 7000),
        (
            (
                "This endpoint's maximum context length is 65536 tokens. However, you requested about "
                "70000 tokens (66000 of text input, 4000 in the output)."
            ),
            65536,
            70000,
        ),
        ("Too many input tokens. Max input tokens: 8192, request input token count: 9001", 8192, 9001),
        ("Prompt length 33000 exceeds the maximum context length of 32k tokens", 32000, 33000),
        ("context length exceeded: 5000 tokens > 4096", 4096, 5000),
    ],
)
def test_of_the_window(text: str, value: float, observed: float | None) -> None:
    assert limit(400, text) == Limit("context_tokens", value, observed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "Rate limit reached for gpt-4 in organization org-x on requests per min (RPM): Limit 3, "
                "Used 3, Requested 1. Please try again in 20s."
            ),
            Limit("requests_per_minute", 3, 4),
        ),
        (
            (
                "Rate limit reached for gpt-4 on requests per day (RPD): Limit 200, Used 200, Requested "
                "1. Please try again in 7m12s."
            ),
            Limit("requests_per_day", 200, 201),
        ),
        (
            (
                "Rate limit reached for default-text in organization org-x on tokens per min. Limit: "
                "150000 / min. Current: 160000 / min."
            ),
            Limit("tokens_per_minute", 150000, 160000),
        ),
        (
            (
                "This request would exceed your organization's rate limit of 40,000 output tokens per "
                "minute (org: 1234-5, model: claude-opus-4-1)."
            ),
            Limit("output_tokens_per_minute", 40000, None),
        ),
        (
            (
                "This request would exceed your organization's maximum usage increase rate for input "
                "tokens per minute."
            ),
            None,
        ),
        (
            "Your account reached max RPM: 3, please try again after 1 seconds",
            Limit("requests_per_minute", 3, None),
        ),
        (
            "You are using a Trial key, which is limited to 40 API calls / minute.",
            Limit("requests_per_minute", 40, None),
        ),
        ("Rate limit exceeded: limit 20 requests per minute", Limit("requests_per_minute", 20, None)),
        ("You are limited to 20 requests per minute", Limit("requests_per_minute", 20, None)),
        ("TPM limit 30000 exceeded", Limit("tokens_per_minute", 30000, None)),
        ("Rate limit: 10 requests/min", Limit("requests_per_minute", 10, None)),
        ("Exceeded the limit of 5 requests per second", Limit("requests_per_second", 5, None)),
        ("Your request reached organization max RPM: 20, current: 21", Limit("requests_per_minute", 20, 21)),
        ("Rate limit exceeded. Limit: 60 requests per hour.", Limit("requests_per_hour", 60, None)),
        (
            "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.",
            Limit("tokens_per_minute", 30000, 40000),
        ),
    ],
)
def test_of_a_rate(text: str, expected: Limit | None) -> None:
    assert limit(429, text) == expected


@pytest.mark.parametrize(
    ("text", "value", "observed"),
    [
        (
            "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for claude-3-5",
            8192,
            9000,
        ),
        (
            (
                "max_tokens is too large: 9000. This model supports at most 4096 completion tokens, "
                "whereas you provided 9000."
            ),
            4096,
            9000,
        ),
    ],
)
def test_of_the_output(text: str, value: float, observed: float | None) -> None:
    assert limit(400, text) == Limit("output_tokens", value, observed)


def test_members_of_the_body_go_first() -> None:
    found = limit(400, "too long", type="exceed_context_size_error", n_ctx=256, n_prompt_tokens=1407)
    assert found == Limit("context_tokens", 256, 1407)
    assert limit(400, "too long", type="exceed_context_size_error", n_ctx="all") is None
    violation = {"quotaId": "GenerateContentInputTokensPerModelPerMinute", "quotaValue": "10000"}
    assert limit(429, "limit: 7", details=[{"violations": [violation]}]) == Limit(
        "input_tokens_per_minute", 10000
    )


def test_of_the_header_with_nothing_remaining() -> None:
    headers = {
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-limit": "50000",
        "anthropic-ratelimit-requests-remaining": "7",
    }
    assert limit(429, "slow", headers) == Limit("input_tokens_per_minute", 50000)
    # Whether a minute or a day is meant, this header does not say.
    assert limit(429, "slow", {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-limit-tokens": "9"}) is None


@pytest.mark.parametrize(
    "text",
    [
        "The prompt is too long",
        "prompt too long; exceeded max context length by 5 tokens",
        "maximum context length is exceeded by gpt-4.1-mini-2025-04-14",
    ],
)
def test_nothing_is_invented(text: str) -> None:
    assert limit(400, text) is None
