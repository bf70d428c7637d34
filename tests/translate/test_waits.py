from datetime import UTC, datetime
from typing import Any

import pytest

from agent_errors.translate import from_provider_response

NOW = datetime(2026, 10, 21, 7, 27, tzinfo=UTC)


def wait(headers: Any = (), body: Any = None, status: int = 429) -> float | None:
    error = from_provider_response(status, headers, body, provider="acme", now=NOW)
    assert error is not None
    return error.retry_after


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please try again in 7m12.5s.", 432.5),
        ("Try again in 114h18m0s", 411_480),
        ("try again in 9.816s", 9.816),
        ("Please retry after 20 seconds.", 20),
        ("Please retry in 900.2ms.", 0.9002),
        ("Try again in 2 minutes.", 120),
        ("try again in 1 hour 30 minutes", 5400),
        ("try again in 1 day, 2 hours", 93_600),
        ("Your rate limit resets in ~30s.", 30),
        ("Wait for 2.5 seconds", 2.5),
        ("Your quota will reset after 19h14m47s.", 69_287),
        ("available again in 12 sec", 12),
        ("请在30秒后重试", 30),
        ("请 5 分钟后再试", 300),
        ("Retry in 0s", 0),
        ("again later", None),
        ("Please retry after 30", None),  # of what?
        ("try again in 9999 days", None),
        ("try again in 5 attempts", None),
        ("took 20 seconds", None),
    ],
)
def test_in_text(text: str, seconds: float | None) -> None:
    assert wait(body={"error": {"message": text}}) == (seconds and pytest.approx(seconds))


RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo"


@pytest.mark.parametrize(
    ("member", "seconds"),
    [
        ({"retry_after": 3}, 3),
        ({"retryAfter": "3"}, 3),
        ({"retry_after_ms": 1500}, 1.5),
        ({"resets_in_seconds": 18_000}, 18_000),
        ({"resets_at": NOW.timestamp() + 60}, 60),
        ({"reset_at": "2026-10-21T07:28:00Z"}, 60),
        ({"details": [{"@type": RETRY_INFO, "retryDelay": "34.074824224s"}]}, 34.074824224),
        ({"details": [{"@type": RETRY_INFO, "retryDelay": {"seconds": "9", "nanos": 500_000_000}}]}, 9.5),
        ({"details": [{"@type": RETRY_INFO, "retryDelay": {"seconds": "x"}}]}, None),
        ({"retry_after": -1}, None),
        ({"retry_after": True}, None),
        ({"retry_after": float("nan")}, None),
        ({"retry_after": float("inf")}, None),
        ({"retry_after": "soon"}, None),
        ({"retry_after": []}, None),
        ({"retry_after": 10**8}, None),
    ],
)
def test_in_the_body(member: dict[str, Any], seconds: float | None) -> None:
    assert wait(body={"error": {"message": "slow", **member}}) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "20"}, 20),
        ({"RETRY-AFTER-MS": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "junk", "retry-after": "2"}, 2),
        ({"retry-after-ms": "-1000"}, None),
        ([("retry-after", "5"), ("Retry-After", "9")], 5),
        ([(b"retry-after", b"5")], 5),
        ({"retry-after": ["5", "9"]}, 5),
        ({"retry-after": 5}, 5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360),
        ({"x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 30)}, 30),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str((int(NOW.timestamp()) + 30) * 1000)}, 30),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) - 30)}, 0),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2026-10-21T07:28:00Z",
            },
            60,
        ),
        (
            {
                "anthropic-ratelimit-unified-status": "rejected",
                "anthropic-ratelimit-unified-reset": str(int(NOW.timestamp()) + 60),
            },
            60,
        ),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}, None),
        ({"ratelimit": '"api";r=0;t=55'}, 55),
        ({"ratelimit": "limit=100, remaining=0, reset=50"}, 50),
        ({"ratelimit": '"api";r=3;t=55'}, None),
    ],
)
def test_in_headers(headers: Any, seconds: float | None) -> None:
    assert wait(headers) == seconds


def test_the_surer_source_goes_first() -> None:
    body = {"error": {"message": "try again in 3s", "retry_after": 2}}
    reset = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "4"}
    assert wait({"retry-after": "1", **reset}, body) == 1
    assert wait(reset, body) == 2
    assert wait(reset, {"error": {"message": "try again in 3s"}}) == 3
    assert wait(reset) == 4


def test_a_date_counts_from_the_clock_of_the_service() -> None:
    headers = {"date": "Tue, 01 Sep 2026 12:00:00 GMT", "retry-after": "Tue, 01 Sep 2026 12:01:30 GMT"}
    error = from_provider_response(429, headers, "")
    assert error is not None
    assert error.retry_after == 90


def test_headers_that_a_gateway_passed_on() -> None:
    reset = int(NOW.timestamp()) * 1000 + 5000
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
    assert wait(body={"error": {"message": "slow", "code": 429, "metadata": {"headers": headers}}}) == 5


def test_what_no_wait_ends_has_none() -> None:
    assert wait({"retry-after": "5"}, {"error": {"code": "insufficient_quota"}}) is None
    assert wait({"retry-after": "5"}, status=401) is None
    assert wait({"retry-after": "5", "x-should-retry": "true"}, status=400) == 5
