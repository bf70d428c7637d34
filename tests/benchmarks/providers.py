"""What it costs to read a provider's failure, beside litellm's mapping of exceptions: tables, and no test.

    python tests/benchmarks/providers.py [--seconds 1]

litellm is optional, and best in an environment of its own: it brings some sixty packages. Both sides read the
answers below. Ours gets bytes, and parses them; litellm gets the exception that its own handlers make of the
same answer, ready made. Measured as in core.py: in turn, CPU time of the thread, medians.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import logging
import os
import platform
import statistics
import sys
import types
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from core import Pairs, Work, in_turn, show, version

import agent_errors
from agent_errors import translate


class Answer(NamedTuple):
    provider: str
    """As litellm calls it: our rules know the name as well."""
    status: int
    body: bytes
    headers: dict[str, str]


def answer(provider: str, status: int, body: object, **headers: str) -> Answer:
    encoded = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(provider, status, encoded, {"content-type": "application/json", **named})


def error(message: str, **members: object) -> dict[str, object]:
    return {"error": {"message": message, **members}}


def google(status: int, name: str, message: str, *details: dict[str, object]) -> dict[str, object]:
    return {"error": {"code": status, "message": message, "status": name, "details": [*details]}}


def claude(kind: str, message: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_0"}


RETRY_INFO: dict[str, object] = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "31.5s"}
PAGE = "<html><head><title>{0}</title></head><body><center><h1>{0}</h1></center><hr>nginx</body></html>"

ANSWERS = [
    answer(
        "openai",
        429,
        error(
            "Rate limit reached for a-model in organization org-0 on tokens per min (TPM): "
            "Limit 90000, Used 88000, Requested 4000. Please try again in 1.333s.",
            type="tokens",
            code="rate_limit_exceeded",
        ),
        retry_after_ms="1333",
        x_request_id="req_1",
    ),
    answer(
        "openai",
        429,
        error("You exceeded your quota.", type="insufficient_quota", code="insufficient_quota"),
    ),
    answer(
        "openai",
        400,
        error(
            "This model's maximum context length is 8192 tokens. However, your messages have 9001 tokens.",
            type="invalid_request_error",
            code="context_length_exceeded",
            param="messages",
        ),
    ),
    answer(
        "openai",
        401,
        error("Incorrect API key.", type="invalid_request_error", code="invalid_api_key"),
    ),
    answer(
        "openai",
        404,
        error("The model `m` does not exist.", type="invalid_request_error", code="model_not_found"),
    ),
    answer("openai", 500, error("The server had an error.", type="server_error")),
    answer("openai", 503, PAGE.format("503 Service Temporarily Unavailable")),
    answer(
        "azure", 400, error("The response was filtered.", code="content_filter", param="prompt", type=None)
    ),
    answer("azure", 429, error("Please retry after 7 seconds.", code="429"), retry_after="7"),
    answer("azure", 401, error("Access denied due to an invalid subscription key.", code="401")),
    answer("anthropic", 529, claude("overloaded_error", "Overloaded")),
    answer("anthropic", 429, claude("rate_limit_error", "You reached your rate limit."), retry_after="12"),
    answer(
        "anthropic",
        400,
        claude("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    ),
    answer("anthropic", 400, claude("invalid_request_error", "Your credit balance is too low.")),
    answer("anthropic", 401, claude("authentication_error", "invalid x-api-key")),
    answer("anthropic", 413, claude("request_too_large", "Request exceeds the maximum size")),
    answer("gemini", 429, google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", RETRY_INFO)),
    answer("gemini", 503, google(503, "UNAVAILABLE", "The model is overloaded. Try again later.")),
    answer("gemini", 400, google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid one.")),
    answer("gemini", 500, google(500, "INTERNAL", "An internal error has occurred.")),
    answer("vertex_ai", 403, google(403, "PERMISSION_DENIED", "Permission denied on resource project p.")),
    answer("vertex_ai", 404, google(404, "NOT_FOUND", "Publisher model `m` was not found.")),
    answer("bedrock", 429, {"message": "Too many requests, please wait before trying again."}),
    answer("bedrock", 400, {"message": "Input is too long for requested model."}),
    answer("bedrock", 403, {"message": "The security token included in the request is invalid."}),
    answer("bedrock", 503, {"message": "The service is unable to process your request now."}),
    answer("cohere", 429, {"id": "0", "message": "You are past the per minute request limit, please wait."}),
    answer(
        "cohere", 400, {"id": "0", "message": "too many tokens: total number of tokens exceeds the limit"}
    ),
    answer("mistral", 429, {"object": "error", "message": "Requests rate limit exceeded", "code": "1300"}),
    answer("mistral", 422, {"detail": [{"loc": ["body", "temperature"], "msg": "must be a number"}]}),
    answer(
        "groq",
        413,
        error("Request too large on tokens per minute (TPM): Limit 6000, Requested 9000", type="tokens"),
    ),
    answer("groq", 400, error("Failed to call a function.", code="tool_use_failed", failed_generation="<f>")),
    answer(
        "deepseek", 402, error("Insufficient Balance", type="unknown_error", code="invalid_request_error")
    ),
    answer(
        "xai", 400, {"code": "Client specified an invalid argument", "error": "Incorrect API key provided"}
    ),
    answer("openrouter", 402, {"error": {"code": 402, "message": "This request requires more credits."}}),
    answer("openrouter", 502, {"error": {"code": 502, "message": "Provider returned error"}}),
    answer("together_ai", 503, error("The service is overloaded.", type="service_unavailable")),
    answer("fireworks_ai", 404, error("Model not found, inaccessible, or not deployed", code="NOT_FOUND")),
    answer("huggingface", 503, {"error": "Model m is currently loading", "estimated_time": 20.0}),
    answer("ollama", 404, {"error": 'model "m" not found, try pulling it first'}),
    answer(
        "replicate", 429, {"detail": "Request was throttled. Your rate limit resets in ~9s.", "status": 429}
    ),
    answer("nvidia_nim", 504, PAGE.format("504 Gateway Time-out")),
]
GOOD = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Some text. " * 400},
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1200, "total_tokens": 1210},
    }
).encode()


# The two sides


def read_all(answers: list[Answer], read: Any = translate.from_provider_response) -> None:
    for one in answers:
        read(one.status, one.headers, one.body, provider=one.provider)


def read_good() -> object:
    return translate.from_provider_response(
        200, {"content-type": "application/json"}, GOOD, provider="openai"
    )


def mapping_of_litellm(answers: list[Answer]) -> Work | None:
    """The mapping of exceptions that were made before; None without litellm."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would ask the network for prices
    try:
        litellm: Any = importlib.import_module("litellm")
    except ImportError:
        return None
    litellm.suppress_debug_info = True
    map_exception = importlib.import_module(
        "litellm.litellm_core_utils.exception_mapping_utils"
    ).exception_type
    made = [(one.provider, exception_of_litellm(litellm, one)) for one in answers]

    def map_all() -> None:
        for provider, exception in made:
            with suppress(Exception):  # it raises what it maps to
                map_exception(model="a-model", original_exception=exception, custom_llm_provider=provider)

    return map_all


def exception_of_litellm(litellm: Any, one: Answer) -> Exception:
    config = litellm.ProviderConfigManager.get_provider_chat_config(
        "a-model", litellm.LlmProviders(one.provider)
    )
    exception: Exception = config.get_error_class(one.body.decode(), one.status, one.headers)
    return exception


# With more providers


def with_providers(times: int) -> Any:
    """``from_provider_response`` as it would be with the rules of ``times`` as many providers."""
    names = [f"{translate.__name__}{module}" for module in ("", "._responses", "._rules", "._providers")]
    own = {name: sys.modules.pop(name) for name in names}
    more = types.ModuleType(names[-1])
    vars(more).update(vars(own[names[-1]]))
    rules = vars(more)["PROVIDERS"]
    vars(more)["PROVIDERS"] = tuple(
        type(one)(
            names=tuple(name + f"-{copy}" * bool(copy) for name in one.names),
            codes=one.codes,
            loose=one.loose,
            wording=one.wording,
            statuses=one.statuses,
        )
        for copy in range(times)
        for one in rules
    )
    sys.modules[names[-1]] = more
    try:
        return importlib.import_module(translate.__name__).from_provider_response
    finally:
        sys.modules.update(own)
        vars(agent_errors)["translate"] = translate


# Tables


def row(what: str, pairs: Pairs, cases: int) -> str:
    ours, theirs = zip(*pairs, strict=True)
    low, middle, high = statistics.quantiles(its / mine for mine, its in zip(ours, theirs, strict=True))
    micro = [f"{statistics.median(side) / cases * 1e6:.1f}" for side in (ours, theirs)]
    return f"| {what} | {' | '.join(micro)} | {middle:.2f} | {low:.2f} to {high:.2f} |"


def show_litellm(seconds: float) -> None:
    show("| answers | ours, µs each | litellm, µs each | ratio | quartiles |")
    show("|---|---:|---:|---:|---:|")
    mapping = mapping_of_litellm(ANSWERS)
    if mapping is None:
        ours = statistics.median(
            mine for mine, _ in in_turn(partial(read_all, ANSWERS), lambda: None, seconds)
        )
        show(f"| all {len(ANSWERS)} | {ours / len(ANSWERS) * 1e6:.1f} | not installed | | |")
        return
    pairs = [*in_turn(partial(read_all, ANSWERS), mapping, seconds)]
    show(row(f"all {len(ANSWERS)}", pairs, len(ANSWERS)))
    each: list[tuple[float, float]] = []
    for one in ANSWERS:
        alone = mapping_of_litellm([one])
        assert alone
        turns = [*in_turn(partial(read_all, [one]), alone, seconds / 20)]
        each.append(
            (statistics.median(mine for mine, _ in turns), statistics.median(its for _, its in turns))
        )
    show(row("one at a time, over the answers", each, 1))


def show_growth(seconds: float) -> None:
    show("\n| providers | ours, µs each | now, µs each | ratio | quartiles |")
    show("|---|---:|---:|---:|---:|")
    for times in (4, 16, 64):
        more = partial(read_all, ANSWERS, with_providers(times))
        show(
            row(f"{times} times as many", [*in_turn(more, partial(read_all, ANSWERS), seconds)], len(ANSWERS))
        )


def show_good(seconds: float) -> None:
    show("\n| a good answer of 5 kB | ours, µs | `json.loads`, µs | ratio | quartiles |")
    show("|---|---:|---:|---:|---:|")
    show(row("no failure", [*in_turn(read_good, partial(json.loads, GOOD), seconds)], 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1, help="for each row")
    seconds = parser.parse_args().seconds

    logging.disable()  # litellm's
    gc.freeze()  # nothing that was imported is looked at again
    show(f"Python {platform.python_version()}, {version('agent-errors')}, {version('litellm')}\n")
    show_litellm(seconds)
    show_growth(seconds)
    show_good(seconds)


if __name__ == "__main__":
    main()
