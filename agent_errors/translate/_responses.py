"""From an answer to an error: whether it is a failure at all, which, and what is filled in."""

from datetime import datetime
from typing import Any, Final

from attrs import evolve

from agent_errors._base import AgentError
from agent_errors.errors import UpstreamError
from agent_errors.members import Limit, UpstreamInfo
from agent_errors.translate._answer import MOST_TEXT, Answer, is_dict, is_list, one_line, parsed, read
from agent_errors.translate._kinds import BAD_ANSWER, RATE, TOO_LARGE, Kind
from agent_errors.translate._limits import limit_of
from agent_errors.translate._rules import is_gateway, is_known, kind_of, kind_of_status
from agent_errors.translate._stop_reasons import from_model_response
from agent_errors.translate._waits import wait

_STATUSES: Final = range(100, 600)
_SUCCESS: Final = range(200, 300)
_OK: Final = 200
_FIRST_ERROR: Final = 300
_LONGEST_DETAIL: Final = 600
_LONGEST_MESSAGE: Final = 4000
_MOST_EVENTS: Final = 1000
_SAYS: Final = {"true": True, "false": False}

_RESULTS: Final = (
    "choices",
    "candidates",
    "output",
    "content",
    "data",
    "result",
    "results",
    "generations",
    "embeddings",
)
"""Members that only an answer has that succeeded."""
_NO_FAILURE: Final = (None, 0, "0", _OK, "200", "", "success", "Success", "ok", "OK")
"""Values of ``code`` in answers that succeeded."""
_GOOGLE: Final = "type.googleapis.com/google.rpc."

_REASONS: Final = {
    400: "Bad Request",
    401: "Unauthorized",
    402: "Payment Required",
    403: "Forbidden",
    404: "Not Found",
    408: "Request Timeout",
    413: "Content Too Large",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}
"""For answers that say nothing but their status."""


def response_error(
    status: object, headers: object, body: object, provider: object, now: datetime | None
) -> AgentError | None:
    """``from_provider_response``."""
    name = provider if isinstance(provider, str) else None
    number = status if type(status) is int and status in _STATUSES else None
    try:
        return _of_response(number, headers, body, name, now)
    except Exception:  # noqa: BLE001, the parts of an answer are somebody else's objects, and may do anything
        if number is None or number < _FIRST_ERROR:
            return None
        return _made(kind_of_status(number, name), Answer(number, {}), name)


def event_error(event: object, data: object, provider: object) -> AgentError | None:
    """``from_stream_event``."""
    name = provider if isinstance(provider, str) else None
    try:
        return _of_event(event if isinstance(event, str) else "", data, name)
    except Exception:  # noqa: BLE001, as above
        return None


def _of_response(
    status: int | None, headers: object, body: object, provider: str | None, now: datetime | None
) -> AgentError | None:
    value, whole = parsed(body)
    if status is not None and status < _SUCCESS.start:
        return None
    if status in _SUCCESS or (status is None and is_dict(value)):
        if is_dict(value) and whole:
            return _of_success(status, headers, value, provider, now)
        if is_list(value) and whole:
            objects = (item for item in value[:_MOST_EVENTS] if is_dict(item))
            found = (_of_success(status, headers, item, provider, now) for item in objects)
            return next((error for error in found if error is not None), None)
        return _of_text(status, headers, value, provider, now)
    return None if status is None and value is None else _error(read(status, headers, value), provider, now)


def _of_success(
    status: int | None, headers: object, body: dict[Any, Any], provider: str | None, now: datetime | None
) -> AgentError | None:
    """The failure in the object of an answer, or of an event, whose status tells of none."""
    stopped = from_model_response(body, provider=provider, status=status, whole=status is not None)
    failed = _failed(body)
    if failed is not None and (stopped is None or isinstance(stopped, UpstreamError)):
        return _error(read(status, headers, failed), provider, now, stop_reason=_end(body))
    if stopped is not None and headers and (request_id := read(status, headers, None).request_id):
        stopped.upstream = evolve(stopped.upstream or UpstreamInfo(), request_id=request_id)
    return stopped


def _end(body: dict[Any, Any]) -> str | None:
    """The stop reason beside an error."""
    choices = body.get("choices")
    choice = choices[0] if is_list(choices) and choices else None
    reason = choice.get("finish_reason") if is_dict(choice) else None
    return reason if isinstance(reason, str) else None


def _failed(body: dict[Any, Any]) -> dict[Any, Any] | None:
    """The part of an object that tells of a failure, or None if it tells of none."""
    if body.get("error") or body.get("type") == "error" or body.get("object") == "error":
        return body
    response = body.get("response")
    if is_dict(response) and (response.get("error") or response.get("status") == "failed"):
        return body
    for name in ("delta", "choices"):
        for part in (item if is_list(item := body.get(name)) else [item])[:8]:
            if is_dict(part) and part.get("error"):
                return part
    if body.get("success") is False or body.get("type") == "response.failed":
        return body
    base = body.get("base_resp")
    if is_dict(base) and base.get("status_code") not in _NO_FAILURE:
        return {"code": base.get("status_code"), "message": base.get("status_msg")}
    if any(body.get(name) for name in _RESULTS):
        return None
    if body.get("errors") or "error_code" in body or "errorCode" in body or list(body) == ["detail"]:
        return body
    return body if body.get("code") not in _NO_FAILURE and isinstance(body.get("message"), str) else None


def _of_text(
    status: int | None, headers: object, text: object, provider: str | None, now: datetime | None
) -> AgentError | None:
    """The failure in a body that should have been an object, or lines of them."""
    if is_dict(text) or is_list(text):  # JSON that ends too soon
        answer = read(status, headers, None)
        if is_dict(text) and _failed(text) is not None:
            return _error(read(status, headers, text), provider, now)
        return _made(BAD_ANSWER, answer, provider, says="the JSON of the answer ends too soon")
    if not isinstance(text, str):
        return None
    if text.lstrip()[:6].startswith(("data:", "event:")):
        return _of_lines(text, provider)
    answer = read(status, headers, text)
    media = answer.headers.get("content-type", "")
    if answer.html:
        return _made(BAD_ANSWER, answer, provider, says="a web page in place of an answer")
    if not text.strip() and status == _OK and (not media or "json" in media):
        return _made(BAD_ANSWER, answer, provider, says="an empty answer")
    if text.lstrip()[:1] in ("{", "["):
        return _made(
            BAD_ANSWER, read(status, headers, None), provider, says="the JSON of the answer is broken"
        )
    return None


def _of_lines(text: str, provider: str | None) -> AgentError | None:
    """The failure in the text of server-sent events; only their end is looked at, if they are many."""
    event = ""
    for line in text[-4 * MOST_TEXT :].splitlines()[-_MOST_EVENTS:]:
        name, _, value = line.partition(":")
        if name == "event":
            event = value.strip()
        elif name == "data" and (error := event_error(event, value.strip(), provider)) is not None:
            return error
        elif not line:
            event = ""
    return None


def _of_event(event: str, data: object, provider: str | None) -> AgentError | None:
    value, _ = parsed(data)
    if is_dict(value):
        if len(value) == 1:
            name, inner = next(iter(value.items()))
            if isinstance(name, str) and name.endswith("Exception"):  # the member of a union, as boto3 has it
                event, value = name, inner
        if event != "error" and not event.endswith("Exception"):
            return _of_success(None, None, value, provider, None)
    elif is_list(value):
        found = (_of_event(event, item, provider) for item in value[:_MOST_EVENTS])
        return next((error for error in found if error is not None), None)
    elif event != "error" and not event.endswith("Exception"):
        return None
    answer = Answer(None, {})
    if event != "error":
        answer.take_code(event)
    answer.read(value)
    answer.close()
    return _error(answer, provider, None)


def _error(
    answer: Answer, provider: str | None, now: datetime | None, *, stop_reason: str | None = None
) -> AgentError:
    text = answer.text()
    status = None if answer.status in _SUCCESS else answer.status
    kind = kind_of(answer.codes, (answer.body_status, status), text, _speaker(answer, provider))
    limit = None
    if kind.limited:
        limit, over = limit_of(kind, answer, text)
        if over and kind is RATE:
            kind = TOO_LARGE
    retryable = _SAYS.get(answer.headers.get("x-should-retry", "").lower(), answer.retryable)
    if retryable is None:
        retryable = kind.retryable
    seconds = None
    if kind.error.retryable if retryable is None else retryable:
        seconds = wait(answer, text, now)
        if seconds is None and kind is RATE and retryable is None and _daily(limit, text):
            retryable = False
    return _made(
        kind, answer, provider, retryable=retryable, retry_after=seconds, limit=limit, stop_reason=stop_reason
    )


def _daily(limit: Limit | None, text: str) -> bool:
    """Whether it is the limit of a day that was reached, which does not pass in a moment."""
    return (
        limit.name.endswith("_per_day")
        if limit is not None and limit.name
        else "per day" in text or "daily" in text
    )


def _speaker(answer: Answer, provider: str | None) -> str | None:
    """Whose codes and wordings these are: those of a provider behind a gateway, where it can be told."""
    if is_known(provider) and not is_gateway(provider):
        return provider
    for node in answer.nodes:
        name = node.get("provider_name")
        if isinstance(name, str) and is_known(name):
            return name
        kind = node.get("@type")
        if isinstance(kind, str) and kind.startswith(_GOOGLE):
            return "google"
    return "bedrock" if "x-amzn-errortype" in answer.headers else provider


def _made(
    kind: Kind,
    answer: Answer,
    provider: str | None,
    *,
    retryable: bool | None = None,
    retry_after: float | None = None,
    limit: Limit | None = None,
    stop_reason: str | None = None,
    says: str | None = None,
) -> AgentError:
    message = answer.message
    error = kind.error(
        _detail(answer, provider, message, says),
        retryable=None if retryable is kind.error.retryable else retryable,
        retry_after=retry_after,
        limit=limit,
        upstream=UpstreamInfo(
            provider=provider,
            status=answer.status,
            code=answer.code,
            stop_reason=stop_reason,
            message=message[:_LONGEST_MESSAGE] or None,
            request_id=answer.request_id,
        ),
    )
    error.__dict__["provenance"] = "translated"
    return error


def _detail(answer: Answer, provider: str | None, message: str, says: str | None) -> str:
    """One line for the person on call: who, which status and code, and what they said."""
    who = [one_line(provider)[:64] or "the provider" if provider else "the provider"]
    if answer.status is not None:
        who.append(str(answer.status))
    if answer.code is not None and answer.code != who[-1]:
        who.append(one_line(answer.code))
    what = says or ("a web page in place of an answer" if answer.html else "")
    if message:
        what = f"{what}: {message}" if what else message
    elif not what:
        reason = _REASONS.get(answer.status or answer.body_status or 0)
        what = f"{reason}, without a message" if reason else "no message"
    line = f"{' '.join(who)}: {what}"
    return line if len(line) <= _LONGEST_DETAIL else f"{line[: _LONGEST_DETAIL - 1]}…"
