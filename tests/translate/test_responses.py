import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_errors import AgentError, UpstreamInvalidResponse, UpstreamRateLimited, UpstreamUnavailable
from agent_errors.translate import from_provider_response, from_stream_event
from agent_errors.translate._providers import COMMON, PROVIDERS, REFINED
from agent_errors.translate._rules import same

DOCUMENTED = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/documented_answers.jsonl").read_text("utf-8").splitlines()
]


LABELS = [f"{number}-{row['provider']}-{row['status']}" for number, row in enumerate(DOCUMENTED, 1)]


@pytest.mark.parametrize("row", DOCUMENTED, ids=LABELS)
def test_what_providers_document(row: dict[str, Any]) -> None:
    """Texts are the vendors' short phrases in our own sentences; ids, keys and names are made up."""
    error = from_provider_response(row["status"], row.get("headers"), row["body"], provider=row["provider"])
    assert error is not None
    assert error.code == row["want"]
    assert error.retryable is row.get("retryable", type(error).retryable)
    assert error.detail
    assert "\n" not in error.detail
    assert error.upstream is not None
    assert error.upstream.provider == row["provider"]
    assert error.upstream.status == row["status"]
    assert error.to_problem(strict=True)


@pytest.mark.parametrize("row", DOCUMENTED, ids=LABELS)
def test_parsed_text_and_bytes_are_the_same(row: dict[str, Any]) -> None:
    text = row["body"] if isinstance(row["body"], str) else json.dumps(row["body"])
    found = [
        from_provider_response(row["status"], row.get("headers"), body, provider=row["provider"])
        for body in (row["body"], text, text.encode())
    ]
    problems = [error and error.to_problem() for error in found]
    assert problems[0] == problems[1] == problems[2]


@pytest.mark.parametrize("names", [provider.names for provider in PROVIDERS], ids=lambda names: names[0])
def test_any_spelling_of_a_name(names: tuple[str, ...]) -> None:
    for name in names:
        for spelling in (name, name.upper(), name.replace("-", "_"), name.replace("-", " ")):
            error = from_provider_response(503, {}, "", provider=spelling)
            assert error is not None
            assert error.upstream is not None
            assert error.upstream.provider == spelling


def test_no_rule_is_written_twice() -> None:
    names = [same(name) for provider in PROVIDERS for name in provider.names]
    assert len(names) == len(set(names))
    for provider in (COMMON, *PROVIDERS):
        for table in (provider.codes, provider.loose):
            assert len({same(code) for code in table}) == len(table), provider.names
        assert not {*map(same, provider.codes)} & {*map(same, provider.loose)}, provider.names
        assert all(phrase == phrase.lower() and phrase for phrase in provider.wording)
        if provider is not COMMON:
            for own, common in ((provider.codes, COMMON.codes), (provider.loose, COMMON.loose)):
                shared = {same(code): kind for code, kind in common.items()}
                assert not [code for code, kind in own.items() if shared.get(same(code)) is kind]
    assert all(kind not in kinds for kind, kinds in REFINED.items())


# What is no failure, and what is one in a success

GOOD: list[Any] = [
    {
        "choices": [{"finish_reason": "stop", "message": {"content": "error: rate limit exceeded"}}],
        "error": None,
    },
    {"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "x"}]}}]},
    {"type": "message", "stop_reason": "end_turn", "content": [{"type": "text", "text": "x"}]},
    {"object": "list", "data": []},
    {"id": "p", "status": "starting", "error": None},
    {"success": True, "errors": [], "result": {"response": "x"}},
    {"code": 200, "message": "ok"},
    {"base_resp": {"status_code": 0, "status_msg": ""}, "choices": [{"message": {"content": "x"}}]},
    [{"embedding": [0.5]}],
    [],
    {},
    None,
    b"\xff\xfb\x90\x00 music",
    "a transcript, as plain text",
    'data: {"choices": []}\n\ndata: [DONE]\n\n',
]


@pytest.mark.parametrize("body", GOOD, ids=lambda body: repr(body)[:40])
def test_no_failure(body: Any) -> None:
    assert from_provider_response(200, {}, body) is None


@pytest.mark.parametrize("status", [None, 0, -1, 99, 600, True, "429", 1e3])
def test_no_status_and_no_body_is_no_failure(status: Any) -> None:
    assert from_provider_response(status, {}, None) is None


def test_no_content_and_informational_answers_are_no_failure() -> None:
    assert from_provider_response(204, {}, "") is None
    assert from_provider_response(101, {}, "") is None


def test_without_a_status_the_body_tells() -> None:
    error = from_provider_response(None, {}, 'failed: {"error": {"message": "slow", "code": 429}}')
    assert isinstance(error, UpstreamRateLimited)
    assert isinstance(from_provider_response(None, {}, {"error": "boom"}), UpstreamUnavailable)


@pytest.mark.parametrize(
    "body",
    ["<!doctype html><title>Sign in</title>", "", '{"id": "x", "choices": [{"mess', "{not json}"],
)
def test_a_success_that_keeps_no_promise(body: str) -> None:
    error = from_provider_response(200, {}, body)
    assert isinstance(error, UpstreamInvalidResponse)
    assert "<" not in (error.detail or "")


@pytest.mark.parametrize(
    "body", [{"detail": "x"}, {"errors": ["x"]}, {"code": "E1", "message": "x"}], ids=str
)
def test_a_success_that_is_none(body: Any) -> None:
    assert isinstance(from_provider_response(200, {}, body), UpstreamUnavailable)


def test_an_error_in_the_events_of_a_success() -> None:
    text = 'data: {"choices": []}\n\nevent: error\ndata: {"error": {"message": "slow", "code": 429}}\n\n'
    assert isinstance(from_provider_response(200, {}, text), UpstreamRateLimited)
    lines = '{"done": false}\n{"error": "llama runner process no longer running"}\n'
    assert isinstance(from_provider_response(200, {}, lines, provider="ollama"), UpstreamUnavailable)


# Streams

EVENTS: list[tuple[str | None, Any, str | None]] = [
    (None, {"type": "error", "code": "rate_limit_exceeded", "message": "slow"}, "upstream.rate_limited"),
    ("error", '{"error": {"type": "api_error", "message": "x"}}', "upstream.unavailable"),
    ("error", "plain text", "upstream.unavailable"),
    ("throttlingException", {"message": "slow"}, "upstream.rate_limited"),
    (None, {"internalServerException": {"message": "x"}}, "upstream.unavailable"),
    (None, {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}, "output.truncated"),
    ("messageStop", {"stopReason": "guardrail_intervened"}, "policy.content_filtered"),
    (
        None,
        {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "x"}},
        "upstream.unavailable",
    ),
    (
        None,
        {"choices": [{"delta": {}, "finish_reason": "error", "error": {"code": 429}}]},
        "upstream.rate_limited",
    ),
    (
        None,
        {"type": "response.failed", "response": {"error": {"code": "server_error"}}},
        "upstream.unavailable",
    ),
    (
        None,
        {
            "type": "response.done",
            "response": {"status": "failed", "status_details": {"error": {"code": "insufficient_quota"}}},
        },
        "upstream.rate_limited",
    ),
    (
        None,
        [{"error": {"code": 503, "status": "UNAVAILABLE", "message": "overloaded"}}],
        "upstream.overloaded",
    ),
    (None, b'{"error": "unexpected EOF"}', "upstream.unavailable"),
    (None, {"type": "response.failed", "response": {"id": "r"}}, "upstream.unavailable"),
    (None, "[DONE]", None),
    (None, "half a line", None),
    ("ping", {"type": "ping"}, None),
    (None, {"choices": [{"delta": {"content": "rate limit"}, "finish_reason": None}]}, None),
    (None, {"type": "response.created", "response": {"status": "in_progress", "error": None}}, None),
    (None, {"type": "response.output_text.delta", "delta": "error: rate limit"}, None),
    (None, {"messageStop": {"stopReason": "end_turn"}}, None),
]


@pytest.mark.parametrize(("event", "data", "code"), EVENTS, ids=range(len(EVENTS)))
def test_events(event: str | None, data: Any, code: str | None) -> None:
    error = from_stream_event(event, data, provider="acme")
    assert (error and error.code) == code
    if error is not None:
        assert error.detail
        assert error.upstream is not None
        assert error.upstream.status is None


# What is filled in


def test_the_detail_is_one_line_bounded_and_without_the_prompt() -> None:
    item = {"type": "missing", "loc": ["body", "model"], "msg": "Field required", "input": "my secret prompt"}
    error = from_provider_response(422, {}, {"detail": [item]}, provider="mistral")
    assert error is not None
    assert error.detail == "mistral 422: body.model: Field required"
    assert "secret" not in error.to_json()
    error = from_provider_response(500, {}, {"error": {"message": "a\nb\t" * 9999}})
    assert error is not None
    assert error.detail is not None
    assert len(error.detail) <= 600
    assert "\n" not in error.detail


@pytest.mark.parametrize(
    ("status", "detail"),
    [
        (429, "acme 429: Too Many Requests, without a message"),
        (599, "acme 599: no message"),
    ],
)
def test_the_detail_of_an_empty_answer(status: int, detail: str) -> None:
    error = from_provider_response(status, {}, "", provider="acme")
    assert error is not None
    assert error.detail == detail


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": {"code": "a_code", "type": "a_type"}}, "a_code"),
        ({"error": {"code": "429", "type": "a_type"}}, "a_type"),
        ({"error": {"code": 429}}, "429"),
        ({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}, "RESOURCE_EXHAUSTED"),
        ({"type": "error", "error": {"type": "a_type"}}, "a_type"),
        ({"error": "a_code", "message": "x"}, "a_code"),
        ({"__type": "com.amazon.coral.service#ThrottlingException"}, "ThrottlingException"),
        ({"type": "https://example.com/problem", "title": "x", "status": 429}, None),
        ({"message": "x"}, None),
    ],
)
def test_the_code_of_the_vendor(body: Any, code: str | None) -> None:
    error = from_provider_response(429, {}, body)
    assert error is not None
    assert error.upstream is not None
    assert error.upstream.code == code


def test_the_request_id_of_body_and_headers() -> None:
    for headers, body, expected in [
        ({"Request-Id": "r1"}, {"request_id": "r2"}, "r1"),
        ({}, {"type": "error", "error": {"type": "api_error"}, "request_id": "r2"}, "r2"),
        ({"x-amzn-RequestId": "r3"}, None, "r3"),
        ({}, {}, None),
    ]:
        error = from_provider_response(500, headers, body)
        assert error is not None
        assert error.upstream is not None
        assert error.upstream.request_id == expected


def test_a_flag_of_the_body() -> None:
    error = from_provider_response(503, {}, {"error": {"message": "x", "retryable": False}})
    assert error is not None
    assert not error.retryable
    assert "retryable" in error.stated


def test_what_the_class_says_is_not_stated_again() -> None:
    error = from_provider_response(429, {"x-should-retry": "true"}, "slow")
    assert error is not None
    assert "retryable" not in error.stated


# Anything at all

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
NAMES = st.sampled_from(
    ["error", "message", "code", "type", "status", "details", "detail", "choices", "response"]
)
JSON: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(), inner, max_size=5)
)
PROVIDER = st.none() | st.text() | st.sampled_from([provider.names[0] for provider in PROVIDERS])


@given(st.none() | st.integers() | st.integers(100, 599), JSON, JSON | st.binary(), PROVIDER)
def test_any_answer(status: int | None, headers: Any, body: Any, provider: str | None) -> None:
    error = from_provider_response(status, headers, body, provider=provider)
    check(error)
    if status is not None and 400 <= status <= 599:
        assert error is not None


@given(
    st.none() | st.text() | st.sampled_from(["error", "throttlingException"]), JSON | st.binary(), PROVIDER
)
def test_any_event(event: str | None, data: Any, provider: str | None) -> None:
    check(from_stream_event(event, data, provider=provider))


def check(error: AgentError | None) -> None:
    if error is not None:
        assert error.provenance == "translated"
        assert error.detail
        assert len(error.detail.splitlines()) == 1
        assert error.retry_after is None or 0 <= error.retry_after <= 366 * 86400
        error.to_problem(strict=True)


class Hostile(dict[str, Any]):
    def get(self, *_: Any) -> Any:
        raise RuntimeError

    def items(self) -> Any:
        raise RuntimeError


class HostileMapping(Mapping[str, Any]):
    def __getitem__(self, name: str) -> Any:
        raise RuntimeError

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError


@pytest.mark.parametrize(
    "odd", [Hostile(a=1), HostileMapping(), object(), [1, (2,)], iter("ab"), {1: 2}, {"a": object()}]
)
def test_hostile_objects(odd: Any) -> None:
    assert isinstance(from_provider_response(429, odd, odd), UpstreamRateLimited)
    assert isinstance(from_provider_response(429, odd, {"error": "x"}), UpstreamRateLimited)
    from_provider_response(200, odd, odd)
    from_provider_response(odd, odd, odd, provider=odd)
    from_stream_event(odd, odd, provider=odd)


DEEP = 100_000


@pytest.mark.parametrize(
    "text",
    [
        '{"error":' * DEEP,
        "[" * DEEP,
        '{"error": "' + "{'a': " * DEEP,
        '{"error": {"message": "' + "\\\\'" * DEEP + '{:"}}',
        "'{:" + "\\'" * DEEP,
        "<title>" * DEEP,
        "<" * DEEP,
        "try again in " * DEEP,
        "limit 1 tokens per minute " * DEEP,
        "1" * 10 * DEEP,
        "exceed " * DEEP,
        '"message":' * DEEP,
        "{" + '"message": "' * DEEP,
        "retry 1h" * DEEP,
    ],
    ids=lambda text: text[:24],
)
def test_long_and_deep_answers_take_no_time(text: str) -> None:
    began = time.process_time()
    for status in (400, 429, 200):
        from_provider_response(status, {"retry-after": text, text[:9999]: text}, text)
        from_provider_response(status, {}, {"error": {"message": text, "code": text, "type": text}})
        from_stream_event("error", text)
    assert time.process_time() - began < 2


def test_at_most_16_ki_characters_are_looked_at() -> None:
    error = from_provider_response(400, {}, {"error": {"message": "x" * 16_384 + "prompt is too long"}})
    assert error is not None
    assert error.code == "upstream.invalid_request"


def test_the_core_does_not_load_this() -> None:
    import subprocess  # noqa: PLC0415

    program = (
        "import sys, agent_errors; assert not [m for m in sys.modules if 'translate' in m or 'bindings' in m]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
