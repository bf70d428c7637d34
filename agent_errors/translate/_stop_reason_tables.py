"""What the stop reasons of model APIs and agent frameworks mean, and what the error says of them.

One table for each enum, in the words of its API. To add a value, add a line; to add a provider, add a table.
None is a normal end. Case, separators and the name of the enum do not count: ``max_tokens`` and ``maxTokens``
are one value, as are ``SAFETY``, ``safety``, ``FinishReason.SAFETY`` and ``FINISH_REASON_SAFETY``.
"""

from collections.abc import Mapping
from typing import Final

from agent_errors._base import AgentError
from agent_errors.errors import (
    ContextWindowExceeded,
    HarnessCancelled,
    HarnessInternalError,
    LoopBudgetExceeded,
    LoopMaxTurnsExceeded,
    LoopTimeout,
    OutputEmpty,
    OutputInvalidToolArguments,
    OutputMalformed,
    OutputRetriesExhausted,
    OutputTruncated,
    OutputUnknownTool,
    PolicyContentFiltered,
    PolicyGuardrailTriggered,
    PolicyModelRefusal,
    ToolTimeout,
    UpstreamAuthenticationFailed,
    UpstreamInvalidRequest,
    UpstreamInvalidResponse,
    UpstreamOverloaded,
    UpstreamRateLimited,
    UpstreamUnavailable,
)

Meanings = Mapping[str, type[AgentError] | None]

STOP_REASONS: Final[Mapping[str, Meanings]] = {
    "openai.chat": {
        "stop": None,
        "tool_calls": None,
        "function_call": None,
        "length": OutputTruncated,
        "content_filter": PolicyContentFiltered,
    },
    "openai.responses.status": {
        "completed": None,
        "in_progress": None,
        "queued": None,
        "cancelled": HarnessCancelled,
        "failed": UpstreamUnavailable,
        "incomplete": OutputTruncated,
    },
    "openai.responses.incomplete_details": {
        "steered": None,
        "max_output_tokens": OutputTruncated,
        "content_filter": PolicyContentFiltered,
        "max_messages": LoopMaxTurnsExceeded,
    },
    "openai.responses.error": {
        "server_error": UpstreamUnavailable,
        "rate_limit_exceeded": UpstreamRateLimited,
        "invalid_prompt": PolicyContentFiltered,
        "bio_policy": PolicyContentFiltered,
        "misalignment_policy_violation": PolicyContentFiltered,
        "image_content_policy_violation": PolicyContentFiltered,
        "data_residency_mismatch": UpstreamInvalidRequest,
        "vector_store_timeout": ToolTimeout,
        "failed_to_download_image": UpstreamInvalidRequest,
    },
    "openai.realtime": {
        "turn_detected": None,  # the user has begun to speak
        "client_cancelled": HarnessCancelled,
        "max_output_tokens": OutputTruncated,
        "content_filter": PolicyContentFiltered,
    },
    "anthropic": {
        "end_turn": None,
        "stop_sequence": None,
        "tool_use": None,
        "pause_turn": None,
        "compaction": None,
        "max_tokens": OutputTruncated,
        "refusal": PolicyModelRefusal,
        "model_context_window_exceeded": ContextWindowExceeded,
    },
    "google.FinishReason": {
        "FINISH_REASON_UNSPECIFIED": None,
        "STOP": None,
        "MAX_TOKENS": OutputTruncated,
        "CONTINUATION": OutputTruncated,
        "SAFETY": PolicyContentFiltered,
        "RECITATION": PolicyContentFiltered,
        "BLOCKLIST": PolicyContentFiltered,
        "PROHIBITED_CONTENT": PolicyContentFiltered,
        "SPII": PolicyContentFiltered,
        "IMAGE_SAFETY": PolicyContentFiltered,
        "IMAGE_PROHIBITED_CONTENT": PolicyContentFiltered,
        "IMAGE_RECITATION": PolicyContentFiltered,
        "MODEL_ARMOR": PolicyContentFiltered,
        "ESCALATION": PolicyContentFiltered,
        "LANGUAGE": PolicyContentFiltered,
        "MALFORMED_FUNCTION_CALL": OutputInvalidToolArguments,
        "UNEXPECTED_TOOL_CALL": OutputUnknownTool,
        "TOO_MANY_TOOL_CALLS": LoopBudgetExceeded,
        "MALFORMED_RESPONSE": OutputMalformed,
        "MISSING_THOUGHT_SIGNATURE": UpstreamInvalidRequest,
        "NO_IMAGE": OutputEmpty,
        "IMAGE_OTHER": OutputEmpty,
        "OTHER": UpstreamUnavailable,
        "PUP_LIMITED_DISABLED": UpstreamAuthenticationFailed,
    },
    "bedrock": {
        "end_turn": None,
        "tool_use": None,
        "stop_sequence": None,
        "max_tokens": OutputTruncated,
        "guardrail_intervened": PolicyContentFiltered,  # configured by the customer, applied by the provider
        "content_filtered": PolicyContentFiltered,
        "malformed_model_output": OutputMalformed,
        "malformed_tool_use": OutputInvalidToolArguments,
        "model_context_window_exceeded": ContextWindowExceeded,
    },
    "bedrock.agentcore": {
        "end_turn": None,
        "tool_use": None,
        "tool_result": None,
        "stop_sequence": None,
        "partial_turn": None,
        "max_tokens": OutputTruncated,
        "content_filtered": PolicyContentFiltered,
        "malformed_model_output": OutputMalformed,
        "malformed_tool_use": OutputInvalidToolArguments,
        "interrupted": HarnessCancelled,
        "model_context_window_exceeded": ContextWindowExceeded,
        "max_iterations_exceeded": LoopMaxTurnsExceeded,
        "max_output_tokens_exceeded": LoopBudgetExceeded,
        "timeout_exceeded": LoopTimeout,
        "hook_stopped": PolicyGuardrailTriggered,
    },
    "bedrock.titan": {
        "FINISH": None,
        "STOP_CRITERIA_MET": None,
        "LENGTH": OutputTruncated,
        "CONTENT_FILTERED": PolicyContentFiltered,
    },
    "cohere.v2": {
        "COMPLETE": None,
        "STOP_SEQUENCE": None,
        "TOOL_CALL": None,
        "MAX_TOKENS": OutputTruncated,
        "ERROR": UpstreamUnavailable,
        "TIMEOUT": UpstreamUnavailable,
    },
    "cohere.v1": {
        "COMPLETE": None,
        "STOP_SEQUENCE": None,
        "MAX_TOKENS": OutputTruncated,
        "ERROR": UpstreamUnavailable,
        "ERROR_TOXIC": PolicyContentFiltered,
        "ERROR_LIMIT": ContextWindowExceeded,
        "USER_CANCEL": HarnessCancelled,
        "TIMEOUT": UpstreamUnavailable,
    },
    "mistral": {
        "stop": None,
        "tool_calls": None,
        "length": OutputTruncated,
        "model_length": ContextWindowExceeded,
        "error": UpstreamUnavailable,
    },
    "groq": {
        "stop": None,
        "tool_calls": None,
        "function_call": None,
        "length": OutputTruncated,
        "tool_use_failed": OutputInvalidToolArguments,  # an error's code, which wrappers hand on as a reason
    },
    "deepseek": {
        "stop": None,
        "tool_calls": None,
        "length": OutputTruncated,
        "content_filter": PolicyContentFiltered,
        "insufficient_system_resource": UpstreamOverloaded,
    },
    "xai": {
        "REASON_STOP": None,
        "REASON_TOOL_CALLS": None,
        "REASON_MAX_LEN": OutputTruncated,
        "REASON_MAX_CONTEXT": ContextWindowExceeded,
        "REASON_TIME_LIMIT": UpstreamUnavailable,
    },
    "zhipu": {
        "stop": None,
        "tool_calls": None,
        "length": OutputTruncated,
        "sensitive": PolicyContentFiltered,
        "network_error": UpstreamUnavailable,
        "model_context_window_exceeded": ContextWindowExceeded,
    },
    "dashscope": {
        "null": None,  # it goes on
        "stop": None,
        "tool_calls": None,
        "length": OutputTruncated,
    },
    "ollama": {
        "stop": None,
        "load": None,
        "unload": None,
        "length": OutputTruncated,
    },
    "huggingface": {
        "stop": None,
        "eos_token": None,
        "stop_sequence": None,
        "tool_calls": None,
        "length": OutputTruncated,
    },
    "vllm": {
        "stop": None,
        "tool_calls": None,
        "length": OutputTruncated,
        "abort": UpstreamUnavailable,
        "error": UpstreamUnavailable,
    },
    "llamacpp": {
        "eos": None,
        "word": None,
        "limit": OutputTruncated,
    },
    "watsonx": {
        "not_finished": None,
        "eos_token": None,
        "stop_sequence": None,
        "max_tokens": OutputTruncated,
        "token_limit": OutputTruncated,
        "time_limit": UpstreamUnavailable,
        "cancelled": HarnessCancelled,
        "error": UpstreamUnavailable,
    },
    "replicate": {
        "starting": None,
        "processing": None,
        "succeeded": None,
        "canceled": HarnessCancelled,
        "aborted": UpstreamUnavailable,
        "failed": UpstreamUnavailable,
    },
    "strands": {
        "end_turn": None,
        "tool_use": None,
        "stop_sequence": None,
        "checkpoint": None,
        "interrupt": None,
        "cancelled": HarnessCancelled,
        "content_filtered": PolicyContentFiltered,
        "guardrail_intervened": PolicyContentFiltered,
        "max_tokens": OutputTruncated,
        "limit_turns": LoopMaxTurnsExceeded,
        "limit_output_tokens": LoopBudgetExceeded,
        "limit_total_tokens": LoopBudgetExceeded,
    },
    "pydantic_ai": {
        "stop": None,
        "tool_call": None,
        "length": OutputTruncated,
        "content_filter": PolicyContentFiltered,
        "error": UpstreamUnavailable,
    },
    "autogen": {
        "stop": None,
        "function_calls": None,
        "unknown": None,
        "length": OutputTruncated,
        "content_filter": PolicyContentFiltered,
    },
    "haystack": {
        "max_agent_steps": LoopMaxTurnsExceeded,
    },
    "smolagents": {
        "success": None,
        "max_steps_error": LoopMaxTurnsExceeded,
    },
    "claude_agent_sdk.subtype": {
        "success": None,
        "error_max_turns": LoopMaxTurnsExceeded,
        "error_max_budget_usd": LoopBudgetExceeded,
        "error_max_structured_output_retries": OutputRetriesExhausted,
        "error_during_execution": HarnessInternalError,
    },
    # Of a word with two meanings the first counts, unless the caller says more. So these are last.
    "google.BlockedReason": {
        "BLOCKED_REASON_UNSPECIFIED": PolicyContentFiltered,
        "SAFETY": PolicyContentFiltered,
        "OTHER": PolicyContentFiltered,
        "BLOCKLIST": PolicyContentFiltered,
        "PROHIBITED_CONTENT": PolicyContentFiltered,
        "IMAGE_SAFETY": PolicyContentFiltered,
        "MODEL_ARMOR": PolicyContentFiltered,
        "JAILBREAK": PolicyContentFiltered,
    },
    "claude_agent_sdk.error": {
        "authentication_failed": UpstreamAuthenticationFailed,
        "billing_error": UpstreamRateLimited,
        "rate_limit": UpstreamRateLimited,
        "invalid_request": UpstreamInvalidRequest,
        "server_error": UpstreamUnavailable,
        "unknown": UpstreamUnavailable,
    },
}

OWN_TABLES: Final[Mapping[str, str]] = {"claude_agent_sdk": "claude_agent_sdk.error"}
"""The tables that come before all others, by provider."""

FINAL: Final = frozenset({"billing_error"})
"""What no waiting ends, though its code is retryable."""

UNEXPLAINED: Final = frozenset({"OTHER"})
"""What says only that there is a reason; if there is no content either, that is what counts."""

UNFINISHED: Final = frozenset({"null", "not_finished", "FINISH_REASON_UNSPECIFIED"})
"""What stands for a reason while there is none yet."""

COMPLETE: Final = frozenset({"stop", "end_turn", "COMPLETE", "completed", "eos", "eos_token", "FINISH"})
"""With these, something must have been said; before a stop sequence, for one, it need not be."""

SENTENCES: Final[Mapping[type[AgentError], str]] = {
    ContextWindowExceeded: "Input and output together fill the model's context window",
    HarnessCancelled: "The run was cancelled",
    HarnessInternalError: "The agent failed while it ran",
    LoopBudgetExceeded: "The run has used up a budget",
    LoopMaxTurnsExceeded: "The run reached its maximum number of turns",
    LoopTimeout: "The run reached its time limit",
    OutputEmpty: "The model produced no usable content",
    OutputInvalidToolArguments: "The model's tool call cannot be read",
    OutputMalformed: "The model's output cannot be read",
    OutputRetriesExhausted: "The model's output was invalid each time",
    OutputTruncated: "The output was cut off at a token limit",
    OutputUnknownTool: "The model called a tool that it was not offered",
    PolicyContentFiltered: "A content filter of the provider blocked the input or the output",
    PolicyGuardrailTriggered: "A guardrail stopped the run",
    PolicyModelRefusal: "The model declined the request",
    ToolTimeout: "A tool of the provider did not answer in time",
    UpstreamAuthenticationFailed: "The provider does not allow this account or key to do this",
    UpstreamInvalidRequest: "The provider rejected the request",
    UpstreamInvalidResponse: "The stream ended without its last event",
    UpstreamOverloaded: "The provider lacks the resources to go on",
    UpstreamRateLimited: "The provider's rate limit or quota is reached",
    UpstreamUnavailable: "The provider failed while it generated the output",
}
