"""What the codes, wordings and statuses of each provider mean.

**To describe a new provider**, add one ``Provider`` to ``PROVIDERS``: the names that people use for it, and
only what is special about it; what most services say alike is in ``COMMON`` and holds for every provider,
and for unknown ones. Each line maps what the provider documents to a meaning of ``_kinds``. Machine codes
(values of ``code``, ``type``, ``reason``, ``status`` … in a body, or the name of an exception) go into
``codes`` if they always mean the same, into ``loose`` if the text beside them may say more than the code;
both are compared by letters and digits only, so ``InvalidApiKey`` is ``invalid_api_key``, and the part
before a dot stands for all that begins so. Sentences go into ``wording``: a short stable piece of the
message, in lower case, with ``*`` where something varies; they can only make of an answer what ``REFINED``
allows for its code or status, and are tried in the order in which they stand. ``statuses`` is for HTTP
statuses that mean something of their own there. Then add a case to the tests.
"""

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from agent_errors.translate._kinds import (
    AUTH,
    BAD_ANSWER,
    BAD_ARGUMENTS,
    CONTEXT,
    FILTERED,
    INVALID,
    MALFORMED,
    MISSING,
    OUTPUT_CAP,
    OVERLOADED,
    QUOTA,
    RATE,
    REJECTED,
    SCHEMA,
    TOO_LARGE,
    TRUNCATED,
    UNAVAILABLE,
    UNKNOWN,
    UNKNOWN_TOOL,
    UNREADY,
    Kind,
)


@frozen
class Provider:
    """What is special about the answers of one provider."""

    names: tuple[str, ...]
    codes: Mapping[str, Kind] = field(factory=dict[str, Kind])
    loose: Mapping[str, Kind] = field(factory=dict[str, Kind])
    wording: Mapping[str, Kind] = field(factory=dict[str, Kind])
    statuses: Mapping[int, Kind] = field(factory=dict[int, Kind])
    gateway: bool = False
    """Whether it passes on the answers of others, whose rules hold where they can be told."""


def _each(kind: Kind, names: str) -> dict[str, Kind]:
    """``kind`` for each of the names, which are separated by white space."""
    return dict.fromkeys(names.split(), kind)


_ANYTHING: Final = (OUTPUT_CAP, CONTEXT, FILTERED, QUOTA, OVERLOADED, RATE, AUTH, TRUNCATED, UNREADY)

REFINED: Final[Mapping[Kind, tuple[Kind, ...]]] = {
    RATE: (TOO_LARGE, QUOTA, OVERLOADED, UNREADY),
    AUTH: (FILTERED, QUOTA, RATE, OVERLOADED),
    INVALID: _ANYTHING,
    MISSING: (FILTERED, QUOTA, OVERLOADED),
    UNAVAILABLE: (CONTEXT, FILTERED, QUOTA, OVERLOADED, RATE, AUTH),
    UNKNOWN: (*_ANYTHING, MISSING, REJECTED),
    UNREADY: (OVERLOADED,),
    MALFORMED: (TRUNCATED, UNKNOWN_TOOL, BAD_ARGUMENTS, SCHEMA),
}
"""What a wording can make of a loose code, or of a status; nothing of the kinds that are not here."""

STATUSES: Final[Mapping[int, Kind]] = {
    401: AUTH,
    402: QUOTA,
    403: AUTH,
    404: MISSING,
    407: AUTH,
    408: UNREADY,
    410: MISSING,
    424: UNAVAILABLE,
    425: UNREADY,
    429: RATE,
    499: UNREADY,
    501: REJECTED,
    505: REJECTED,
    529: OVERLOADED,
}
"""Statuses that mean something of their own. Others: INVALID from 400, UNAVAILABLE from 500."""


COMMON: Final = Provider(
    names=(),
    codes={
        **_each(
            CONTEXT,
            "context_length_exceeded context_window_exceeded context_size_exceeded "
            "exceed_context_size_error context_limit_exceeded model_context_window_exceeded "
            "ContextWindowExceededError prompt_too_long input_too_long input_length_exceeded "
            "max_context_length_exceeded tokens_limit_reached model_max_prompt_tokens_exceeded",
        ),
        **_each(
            QUOTA,
            "insufficient_quota quota_exceeded_permanently billing_hard_limit_reached "
            "billing_not_active billing_error credit_balance_exhausted credit_balance_too_low "
            "insufficient_balance insufficient_credits insufficient_funds insufficient_user_quota "
            "payment_required enforced_spend_limit_reached spend_limit_reached spending_limit_reached "
            "budget_exceeded account_balance_insufficient exceeded_current_quota_error "
            "credits_exhausted out_of_credits monthly_limit_reached insufficient_balance_error "
            "Arrearage account_overdue_error quota_exhausted PAYMENT_REQUIRED_ERROR "
            "pre_consume_token_quota_failed ServiceQuotaExceededException key_limit_exceeded "
            "billing_limit_reached no_credits balance_not_enough",
        ),
        **_each(
            OVERLOADED,
            "overloaded_error overloaded server_overloaded engine_overloaded engine_overloaded_error "
            "slow_down capacity_exceeded server_is_overloaded model_overloaded MODEL_CAPACITY_EXHAUSTED "
            "server_busy no_capacity insufficient_capacity resource_overloaded over_capacity "
            "capacity_limit_reached service_tier_capacity_exceeded too_busy system_busy",
        ),
        **_each(
            FILTERED,
            "content_filter content_filtered content_policy_violation ResponsibleAIPolicyViolation "
            "moderation_blocked content_policy content_moderation data_inspection_failed invalid_prompt "
            "bio_policy misalignment_policy_violation image_content_policy_violation policy_violation "
            "content_blocked sensitive_words_detected ContentPolicyViolationError moderation_error "
            "flagged unsafe_content safety_violation prohibited_content prompt_blocked "
            "blocked_by_safety content_violation cyber_policy",
        ),
        **_each(
            AUTH,
            "invalid_api_key incorrect_api_key api_key_not_found missing_api_key no_api_key "
            "API_KEY_INVALID api_key_expired expired_api_key invalid_token token_expired expired_token "
            "account_deactivated organization_deactivated invalid_organization "
            "ip_not_authorized unsupported_country_region_territory mismatched_organization "
            "mismatched_project invalid_authentication invalid_authentication_error "
            "incorrect_api_key_error insufficient_permissions missing_scope "
            "authentication_token_expired unauthenticated invalid_credentials bad_credentials "
            "api_key_disabled invalid_grant model_not_allowed organization_restricted "
            "missing_authentication_token no_authorization_header",
        ),
        **_each(
            MISSING,
            "model_not_found model_not_found_error model_not_available model_not_supported "
            "model_decommissioned unknown_model invalid_model unsupported_model model_not_exist "
            "not_found not_found_error DeploymentNotFound ResourceNotFoundException resource_not_found "
            "resource_not_found_error model_deprecated no_such_model unknown_url endpoint_not_found "
            "invalid_model_error model_terms_required",
        ),
        **_each(UNREADY, "timeout_error model_loading model_not_ready request_timeout gateway_timeout"),
        **_each(TRUNCATED, "max_output_reached output_truncated"),
        **_each(BAD_ANSWER, "invalid_response provider_invalid_response malformed_response"),
    },
    loose={
        **_each(
            RATE,
            "rate_limit_exceeded rate_limit_error rate_limit_reached rate_limit_reached_error "
            "rate_limited rate_limit too_many_requests TooManyRequestsException Throttling "
            "throttling_error ThrottlingException ThrottledException RequestLimitExceeded "
            "limit_burst_rate RESOURCE_EXHAUSTED usage_limit_reached model_rate_limit "
            "tokens_exceeded_error requests_exceeded_error rate_limit_exceeded_error "
            "user_rate_limit_exceeded concurrency_limit_exceeded request_quota_exceeded queue_exceeded "
            "token_quota_exceeded quota_exceeded LimitExceededException usage_limit_exceeded",
        ),
        **_each(
            AUTH,
            "authentication_error auth_error permission_error PERMISSION_DENIED forbidden unauthorized "
            "access_terminated access_terminated_error authorization_error access_denied "
            "AccessDeniedException permission_denied_error "
            "user_authorization_failed invalid_auth authorization_failed authentication_failed "
            "not_authorized",
        ),
        **_each(
            INVALID,
            "invalid_request_error invalid_request invalid_request_body BadRequestError bad_request "
            "INVALID_ARGUMENT ValidationException validation_error validation FAILED_PRECONDITION "
            "precondition_failed OUT_OF_RANGE invalid_parameter invalid_parameter_error "
            "unprocessable_entity UnprocessableEntityError invalid_input invalid_message UNIMPLEMENTED "
            "ALREADY_EXISTS conflict image_generation_user_error invalid_value unsupported_parameter "
            "unsupported_value missing_required_parameter unknown_parameter invalid_type invalid_json "
            "invalid_image invalid_base64 invalid_function_parameters invalid_image_format "
            "image_parse_error unsupported_image_media_type image_too_large image_too_small "
            "invalid_base64_image invalid_image_url failed_to_download_image image_file_too_large "
            "invalid_image_mode image_file_not_found empty_image_file data_residency_mismatch "
            "request_too_large string_above_max_length array_above_max_length invalid_encrypted_content "
            "previous_response_not_found unsupported_file integer_above_max_value "
            "integer_below_min_value payload_too_large method_not_allowed",
        ),
        **_each(
            UNAVAILABLE,
            "api_error server_error internal_server_error internal_error InternalServerException "
            "InternalFailure internal UNAVAILABLE unavailable_error ServiceUnavailableException "
            "service_unavailable service_unavailable_error unknown_error unknown DEADLINE_EXCEEDED "
            "ABORTED CANCELLED DATA_LOSS upstream_error provider_error bad_gateway api_connection_error "
            "timeout bad_response_status_code do_request_failed generation incomplete_generation "
            "overall_timeout ModelTimeoutException ModelErrorException ModelStreamErrorException",
        ),
        **_each(MALFORMED, "tool_use_failed json_validate_failed output_parse_failed tool_call_failed"),
    },
    wording={
        # max_tokens against the model's own cap; before CONTEXT, whose words they use.
        "supports at most*completion tokens": OUTPUT_CAP,
        "supports at most*output tokens": OUTPUT_CAP,
        "maximum output for this model": OUTPUT_CAP,
        "maximum allowed number of output tokens": OUTPUT_CAP,
        "maximum tokens you requested exceeds": OUTPUT_CAP,
        "max_tokens*cannot exceed": OUTPUT_CAP,
        "max_tokens*must be less than": OUTPUT_CAP,
        "max_completion_tokens*must be less than": OUTPUT_CAP,
        "range of max_tokens": OUTPUT_CAP,
        "max_output_tokens*range": OUTPUT_CAP,
        "max output tokens": OUTPUT_CAP,
        # Input, or input and output together, against the window.
        "maximum context length is": CONTEXT,
        "maximum context length of": CONTEXT,
        "maximum context size": CONTEXT,
        "model's context length": CONTEXT,
        "model's context window": CONTEXT,
        "exceed*context length": CONTEXT,
        "exceed*context window": CONTEXT,
        "exceed*context limit": CONTEXT,
        "exceed*context size": CONTEXT,
        "exceed*context_length": CONTEXT,
        "context length*exceed": CONTEXT,
        "context window*exceed": CONTEXT,
        "context size*exceed": CONTEXT,
        "contextwindowexceeded": CONTEXT,
        "context_length_exceeded": CONTEXT,
        "context*overflow": CONTEXT,
        "longer than*context": CONTEXT,
        "longer than the maximum": CONTEXT,
        "maximum model length": CONTEXT,
        "larger than*context": CONTEXT,
        "greater than*context": CONTEXT,
        "too large for model with": CONTEXT,
        "too large for*context": CONTEXT,
        "fit*context": CONTEXT,
        "context length of only": CONTEXT,
        "prompt is too long": CONTEXT,
        "prompt too long": CONTEXT,
        "input is too long": CONTEXT,
        "input too long": CONTEXT,
        "too long for requested model": CONTEXT,
        "input token count*exceed": CONTEXT,
        "input token count*supports": CONTEXT,
        "input tokens*cannot exceed": CONTEXT,
        "input tokens*exceed": CONTEXT,
        "prompt token count*exceed": CONTEXT,
        "prompt tokens*exceed": CONTEXT,
        "input length*exceed": CONTEXT,
        "prompt length*exceed": CONTEXT,
        "total tokens*exceed": CONTEXT,
        "tokens*more than the max": CONTEXT,
        "too many input tokens": CONTEXT,
        "maximum input tokens": CONTEXT,
        "maximum prompt length": CONTEXT,
        "maximum input length": CONTEXT,
        "model token limit": CONTEXT,
        "model's token limit": CONTEXT,
        "token limit of the model": CONTEXT,
        "maximum number of tokens allowed": CONTEXT,
        "range of input length": CONTEXT,
        "`inputs` tokens + `max_new_tokens`": CONTEXT,
        "`inputs` must have less than": CONTEXT,
        "reduce the length of the messages": CONTEXT,
        "reduce the length of the prompt": CONTEXT,
        "reduce the length of the input": CONTEXT,
        "上下文*超": CONTEXT,
        "超*上下文": CONTEXT,
        "输入*过长": CONTEXT,
        "输入*超长": CONTEXT,
        "超*最大长度": CONTEXT,
        "超*token*限制": CONTEXT,
        # Filters.
        "content filter": FILTERED,
        "content_filter": FILTERED,
        "content management policy": FILTERED,
        "content policy": FILTERED,
        "content_policy": FILTERED,
        "contentpolicyviolation": FILTERED,
        "filtering policy": FILTERED,
        "content was filtered": FILTERED,
        "response was filtered": FILTERED,
        "prompt was filtered": FILTERED,
        "violat*policy": FILTERED,
        "violat*policies": FILTERED,
        "violat*usage guidelines": FILTERED,
        "safety system": FILTERED,
        "safety filter": FILTERED,
        "blocked*safety": FILTERED,
        "requires moderation": FILTERED,
        "was flagged": FILTERED,
        "been flagged": FILTERED,
        "flagged as": FILTERED,
        "flagged by": FILTERED,
        "inappropriate content": FILTERED,
        "sensitive content": FILTERED,
        "prohibited content": FILTERED,
        "unsafe content": FILTERED,
        "harmful content": FILTERED,
        "nsfw": FILTERED,
        "blocked by*guardrail": FILTERED,
        "considered high risk": FILTERED,
        "content exists risk": FILTERED,
        "敏感": FILTERED,
        "违规": FILTERED,
        "不安全": FILTERED,
        "不当内容": FILTERED,
        "内容审核": FILTERED,
        # One request above the whole limit.
        "request too large for": TOO_LARGE,
        # Windows, before the invitations to pay that stand beside them.
        "queries per minute": RATE,
        "requests per minute": RATE,
        "tokens per minute": RATE,
        # Money, and quotas that are used up.
        "credit balance": QUOTA,
        "billing cycle": QUOTA,
        "billing period": QUOTA,
        "insufficient balance": QUOTA,
        "insufficient account balance": QUOTA,
        "insufficient credit": QUOTA,
        "insufficient fund": QUOTA,
        "insufficient quota": QUOTA,
        "insufficient_quota": QUOTA,
        "insufficient_user_quota": QUOTA,
        "balance is not enough": QUOTA,
        "balance not enough": QUOTA,
        "not enough credit": QUOTA,
        "out of credit": QUOTA,
        "no credit": QUOTA,
        "no remaining credit": QUOTA,
        "more credit": QUOTA,
        "purchase*credit": QUOTA,
        "buy*credit": QUOTA,
        "add*credit": QUOTA,
        "used all*credit": QUOTA,
        "credit limit": QUOTA,
        "exhausted*credit": QUOTA,
        "credit*exhausted": QUOTA,
        "depleted": QUOTA,
        "included credits": QUOTA,
        "can only afford": QUOTA,
        "exceeded your current quota": QUOTA,
        "exceeded your quota": QUOTA,
        "quota*used up": QUOTA,
        "used up": QUOTA,
        "out of quota": QUOTA,
        "quota*exhausted": QUOTA,
        "exhausted*quota": QUOTA,
        "spend limit": QUOTA,
        "spending limit": QUOTA,
        "spending cap": QUOTA,
        "monthly*limit": QUOTA,
        "monthly*quota": QUOTA,
        "monthly*budget": QUOTA,
        "api usage limits": QUOTA,
        "extra usage": QUOTA,
        "budget*exceed": QUOTA,
        "exceed*budget": QUOTA,
        "budget*exhausted": QUOTA,
        "budget has been": QUOTA,
        "current spend": QUOTA,
        "key limit exceeded": QUOTA,
        "payment required": QUOTA,
        "payment method": QUOTA,
        "unpaid": QUOTA,
        "past invoices": QUOTA,
        "overdue": QUOTA,
        "arrear": QUOTA,
        "enable billing": QUOTA,
        "billing must be enabled": QUOTA,
        "billing to be enabled": QUOTA,
        "billing is not": QUOTA,
        "billing is disabled": QUOTA,
        "billing account": QUOTA,
        "billing hard limit": QUOTA,
        "check your billing": QUOTA,
        "plan and billing": QUOTA,
        "set up billing": QUOTA,
        "account is not active": QUOTA,
        "recharge": QUOTA,
        "top up": QUOTA,
        "top-up": QUOTA,
        "free trial*": QUOTA,
        "free tier*exhausted": QUOTA,
        "free-models-per-day": QUOTA,
        "余额": QUOTA,
        "欠费": QUOTA,
        "充值": QUOTA,
        "额度": QUOTA,
        "配额*用": QUOTA,
        "资源包": QUOTA,
        # Too much for the service, whoever asks.
        "overloaded": OVERLOADED,
        "overload": OVERLOADED,
        "high demand": OVERLOADED,
        "high traffic": OVERLOADED,
        "high load": OVERLOADED,
        "heavy load": OVERLOADED,
        "peak load": OVERLOADED,
        "over capacity": OVERLOADED,
        "at capacity": OVERLOADED,
        "at full capacity": OVERLOADED,
        "at maximum capacity": OVERLOADED,
        "out of capacity": OVERLOADED,
        "capacity exceeded": OVERLOADED,
        "no capacity": OVERLOADED,
        "insufficient capacity": OVERLOADED,
        "capacity constraint": OVERLOADED,
        "not your usage limit": OVERLOADED,
        "temporarily limiting requests": OVERLOADED,
        "server is busy": OVERLOADED,
        "server busy": OVERLOADED,
        "servers are busy": OVERLOADED,
        "service is busy": OVERLOADED,
        "system is busy": OVERLOADED,
        "model is busy": OVERLOADED,
        "too busy": OVERLOADED,
        "currently busy": OVERLOADED,
        "queue is full": OVERLOADED,
        "queue full": OVERLOADED,
        "pending requests exceeded": OVERLOADED,
        "no available workers": OVERLOADED,
        "no workers available": OVERLOADED,
        "system resource": OVERLOADED,
        "繁忙": OVERLOADED,
        "过载": OVERLOADED,
        "负载": OVERLOADED,
        "访问量过大": OVERLOADED,
        # Too much from us.
        "rate limit": RATE,
        "rate-limit": RATE,
        "ratelimit": RATE,
        "rate_limit": RATE,
        "too many requests": RATE,
        "throttl": RATE,
        "concurrent requests": RATE,
        "concurrency limit": RATE,
        "exceeded*quota": RATE,
        "quota exceeded": RATE,
        "usage limit": RATE,
        "resourceexhausted": RATE,
        "限流": RATE,
        "频率": RATE,
        "频繁": RATE,
        "并发": RATE,
        # Credentials.
        "api key not valid": AUTH,
        "invalid api key": AUTH,
        "invalid api-key": AUTH,
        "invalid_api_key": AUTH,
        "invalid api token": AUTH,
        "invalid x-api-key": AUTH,
        "incorrect api key": AUTH,
        "api key is invalid": AUTH,
        "api key expired": AUTH,
        "api key has expired": AUTH,
        "api key is required": AUTH,
        "api key required": AUTH,
        "missing api key": AUTH,
        "no api key": AUTH,
        "provide an api key": AUTH,
        "api_key client option must be set": AUTH,
        "invalid authentication": AUTH,
        "invalid credentials": AUTH,
        "no auth credentials": AUTH,
        "authentication fail": AUTH,
        "authentication error": AUTH,
        "authenticationerror": AUTH,
        "invalid token": AUTH,
        "token has expired": AUTH,
        "token expired": AUTH,
        "expired token": AUTH,
        "security token": AUTH,
        "organization has been disabled": AUTH,
        "account has been disabled": AUTH,
        "deactivated": AUTH,
        "unauthenticated": AUTH,
        "unauthorized": AUTH,
        "permissiondenied": AUTH,
        "permission denied": AUTH,
        "access denied": AUTH,
        "令牌": AUTH,
        "鉴权": AUTH,
        "未授权": AUTH,
        "身份验证": AUTH,
        "密钥": AUTH,
        # The model stopped too soon, reported as a bad request.
        "max_tokens or model output limit was reached": TRUNCATED,
        "max completion tokens reached": TRUNCATED,
        # The model's own fault.
        "not in request.tools": UNKNOWN_TOOL,
        "did not match schema": BAD_ARGUMENTS,
        "tool call validation failed": BAD_ARGUMENTS,
        "does not match the expected schema": SCHEMA,
        # Not yet, or not any more.
        "is loading": UNREADY,
        "loading model": UNREADY,
        "model loading": UNREADY,
        "currently loading": UNREADY,
        "still loading": UNREADY,
        "being loaded": UNREADY,
        "not ready": UNREADY,
        "warming up": UNREADY,
        "starting up": UNREADY,
        "timed out": UNREADY,
        "no longer running": UNREADY,
        "temporarily unavailable": UNREADY,
        # Where nothing else tells of a status.
        "not found": MISSING,
        "does not exist": MISSING,
        "invalid": REJECTED,
        "not supported": REJECTED,
        "unsupported": REJECTED,
        "bad request": REJECTED,
        "validation": REJECTED,
    },
    statuses=STATUSES,
)
"""What most services say alike: OpenAI's codes, which many have taken over, and what others added."""

_GOOGLE_CODES: Final = {
    **_each(
        AUTH,
        "API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED API_KEY_IP_ADDRESS_BLOCKED "
        "API_KEY_ANDROID_APP_BLOCKED API_KEY_IOS_APP_BLOCKED SERVICE_DISABLED CONSUMER_INVALID "
        "CONSUMER_SUSPENDED USER_PROJECT_DENIED ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_SCOPE_INSUFFICIENT "
        "ACCESS_TOKEN_TYPE_UNSUPPORTED ACCESS_TOKEN_REVOKED ACCOUNT_STATE_INVALID CREDENTIALS_MISSING "
        "IAM_PERMISSION_DENIED VALIDATION_REQUIRED keyInvalid keyExpired accessNotConfigured authError "
        "SECURITY_POLICY_VIOLATED LOCATION_POLICY_VIOLATED",
    ),
    **_each(QUOTA, "INSUFFICIENT_G1_CREDITS_BALANCE BILLING_DISABLED dailyLimitExceeded billingNotEnabled"),
    **_each(FILTERED, "MODEL_ARMOR BLOCKED_SAFETY"),
}

PROVIDERS: Final = (
    Provider(
        names=("openai", "openai-responses", "openai-compatible", "chatgpt", "codex"),
        codes={**_each(UNREADY, "vector_store_timeout")},
    ),
    Provider(
        names=(
            "azure",
            "azure-openai",
            "azure.ai.openai",
            "azure.ai.inference",
            "azure-ai",
            "az.ai.inference",
        ),
        codes={
            **_each(RATE, "NoCapacityForQuota"),
            **_each(MISSING, "OperationNotSupported ApiVersionNotFound unavailable_model"),
            **_each(
                AUTH,
                "PermissionDenied AuthenticationTypeDisabled PublicNetworkAccessDisabled Unauthorized",
            ),
        },
        wording={"call volume quota": QUOTA, "token quota": QUOTA, "out of call volume": QUOTA},
        statuses={424: UNAVAILABLE},
    ),
    Provider(
        names=("anthropic", "claude"),
        loose={"timeout_error": UNAVAILABLE},
        wording={
            "will regain access on": QUOTA,
            "long context*usage": QUOTA,
            "number of concurrent connections": RATE,
            "oauth*not supported": AUTH,
        },
    ),
    Provider(
        names=(
            "google",
            "gemini",
            "google-gemini",
            "gcp.gemini",
            "gcp.gen_ai",
            "google-genai",
            "google-ai-studio",
        ),
        codes=_GOOGLE_CODES,
        # Said of limits per minute as well: RetryInfo and QuotaFailure tell them apart.
        wording={
            "limit: 0": QUOTA,
            "perday": QUOTA,
            "exceeded your current quota": RATE,
            "quota exceeded": RATE,
            "exhausted your capacity": RATE,
        },
    ),
    Provider(
        names=("vertex", "google-vertex", "vertex-ai", "gcp.vertex_ai", "gcp.vertex", "google-vertex-ai"),
        codes=_GOOGLE_CODES,
        wording={
            "limit: 0": QUOTA,
            "perday": QUOTA,
            "exceeded your current quota": RATE,
            "quota exceeded": RATE,
        },
    ),
    Provider(
        names=("bedrock", "aws.bedrock", "amazon-bedrock", "aws", "sagemaker", "aws.sagemaker"),
        codes={
            **_each(UNREADY, "ModelNotReadyException"),
            **_each(
                AUTH,
                "UnrecognizedClientException ExpiredTokenException InvalidSignatureException "
                "IncompleteSignature MissingAuthenticationTokenException InvalidClientTokenId "
                "SignatureDoesNotMatch NotAuthorized OptInRequired RequestExpired",
            ),
        },
        loose={**_each(INVALID, "ConflictException ModelError")},
        wording={
            "maxlength": CONTEXT,
            "payment instrument": QUOTA,
            "security token": AUTH,
        },
        statuses={424: UNAVAILABLE},
    ),
    Provider(
        names=("cohere", "cohere-v2"),
        wording={
            "too many tokens: total": CONTEXT,
            "too many tokens: size limit": CONTEXT,
            "calls / month": QUOTA,
            "calls per month": QUOTA,
            "trial key": RATE,
        },
        statuses={498: AUTH},
    ),
    Provider(
        names=("mistral", "mistral-ai"),
        codes={"1300": RATE, "1500": MISSING, "3051": CONTEXT, "3505": OVERLOADED},
    ),
    Provider(
        names=("groq",),
        codes={**_each(QUOTA, "blocked_api_access")},
        statuses={498: OVERLOADED},
    ),
    Provider(names=("deepseek",)),
    Provider(
        names=("xai", "grok"),
        # Its codes are the descriptions of the statuses of gRPC.
        loose={
            "The service is currently unavailable": UNAVAILABLE,
            "Some resource has been exhausted": RATE,
            "The caller does not have permission to execute the specified operation": AUTH,
            "The request does not have valid authentication credentials for the operation": AUTH,
            "Client specified an invalid argument": INVALID,
            "Some requested entity was not found": MISSING,
            "The system is not in a state required for the operation's execution": INVALID,
            "Operation was attempted past the valid range": INVALID,
            "Deadline expired before operation could complete": UNAVAILABLE,
            "The operation was cancelled": UNAVAILABLE,
            "The operation was aborted": UNAVAILABLE,
            "Operation is not implemented or not supported": INVALID,
            "Unrecoverable data loss or corruption": UNAVAILABLE,
        },
        wording={"safety_check": FILTERED, "content violates": FILTERED},
    ),
    Provider(
        names=("together", "together-ai"),
        loose={**_each(RATE, "dynamic_request_limited dynamic_token_limited")},
    ),
    Provider(
        names=("fireworks", "fireworks-ai"),
        wording={"is suspended": QUOTA},
    ),
    Provider(
        names=("openrouter",),
        gateway=True,
        codes={
            **_each(QUOTA, "openrouter_free_tier_daily"),
            **_each(RATE, "openrouter_free_tier_minute in_flight_budget_exhausted"),
        },
        wording={
            "no instances available": OVERLOADED,
            "no endpoints found": MISSING,
            "no allowed providers": MISSING,
        },
    ),
    Provider(
        names=("huggingface", "hf", "tgi", "text-generation-inference", "huggingface-hub"),
        loose={**_each(INVALID, "template_error tool_error")},
        wording={"request failed during generation": UNREADY},
    ),
    Provider(
        names=("ollama",),
        wording={
            "runner process": UNREADY,
            "requires more system memory": UNREADY,
        },
    ),
    Provider(names=("vllm", "sglang"), codes={"40303": CONTEXT, **_each(UNREADY, "EngineDeadError")}),
    Provider(names=("llamacpp", "llama-server", "llama-cpp-python", "llamafile")),
    Provider(
        names=("lmstudio",),
        wording={
            "trying to keep the first": CONTEXT,
            "n_keep": CONTEXT,
            "has crashed": UNREADY,
            "model unloaded": UNREADY,
            "failed to load model": UNREADY,
        },
    ),
    Provider(names=("replicate",), wording={"rate limit resets": RATE, "free time limit": QUOTA}),
    Provider(
        names=("cloudflare", "workers-ai", "cloudflare-workers-ai", "cloudflare-ai-gateway"),
        codes={
            **_each(UNREADY, "3007 3008"),
            **_each(QUOTA, "3036 4006"),
            **_each(OVERLOADED, "3040"),
            **_each(MISSING, "5007"),
            **_each(AUTH, "5016 5018 9109 10000 10001 2009"),
            **_each(CONTEXT, "5021"),
            **_each(RATE, "971 2003 10429"),
            **_each(FILTERED, "2016 2017"),
        },
        loose={**_each(INVALID, "3006 5004 5005 5006 6003 7000 7003")},
        wording={"daily free allocation": QUOTA},
    ),
    Provider(
        names=("databricks",),
        codes={
            **_each(MISSING, "RESOURCE_DOES_NOT_EXIST FEATURE_DISABLED"),
            **_each(UNREADY, "TEMPORARILY_UNAVAILABLE"),
        },
        loose={
            **_each(RATE, "RESOURCE_LIMIT_EXCEEDED"),
            **_each(INVALID, "INVALID_PARAMETER_VALUE INVALID_STATE MALFORMED_REQUEST"),
        },
        wording={"rate limit of 0": QUOTA},
    ),
    Provider(
        names=("watsonx", "ibm.watsonx.ai", "watsonx.ai", "ibm"),
        codes={
            **_each(QUOTA, "token_quota_reached tokens_quota_reached consumption_limit_reached"),
            **_each(AUTH, "authentication_token_not_valid authentication_token_missing"),
        },
        loose={
            **_each(RATE, "rate_limit_reached_requests"),
            **_each(UNAVAILABLE, "downstream_request_failed"),
            **_each(INVALID, "invalid_input_argument invalid_request_entity model_no_support_for_function"),
        },
    ),
    Provider(
        names=("dashscope", "alibaba", "alibaba-cloud", "aliyun", "qwen", "bailian", "model-studio"),
        codes={
            # Said of limits per minute as well, in the words that OpenAI has for no credit.
            **_each(RATE, "insufficient_quota LimitRequests"),
            **_each(QUOTA, "AllocationQuota FreeTierOnly PrepaidBillOverdue PostpaidBillOverdue"),
            **_each(QUOTA, "CommodityNotPurchased"),
            **_each(FILTERED, "InvalidParameter.DataInspection IPInfringementSuspect FaqRuleBlocked"),
            **_each(AUTH, "AccessDenied Model.AccessDenied Workspace.AccessDenied"),
            **_each(UNREADY, "InternalError.Timeout"),
        },
        loose={**_each(UNAVAILABLE, "ModelServingError ModelServiceFailed SystemError")},
        wording={"range of input length": CONTEXT, "free tier": QUOTA, "exceeded your current quota": RATE},
    ),
    Provider(
        names=("zhipu", "zhipuai", "zai", "bigmodel", "glm"),
        codes={
            **_each(AUTH, "1000 1001 1002 1003 1004 1110 1111 1112 1120 1220 1311"),
            **_each(QUOTA, "1113 1304 1309 1310 1313"),
            **_each(MISSING, "1211"),
            **_each(UNREADY, "1230 1234"),
            **_each(CONTEXT, "1261"),
            **_each(FILTERED, "1300 1301"),
            **_each(OVERLOADED, "1312"),
        },
        loose={
            **_each(RATE, "1302 1303 1305 1308"),
            **_each(INVALID, "1210 1212 1213 1214 1215 1221 1222 1231"),
        },
    ),
    Provider(
        names=("moonshot", "moonshotai", "kimi"),
        codes={**_each(UNAVAILABLE, "unexpected_output")},
    ),
    Provider(
        names=("minimax",),
        codes={
            **_each(AUTH, "1004 2049"),
            **_each(RATE, "1002 1039 1041 2045"),
            **_each(QUOTA, "1008 2056"),
            **_each(FILTERED, "1026 1027"),
            **_each(UNREADY, "1000 1001 1013 1024 1033"),
        },
        loose={**_each(INVALID, "1042 2013")},
    ),
    Provider(
        names=("volcengine", "ark", "doubao", "byteplus"),
        codes={
            **_each(
                FILTERED,
                "SensitiveContentDetected InputTextSensitiveContentDetected "
                "OutputTextSensitiveContentDetected InputImageSensitiveContentDetected "
                "OutputImageSensitiveContentDetected",
            ),
            **_each(MISSING, "InvalidEndpointOrModel ModelNotOpen"),
            **_each(QUOTA, "SetLimitExceeded InferenceLimitExceeded"),
        },
        loose={**_each(RATE, "ModelAccountRpmRateLimitExceeded ModelAccountTpmRateLimitExceeded")},
    ),
    Provider(
        names=("qianfan", "baidu", "ernie"),
        codes={
            **_each(QUOTA, "17 19"),
            **_each(RATE, "4 18 336501 336502"),
            **_each(AUTH, "6 13 14 110 111"),
            **_each(CONTEXT, "336007 336103"),
        },
    ),
    Provider(
        names=("siliconflow",),
        codes={"20012": MISSING, "30001": QUOTA, "50505": OVERLOADED},
    ),
    Provider(
        names=("litellm", "litellm-proxy"),
        gateway=True,
        # Its proxy answers with the names of its exceptions in the text.
        wording={
            "exceeded budget": QUOTA,
            "exceededbudget": QUOTA,
            "budget has been exceeded": QUOTA,
            "no deployments available": RATE,
            "ratelimiterror": RATE,
            "notfounderror": MISSING,
        },
    ),
    Provider(names=("nvidia", "nvidia-nim", "nim"), wording={"credits expired": QUOTA}),
    Provider(names=("perplexity",)),
    Provider(names=("cerebras",)),
    Provider(names=("github-models", "github", "github-copilot"), codes={**_each(RATE, "RateLimitReached")}),
)
"""By provider, in no particular order."""
