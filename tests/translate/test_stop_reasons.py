"""Stop reasons, whole answers and the ends of streams. The enums are typed in by hand."""

import json
from enum import Enum, IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_errors import AgentError, Limit, Location, OutputEmpty, UpstreamInfo, UpstreamUnavailable
from agent_errors.translate._stop_reason_tables import (
    COMPLETE,
    FINAL,
    OWN_TABLES,
    SENTENCES,
    STOP_REASONS,
    UNFINISHED,
)
from agent_errors.translate._stop_reasons import from_model_response, from_stop_reason, from_stream_end

NONE = "no error"

ENUMS: dict[str, dict[str, str]] = {
    "openai.chat": {
        NONE: "stop tool_calls function_call",
        "output.truncated": "length",
        "policy.content_filtered": "content_filter",
    },
    "openai.responses.status": {
        NONE: "completed in_progress queued",
        "harness.cancelled": "cancelled",
        "output.truncated": "incomplete",
        "upstream.unavailable": "failed",
    },
    "openai.responses.incomplete_details": {
        NONE: "steered",
        "loop.max_turns_exceeded": "max_messages",
        "output.truncated": "max_output_tokens",
        "policy.content_filtered": "content_filter",
    },
    "openai.responses.error": {
        "policy.content_filtered": "invalid_prompt bio_policy misalignment_policy_violation "
        "image_content_policy_violation",
        "tool.timeout": "vector_store_timeout",
        "upstream.invalid_request": "data_residency_mismatch failed_to_download_image",
        "upstream.rate_limited": "rate_limit_exceeded",
        "upstream.unavailable": "server_error",
    },
    "openai.realtime": {
        NONE: "turn_detected",
        "harness.cancelled": "client_cancelled",
        "output.truncated": "max_output_tokens",
        "policy.content_filtered": "content_filter",
    },
    "anthropic": {
        NONE: "end_turn stop_sequence tool_use pause_turn compaction",
        "context.window_exceeded": "model_context_window_exceeded",
        "output.truncated": "max_tokens",
        "policy.model_refusal": "refusal",
    },
    "google.FinishReason": {
        NONE: "FINISH_REASON_UNSPECIFIED STOP",
        "loop.budget_exceeded": "TOO_MANY_TOOL_CALLS",
        "output.empty": "NO_IMAGE IMAGE_OTHER",
        "output.invalid_tool_arguments": "MALFORMED_FUNCTION_CALL",
        "output.malformed": "MALFORMED_RESPONSE",
        "output.truncated": "MAX_TOKENS CONTINUATION",
        "output.unknown_tool": "UNEXPECTED_TOOL_CALL",
        "policy.content_filtered": "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY "
        "IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION MODEL_ARMOR ESCALATION LANGUAGE",
        "upstream.authentication_failed": "PUP_LIMITED_DISABLED",
        "upstream.invalid_request": "MISSING_THOUGHT_SIGNATURE",
        "upstream.unavailable": "OTHER",
    },
    "google.BlockedReason": {
        "policy.content_filtered": "BLOCKED_REASON_UNSPECIFIED SAFETY OTHER BLOCKLIST PROHIBITED_CONTENT "
        "IMAGE_SAFETY MODEL_ARMOR JAILBREAK",
    },
    "bedrock": {
        NONE: "end_turn tool_use stop_sequence",
        "context.window_exceeded": "model_context_window_exceeded",
        "output.invalid_tool_arguments": "malformed_tool_use",
        "output.malformed": "malformed_model_output",
        "output.truncated": "max_tokens",
        "policy.content_filtered": "guardrail_intervened content_filtered",
    },
    "bedrock.agentcore": {
        NONE: "end_turn tool_use tool_result stop_sequence partial_turn",
        "context.window_exceeded": "model_context_window_exceeded",
        "harness.cancelled": "interrupted",
        "loop.budget_exceeded": "max_output_tokens_exceeded",
        "loop.max_turns_exceeded": "max_iterations_exceeded",
        "loop.timeout": "timeout_exceeded",
        "output.invalid_tool_arguments": "malformed_tool_use",
        "output.malformed": "malformed_model_output",
        "output.truncated": "max_tokens",
        "policy.content_filtered": "content_filtered",
        "policy.guardrail_triggered": "hook_stopped",
    },
    "bedrock.titan": {
        NONE: "FINISH STOP_CRITERIA_MET",
        "output.truncated": "LENGTH",
        "policy.content_filtered": "CONTENT_FILTERED",
    },
    "cohere.v2": {
        NONE: "COMPLETE STOP_SEQUENCE TOOL_CALL",
        "output.truncated": "MAX_TOKENS",
        "upstream.unavailable": "ERROR TIMEOUT",
    },
    "cohere.v1": {
        NONE: "COMPLETE STOP_SEQUENCE",
        "context.window_exceeded": "ERROR_LIMIT",
        "harness.cancelled": "USER_CANCEL",
        "output.truncated": "MAX_TOKENS",
        "policy.content_filtered": "ERROR_TOXIC",
        "upstream.unavailable": "ERROR TIMEOUT",
    },
    "mistral": {
        NONE: "stop tool_calls",
        "context.window_exceeded": "model_length",
        "output.truncated": "length",
        "upstream.unavailable": "error",
    },
    "groq": {
        NONE: "stop tool_calls function_call",
        "output.invalid_tool_arguments": "tool_use_failed",
        "output.truncated": "length",
    },
    "deepseek": {
        NONE: "stop tool_calls",
        "output.truncated": "length",
        "policy.content_filtered": "content_filter",
        "upstream.overloaded": "insufficient_system_resource",
    },
    "xai": {
        NONE: "REASON_STOP REASON_TOOL_CALLS",
        "context.window_exceeded": "REASON_MAX_CONTEXT",
        "output.truncated": "REASON_MAX_LEN",
        "upstream.unavailable": "REASON_TIME_LIMIT",
    },
    "zhipu": {
        NONE: "stop tool_calls",
        "context.window_exceeded": "model_context_window_exceeded",
        "output.truncated": "length",
        "policy.content_filtered": "sensitive",
        "upstream.unavailable": "network_error",
    },
    "dashscope": {NONE: "null stop tool_calls", "output.truncated": "length"},
    "ollama": {NONE: "stop load unload", "output.truncated": "length"},
    "huggingface": {NONE: "stop eos_token stop_sequence tool_calls", "output.truncated": "length"},
    "vllm": {NONE: "stop tool_calls", "output.truncated": "length", "upstream.unavailable": "abort error"},
    "llamacpp": {NONE: "eos word", "output.truncated": "limit"},
    "watsonx": {
        NONE: "not_finished eos_token stop_sequence",
        "harness.cancelled": "cancelled",
        "output.truncated": "max_tokens token_limit",
        "upstream.unavailable": "time_limit error",
    },
    "replicate": {
        NONE: "starting processing succeeded",
        "harness.cancelled": "canceled",
        "upstream.unavailable": "aborted failed",
    },
    "strands": {
        NONE: "end_turn tool_use stop_sequence checkpoint interrupt",
        "harness.cancelled": "cancelled",
        "loop.budget_exceeded": "limit_output_tokens limit_total_tokens",
        "loop.max_turns_exceeded": "limit_turns",
        "output.truncated": "max_tokens",
        "policy.content_filtered": "content_filtered guardrail_intervened",
    },
    "pydantic_ai": {
        NONE: "stop tool_call",
        "output.truncated": "length",
        "policy.content_filtered": "content_filter",
        "upstream.unavailable": "error",
    },
    "autogen": {
        NONE: "stop function_calls unknown",
        "output.truncated": "length",
        "policy.content_filtered": "content_filter",
    },
    "haystack": {"loop.max_turns_exceeded": "max_agent_steps"},
    "smolagents": {NONE: "success", "loop.max_turns_exceeded": "max_steps_error"},
    "claude_agent_sdk.subtype": {
        NONE: "success",
        "harness.internal_error": "error_during_execution",
        "loop.budget_exceeded": "error_max_budget_usd",
        "loop.max_turns_exceeded": "error_max_turns",
        "output.retries_exhausted": "error_max_structured_output_retries",
    },
    "claude_agent_sdk.error": {
        "upstream.authentication_failed": "authentication_failed",
        "upstream.invalid_request": "invalid_request",
        "upstream.rate_limited": "billing_error rate_limit",
        "upstream.unavailable": "server_error unknown",
    },
}
VALUES = [
    (enum, value, None if code == NONE else code)
    for enum, codes in ENUMS.items()
    for code, values in codes.items()
    for value in values.split()
]
PREFIX = {"google.BlockedReason": "BlockedReason."}
PROVIDER = {"claude_agent_sdk.error": "claude_agent_sdk"}


def code_of(error: AgentError | None) -> str | None:
    return error.code if error else None


def stop_reason_of(error: AgentError | None) -> str | None:
    assert error
    assert error.detail
    assert error.provenance == "translated"
    return error.upstream.stop_reason if error.upstream else None


# The tables


def test_the_tables_have_these_values_and_no_others() -> None:
    """MP-1."""
    assert {
        (enum, value, meaning and meaning.code)
        for enum, table in STOP_REASONS.items()
        for value, meaning in table.items()
    } == set(VALUES)


@pytest.mark.parametrize(("enum", "value", "code"), VALUES)
def test_each_value_of_each_enum(enum: str, value: str, code: str | None) -> None:
    """MP-1."""
    error = from_stop_reason(PREFIX.get(enum, "") + value, provider=PROVIDER.get(enum, "acme"))
    assert code_of(error) == code
    if error:
        assert stop_reason_of(error) == PREFIX.get(enum, "") + value


def test_what_else_the_tables_name_is_in_them() -> None:
    assert {value for _, value, _ in VALUES} >= {*FINAL, *UNFINISHED, *COMPLETE}
    assert set(OWN_TABLES.values()) <= set(STOP_REASONS)
    used = {meaning for table in STOP_REASONS.values() for meaning in table.values() if meaning}
    assert {meaning.code for meaning in used} | {"upstream.invalid_response"} == {
        cls.code for cls in SENTENCES
    }


@pytest.mark.parametrize(
    "spelling",
    [
        "SAFETY",
        "safety",
        "FinishReason.SAFETY",
        "FINISH_REASON_SAFETY",
        "FinishReason.FINISH_REASON_SAFETY",
        "types.FinishReason.SAFETY",
    ],
)
def test_spellings_of_a_value(spelling: str) -> None:
    error = from_stop_reason(spelling)
    assert code_of(error) == "policy.content_filtered"
    assert stop_reason_of(error) == spelling


@pytest.mark.parametrize("spelling", ["max_tokens", "maxTokens", "MAX_TOKENS", "max-tokens", "Max Tokens"])
def test_separators_do_not_count(spelling: str) -> None:
    assert code_of(from_stop_reason(spelling)) == "output.truncated"


def test_a_word_with_two_meanings() -> None:
    assert code_of(from_stop_reason("FinishReason.OTHER")) == "upstream.unavailable"
    assert code_of(from_stop_reason("BLOCK_REASON_OTHER")) == "policy.content_filtered"
    assert from_stop_reason("unknown") is None
    assert code_of(from_stop_reason("unknown", provider="claude-agent-sdk")) == "upstream.unavailable"


def test_no_credit_is_not_retried() -> None:
    error = from_stop_reason("billing_error")
    assert error
    assert not error.retryable
    error = from_stop_reason("rate_limit")
    assert error
    assert error.retryable


def test_what_is_told() -> None:
    error = from_stop_reason("max_tokens", provider="anthropic")
    assert error
    assert error.detail == "The output was cut off at a token limit (stop reason 'max_tokens')."
    assert error.upstream == UpstreamInfo(provider="anthropic", stop_reason="max_tokens")
    assert error.provenance == "translated"


class Text(StrEnum):
    SAFETY = "safety"


class Value(Enum):
    LIMIT = "length"


class Number(IntEnum):
    MAX_TOKENS = 2


def test_members_of_enums() -> None:
    assert stop_reason_of(from_stop_reason(Text.SAFETY)) == "safety"
    assert type(stop_reason_of(from_stop_reason(Text.SAFETY))) is str
    assert code_of(from_stop_reason(Value.LIMIT)) == "output.truncated"
    assert code_of(from_stop_reason(Number.MAX_TOKENS)) == "output.truncated"


@pytest.mark.parametrize("reason", [None, "", " ", "no such reason", 2, b"length", ["length"], "length" * 20])
def test_nothing_is_invented(reason: object) -> None:
    assert from_stop_reason(reason, provider="acme") is None


# Whole answers


def test_policy_03_a_filter_before_null_content() -> None:
    choice = {
        "index": 0,
        "finish_reason": "content_filter",
        "message": {"role": "assistant", "content": None},
    }
    error = from_model_response({"choices": [choice]}, provider="azure", status=200)
    assert code_of(error) == "policy.content_filtered"
    assert error
    assert error.upstream == UpstreamInfo(provider="azure", status=200, stop_reason="content_filter")


def test_policy_05_a_filter_of_gemini_with_nothing_else() -> None:
    error = from_model_response({"candidates": [{"finishReason": "PROHIBITED_CONTENT", "content": {}}]})
    assert code_of(error) == "policy.content_filtered"
    assert stop_reason_of(error) == "PROHIBITED_CONTENT"
    assert error
    assert not error.retryable


def test_policy_06_a_refusal_beside_a_normal_stop() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I will not help to do this."}
    error = from_model_response(
        {"choices": [{"finish_reason": "stop", "message": message}]}, provider="openai"
    )
    assert code_of(error) == "policy.model_refusal"
    assert stop_reason_of(error) == "stop"
    assert error
    assert error.origin == "model"
    assert not error.model_recoverable
    assert "I will not" not in error.to_json()  # the model's words are output


def test_policy_08_a_refusal_of_anthropic_with_nothing_else() -> None:
    details = {"type": "refusal", "category": "bio", "explanation": "It asks for a pathogen."}
    answer = {"type": "message", "content": [], "stop_reason": "refusal", "stop_details": details}
    error = from_model_response(answer)
    assert code_of(error) == "policy.model_refusal"
    assert stop_reason_of(error) == "refusal"
    assert error
    assert error.upstream
    assert error.upstream.message == "It asks for a pathogen."
    assert not error.retryable


@pytest.mark.parametrize(
    ("reason", "code"),
    [("max_output_tokens", "output.truncated"), ("content_filter", "policy.content_filtered")],
)
def test_stream_errors_08_incomplete_responses(reason: str, code: str) -> None:
    answer = {"object": "response", "status": "incomplete", "incomplete_details": {"reason": reason}}
    event = {"type": "response.incomplete", "response": answer}
    for error in (
        from_model_response(answer),
        from_model_response(event, whole=False),
        from_stream_end(event),
        from_stop_reason(reason),
    ):
        assert code_of(error) == code
        assert stop_reason_of(error) == reason


def test_output_01_truncated_rather_than_malformed() -> None:
    """CO-7. The output itself is not repeated."""
    choice = {
        "finish_reason": "length",
        "message": {"role": "assistant", "content": '{"name": "Zoe", "n": [1,'},
    }
    error = from_model_response({"choices": [choice]})
    assert code_of(error) == "output.truncated"
    assert error
    assert "Zoe" not in error.to_json()


@pytest.mark.parametrize(
    "answer",
    [
        {
            "stop_reason": "max_tokens",
            "content": [
                {"type": "text", "text": "So:"},
                {"type": "tool_use", "id": "call_7", "name": "save"},
            ],
        },
        {
            "choices": [
                {
                    "finish_reason": "length",
                    "message": {
                        "tool_calls": [{"id": "call_7", "function": {"name": "save", "arguments": "{}"}}]
                    },
                }
            ]
        },
        {
            "stopReason": "max_tokens",
            "output": {"message": {"content": [{"toolUse": {"toolUseId": "call_7", "name": "save"}}]}},
        },
        {
            "object": "response",
            "status": "incomplete",
            "incomplete_details": {"reason": "max_output_tokens"},
            "output": [{"type": "function_call", "id": "fc_1", "call_id": "call_7", "name": "save"}],
        },
        {
            "candidates": [
                {
                    "finishReason": "MAX_TOKENS",
                    "content": {"parts": [{"functionCall": {"id": "call_7", "name": "save"}}]},
                }
            ]
        },
        {"stop_reason": "max_tokens", "tool_calls": [{"id": "call_7", "name": "save", "arguments": "{}"}]},
    ],
)
def test_output_03_a_tool_call_that_is_cut_off_but_can_be_read(answer: object) -> None:
    error = from_model_response(answer)
    assert code_of(error) == "output.truncated"
    assert error
    assert error.location == Location(tool_name="save", tool_call_id="call_7")


def test_text_that_is_cut_off_is_no_tool_call() -> None:
    error = from_model_response({"stop_reason": "max_tokens", "content": [{"type": "text", "text": "So:"}]})
    assert code_of(error) == "output.truncated"
    assert error
    assert error.location is None


def test_output_05_a_function_call_that_cannot_be_read() -> None:
    finish = {
        "finishReason": "MALFORMED_FUNCTION_CALL",
        "finishMessage": "Malformed function call: print(",
        "index": 0,
    }
    error = from_model_response({"candidates": [finish]})
    assert code_of(error) == "output.invalid_tool_arguments"
    assert stop_reason_of(error) == "MALFORMED_FUNCTION_CALL"
    assert error
    assert error.model_recoverable
    assert error.upstream
    assert error.upstream.message == "Malformed function call: print("


def test_output_06_nothing_in_it_and_a_normal_stop() -> None:
    error = from_model_response({"candidates": [{"finishReason": "STOP", "content": {"parts": []}}]})
    assert code_of(error) == "output.empty"
    assert error
    assert error.retryable
    assert error.model_recoverable


@pytest.mark.parametrize(
    ("feedback", "reason"),
    [
        ({"promptFeedback": {"blockReason": "OTHER"}}, "OTHER"),
        ({"promptFeedback": {"blockReason": "BRAND_NEW"}}, "BRAND_NEW"),
        ({"prompt_feedback": {"block_reason": "BLOCKED_REASON_UNSPECIFIED"}}, "BLOCKED_REASON_UNSPECIFIED"),
    ],
)
def test_a_blocked_prompt(feedback: dict[str, Any], reason: str) -> None:
    error = from_model_response(feedback)
    assert code_of(error) == "policy.content_filtered"
    assert stop_reason_of(error) == reason


EMPTY: list[dict[str, Any]] = [
    {"choices": []},
    {"candidates": []},
    {
        "choices": [
            {"finish_reason": "stop", "message": {"role": "assistant", "content": " \n", "refusal": None}}
        ]
    },
    {"choices": [{"finish_reason": "stop", "message": {"content": "", "reasoning_content": "Let me see."}}]},
    {"choices": [{"finish_reason": "stop", "text": ""}]},
    {"candidates": [{"finishReason": "STOP"}]},
    {"candidates": [{"finishReason": "STOP", "content": {"parts": [{"thought": True, "text": "Hm."}]}}]},
    {"type": "message", "content": [{"type": "thinking", "thinking": "Hm."}], "stop_reason": "end_turn"},
    {"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "end_turn"},
    {"object": "response", "status": "completed", "output": [], "text": {"format": {"type": "text"}}},
    {"object": "response", "status": "completed", "output": [{"type": "reasoning", "id": "rs_1"}]},
    {"finish_reason": "COMPLETE", "message": {"role": "assistant", "content": []}},
    {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"},
    {"results": [{"generated_text": "", "stop_reason": "eos_token"}]},
]


@pytest.mark.parametrize("answer", EMPTY)
def test_an_answer_with_nothing_in_it(answer: dict[str, Any]) -> None:
    assert code_of(from_model_response(answer)) == "output.empty"
    assert from_model_response(answer, whole=False) is None
    assert from_model_response({**answer, "error": {"message": "out of order"}}) is None


GOOD: list[Any] = [
    None,
    "text",
    [],
    ["text"],
    {},
    {"status": "failed"},
    {"results": []},
    {"results": [{"flagged": True}]},
    {"object": "list", "data": [{"embedding": [0.1]}]},
    {"choices": [{"finish_reason": "stop", "message": {"content": "Yes."}}]},
    {
        "choices": [
            {"finish_reason": "stop", "message": {"content": None, "audio": {"id": "a", "data": "UklG"}}}
        ]
    },
    {"choices": [{"finish_reason": "stop", "delta": {}}]},
    {"choices": [{"finish_reason": "stop", "stop_reason": "length", "message": {"content": "Yes."}}]},
    {"choices": [{"finish_reason": "content_filter"}, {"finish_reason": "stop", "text": "Yes."}]},
    {"choices": [{"finish_reason": "tool_calls", "message": {"content": None, "tool_calls": [{"id": "c"}]}}]},
    {
        "candidates": [
            {"finishReason": "STOP", "content": {"parts": [{"functionCall": {"name": "f", "args": {}}}]}}
        ]
    },
    {"content": [], "stop_reason": "stop_sequence"},
    {"content": [], "stop_reason": "pause_turn"},
    {"content": [{"type": ["odd"], "text": "Yes."}], "stop_reason": "end_turn"},
    {"object": "response", "status": "in_progress", "output": []},
    {"object": "response", "status": "incomplete", "incomplete_details": {"reason": "steered"}, "output": []},
    {"finish_reason": "COMPLETE", "text": "", "tool_calls": [{"name": "f", "parameters": {}}]},
    {"message": {"content": ""}, "done": True, "done_reason": "load"},
    {"finish_reason": "stop", "content": "x" * 20_000},
    {"finish_reason": "stop", "content": [[]] * 20_000},
    {"finish_reason": "error", "error": {"code": 502, "message": "Bad gateway"}},
    [
        {"candidates": [{"content": {"parts": [{"text": "Yes."}]}}]},
        {"candidates": [{"finishReason": "STOP"}]},
    ],
]


@pytest.mark.parametrize("answer", GOOD)
def test_an_answer_that_is_good_or_unknown(answer: object) -> None:
    assert from_model_response(answer) is None


BAD: list[tuple[Any, str, str | None]] = [
    ([{"finish_reason": "length", "generated_text": "So"}], "output.truncated", "length"),
    ([{"generated_text": "So", "details": {"finish_reason": "length"}}], "output.truncated", "length"),
    ({"results": [{"outputText": "So", "completionReason": "LENGTH"}]}, "output.truncated", "LENGTH"),
    ({"response": {"candidates": [{"finishReason": "SPII"}]}}, "policy.content_filtered", "SPII"),
    ({"object": "response", "status": "incomplete"}, "output.truncated", "incomplete"),
    ({"object": "response", "status": "cancelled"}, "harness.cancelled", "cancelled"),
    ({"object": "response", "status": "failed", "error": None}, "upstream.unavailable", "failed"),
    (
        {"object": "response", "status": "incomplete", "incomplete_details": {"reason": "brand_new"}},
        "output.truncated",
        "incomplete",
    ),
    (
        {
            "object": "response",
            "status": "completed",
            "output": [{"content": [{"type": "refusal", "refusal": "No."}]}],
        },
        "policy.model_refusal",
        "completed",
    ),
    (
        {"choices": [{"finish_reason": "error", "native_finish_reason": "SAFETY"}]},
        "policy.content_filtered",
        "SAFETY",
    ),
    (
        {"choices": [{"finish_reason": "error", "native_finish_reason": "weird"}]},
        "upstream.unavailable",
        "error",
    ),
    (
        {"choices": [{"finish_reason": "length"}, {"finish_reason": "content_filter"}]},
        "output.truncated",
        "length",
    ),
    (  # the reason says more than the error
        {"error": {"code": "server_error"}, "incomplete_details": {"reason": "max_output_tokens"}},
        "output.truncated",
        "max_output_tokens",
    ),
]


@pytest.mark.parametrize(("answer", "code", "reason"), BAD)
def test_an_answer_that_is_an_error(answer: object, code: str, reason: str | None) -> None:
    error = from_model_response(answer, status=200)
    assert code_of(error) == code
    assert stop_reason_of(error) == reason


def test_the_limit_that_was_reached() -> None:
    answer = {
        "object": "response",
        "incomplete_details": {"reason": "max_output_tokens"},
        "max_output_tokens": 64,
        "usage": {"output_tokens": 64},
    }
    error = from_model_response(answer)
    assert error
    assert error.limit == Limit("output_tokens", 64, 64)
    error = from_model_response({**answer, "usage": None})
    assert error
    assert error.limit == Limit("output_tokens", 64)


def test_the_error_of_a_choice() -> None:
    """A gateway reports it there; what it means, the rules of providers say."""
    failed = {"index": 0, "finish_reason": "error", "error": {"code": 429, "message": "Rate limit exceeded"}}
    assert (
        code_of(from_model_response({"choices": [failed]}, provider="openrouter")) == "upstream.rate_limited"
    )
    assert (
        code_of(from_model_response({"choices": [{**failed, "finish_reason": "length"}]}))
        == "output.truncated"
    )
    assert code_of(from_model_response({"choices": [{**failed, "error": 7}]})) == "upstream.unavailable"


# The ends of streams

WHOLE: list[Any] = [
    "[DONE]",
    b"data: [DONE]\n\n",
    {"event": "done", "data": "[DONE]"},
    {"event": "done", "data": {}},
    {"choices": [{"delta": {}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"total_tokens": 7}},
    {"type": "response.completed", "response": {"object": "response", "status": "completed", "output": []}},
    {"type": "response.done", "response": {"object": "realtime.response", "status": "completed"}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
    'event: message_stop\ndata: {"type": "message_stop"}\n\n',
    {"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "STOP"}]},
    '[{"candidates": [{"finishReason": "STOP"}]}]',
    {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": {"text": "Yes."}},
    {"model": "m", "done": True, "done_reason": "stop"},
    b'{"model": "m", "done": true}',
    {"messageStop": {"stopReason": "end_turn"}},
    {"metadata": {"usage": {"totalTokens": 7}, "metrics": {"latencyMs": 7}}},
    {"usage": {"totalTokens": 7}, "metrics": {"latencyMs": 7}},
    {"token": {"text": "."}, "generated_text": "Yes.", "details": {"finish_reason": "eos_token"}},
    {"content": "", "stop": True},
    {"choices": [{"delta": {}, "finish_reason": "brand_new"}]},
]

BROKEN_OFF: list[Any] = [
    None,
    "",
    b"\xff",
    "[" * 100_000,
    7,
    '{"choices": [{"delta": {"con',
    {"choices": [{"delta": {"content": "Y"}, "finish_reason": None}]},
    {"choices": [{"delta": {"content": "Y"}, "finish_reason": "null"}]},
    {"choices": [], "prompt_filter_results": []},
    {"type": "response.output_text.delta", "delta": "Y"},
    {"type": "response.in_progress", "response": {"object": "response", "status": "in_progress"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Y"}},
    {"type": "message_start", "message": {"content": [], "stop_reason": None, "usage": {"input_tokens": 7}}},
    'event: ping\ndata: {"type": "ping"}',
    {"candidates": [{"content": {"parts": [{"text": "Y"}]}}], "usageMetadata": {"totalTokenCount": 7}},
    {"candidates": [{"content": {"parts": [{"text": "Y"}]}, "finishReason": "FINISH_REASON_UNSPECIFIED"}]},
    {"type": "content-delta", "delta": {"message": {"content": {"text": "Y"}}}},
    {"model": "m", "message": {"content": "Y"}, "done": False},
    {"contentBlockDelta": {"delta": {"text": "Y"}}},
    {"token": {"text": "Y"}, "generated_text": None, "details": None},
    {"content": "Y", "stop": False},
]

STOPPED: list[tuple[Any, str]] = [
    ({"choices": [{"delta": {}, "finish_reason": "length"}]}, "output.truncated"),
    ({"choices": [{"delta": {}, "finish_reason": "error"}]}, "upstream.unavailable"),
    ({"type": "message_delta", "delta": {"stop_reason": "refusal"}}, "policy.model_refusal"),
    ({"messageStop": {"stopReason": "guardrail_intervened"}}, "policy.content_filtered"),
    ({"candidates": [{"finishReason": "SAFETY"}]}, "policy.content_filtered"),
    ({"promptFeedback": {"blockReason": "SAFETY"}}, "policy.content_filtered"),
    ({"type": "message-end", "delta": {"finish_reason": "ERROR"}}, "upstream.unavailable"),
    ({"done": True, "done_reason": "length"}, "output.truncated"),
    ({"generated_text": "Y", "details": {"finish_reason": "length"}}, "output.truncated"),
    (
        {
            "type": "response.done",
            "response": {
                "object": "realtime.response",
                "status": "incomplete",
                "status_details": {"reason": "content_filter"},
            },
        },
        "policy.content_filtered",
    ),
    (
        {"error": {"type": "overloaded_error", "message": "Overloaded"}, "type": "error"},
        "upstream.overloaded",
    ),
]


@pytest.mark.parametrize("event", WHOLE)
def test_a_stream_that_is_whole(event: object) -> None:
    assert from_stream_end(event, provider="acme") is None


@pytest.mark.parametrize("event", BROKEN_OFF)
def test_a_stream_that_broke_off(event: object) -> None:
    error = from_stream_end(event, provider="acme")
    assert code_of(error) == "upstream.invalid_response"
    assert stop_reason_of(error) is None
    assert error
    assert error.retryable
    assert error.upstream == UpstreamInfo(provider="acme")


@pytest.mark.parametrize(("event", "code"), STOPPED)
def test_a_stream_that_says_why(event: object, code: str) -> None:
    assert code_of(from_stream_end(event)) == code
    assert code_of(from_stream_end(json.dumps(event))) == code
    assert code_of(from_stream_end(f"event: x\ndata: {json.dumps(event)}\n\n".encode())) == code


# Anything at all

NAMES = [
    *(
        "choices",
        "candidates",
        "results",
        "finish_reason",
        "finishReason",
        "stop_reason",
        "native_finish_reason",
    ),
    *(
        "incomplete_details",
        "status",
        "object",
        "response",
        "output",
        "message",
        "content",
        "parts",
        "tool_calls",
    ),
    *(
        "refusal",
        "delta",
        "details",
        "promptFeedback",
        "blockReason",
        "error",
        "reason",
        "type",
        "data",
        "event",
    ),
    *("max_output_tokens", "usage", "metadata", "done", "name", "thought", "stop_details", "explanation"),
]
WORDS = [
    "stop",
    "length",
    "completed",
    "incomplete",
    "response",
    "error",
    "refusal",
    "thinking",
    "",
    "SAFETY",
    "[DONE]",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(), inner, max_size=6)
    ),
    max_leaves=30,
)


class Hostile(str):
    """A string that lets nobody look into it."""

    __slots__ = ()


def refuse(*_: object) -> None:
    raise RuntimeError


for method in ("casefold", "strip", "splitlines", "__str__", "__len__", "__getitem__"):
    setattr(Hostile, method, refuse)


def anything() -> list[Any]:
    deep: Any = "length"
    for _ in range(10_000):
        deep = {"content": [deep], "response": deep, "finish_reason": "stop"}
    hostile = Hostile("length")
    return [deep, object(), object, 1j, bytearray(b"[DONE]"), hostile, {"finish_reason": hostile}]


@pytest.mark.parametrize("given", anything(), ids=range(7))
def test_anything_is_answered(given: Any) -> None:
    from_stop_reason(given, provider=given)
    from_model_response(given, provider=given, status=given)
    from_stream_end(given, provider=given)


@given(JSON)
def test_any_json_is_answered(value: Any) -> None:
    errors = [
        from_stop_reason(value),
        from_model_response(value),
        from_model_response(value, whole=False),
        from_stream_end(value),
        from_stream_end(json.dumps(value)),
    ]
    for error in filter(None, errors):
        assert error.detail
        assert error.provenance == "translated"
        error.to_problem(strict=True)


@given(st.text() | st.binary())
def test_any_text_is_answered(text: str | bytes) -> None:
    from_stop_reason(text, provider=str(text))
    from_stream_end(text)


@pytest.mark.parametrize("reason", ["OTHER", "FINISH_REASON_OTHER", "FinishReason.OTHER"])
def test_a_reason_that_explains_nothing_and_no_content(reason: str) -> None:
    """CO-6: that there is nothing in the answer is the more specific."""
    empty = from_model_response({"candidates": [{"finishReason": reason, "content": {}}]}, provider="gemini")
    assert isinstance(empty, OutputEmpty)
    assert empty.upstream is not None
    assert empty.upstream.stop_reason == reason


def test_a_reason_that_explains_nothing_beside_content() -> None:
    part = {"finishReason": "OTHER", "content": {"parts": [{"text": "So far"}]}}
    assert isinstance(from_model_response({"candidates": [part]}, provider="gemini"), UpstreamUnavailable)


def test_feedback_on_a_prompt_that_was_not_blocked() -> None:
    answer = {
        "promptFeedback": {"safetyRatings": []},
        "candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "42"}]}}],
    }
    assert from_model_response(answer, provider="gemini") is None
