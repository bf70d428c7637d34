"""How a model's answer ended, and what it means that a stream ended where it did.

What the words mean is in ``_stop_reason_tables``; here is where they stand.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from agent_errors import _wire
from agent_errors.errors import (
    OutputEmpty,
    OutputTruncated,
    PolicyContentFiltered,
    PolicyModelRefusal,
    UpstreamInvalidResponse,
    UpstreamUnavailable,
)
from agent_errors.members import Limit, Location, UpstreamInfo
from agent_errors.translate._stop_reason_tables import (
    COMPLETE,
    FINAL,
    OWN_TABLES,
    SENTENCES,
    STOP_REASONS,
    UNEXPLAINED,
    UNFINISHED,
    Meanings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agent_errors._base import AgentError

_Object = dict[str, Any]

# Where an answer says how it ended

_ALTERNATIVES: Final = ("choices", "candidates", "results", "generations")
"""Lists of answers to choose from: one good one is enough."""
_NEVER_EMPTY: Final = ("choices", "candidates")
"""Those of them that no API has for something else, such as what a search found."""
_AROUND_ANSWERS: Final = ("response",)
_REASONS: Final = (
    "finish_reason",
    "finishReason",
    "stop_reason",
    "stopReason",
    "done_reason",
    "completionReason",
    "stop_type",
)
_AROUND_REASONS: Final = ("delta", "messageStop", "details")
_NATIVE_REASONS: Final = ("native_finish_reason",)
"""What the provider behind a gateway said."""
_STATUS_DETAILS: Final = ("incomplete_details", "status_details")
_WITH_STATUS: Final = ("response", "realtime.response")
"""Values of ``object`` beside which ``status`` is a reason: elsewhere it can be anything."""
_PROMPT_FEEDBACK: Final = ("promptFeedback", "prompt_feedback")
_BLOCK_REASONS: Final = ("blockReason", "block_reason")
_AROUND_EXPLANATIONS: Final = ("stop_details",)
_EXPLANATIONS: Final = ("finishMessage", "blockReasonMessage", "explanation")

# Where an answer has its content

_CONTENT: Final = ("message", "content", "output", "response", "generated_text", "outputText", "text")
"""The first of these that an answer has holds all of it, but for tool calls beside it."""
_NO_CONTENT: Final = frozenset(
    {
        *("type", "id", "object", "role", "status", "model", "annotations", "refusal"),
        *("reasoning", "reasoning_content", "reasoning_details", "thinking", "thought", "thoughtSignature"),
    }
)
"""Members that are of no use to somebody who wants an answer."""
_THOUGHTS: Final = ("reasoning", "thinking", "redacted_thinking")
"""Types of content that is no part of the answer."""
_AROUND_CALLS: Final = ("output", "message", "content")
_CALLS: Final = ("tool_calls", "content", "output", "parts")
_INSIDE_CALLS: Final = ("function", "toolUse", "functionCall")
_CALL_IDS: Final = ("call_id", "id", "toolUseId")

# How a stream ends

_DONE: Final = "[DONE]"
_LAST_EVENTS: Final = frozenset(
    {
        *("message_stop", "message-end", "stream-end", "done", "finish"),
        *("response.completed", "response.done"),
    }
)
_EVENT_NAMES: Final = ("type", "event_type")

_SAY_LITTLE: Final = (UpstreamUnavailable, OutputEmpty)
"""An error beside the reason says more."""
_LONGEST_REASON: Final = 100
"""Nothing longer is a reason."""
_LONGEST_EXPLANATION: Final = 1_000
_MOST_CHARACTERS: Final = 16 * 1024
"""How much of a text is looked at."""
_MOST_PARTS: Final = 10_000
"""How many values of an answer are searched for content: one that has more has some."""


def from_stop_reason(reason: object, *, provider: str | None = None) -> AgentError | None:
    """The error that a stop reason, finish reason or status of a model's answer reports.

    ``reason`` is a string or a member of an enum, as the API or SDK gave it. None for a normal end, and for a
    reason that is not known: nothing is guessed. ``provider`` is kept as ``upstream.provider``. Never raises.
    """
    said = {"reason": _exact(reason)}
    if issubclass(type(reason), Enum):  # whose value may be a number, as in protocol buffers
        said = {name: _exact(getattr(reason, name, None)) for name in ("_value_", "_name_")}
    return next((_error_of(text, _upstream(provider)) for text in _texts(said, said)), None)


def from_stream_end(last_event: object, *, provider: str | None = None) -> AgentError | None:
    """The error of a stream that has ended, given the last of its events.

    ``last_event`` is parsed JSON, text or bytes, or ``{"event": name, "data": data}``; None for a stream with
    nothing in it. None if a whole answer ends with this event; its own error or that of its stop reason if it
    has one; else ``upstream.invalid_response``, which is retryable: the stream broke off. Never raises.
    """
    name, event = _event(last_event)
    error = _failure(event, _upstream(provider), whole=False)
    if error or _is_last(name, event):
        return error
    return _own_error(name, event, provider) or _error(UpstreamInvalidResponse, _upstream(provider))


def from_model_response(
    body: object, *, provider: str | None = None, status: int | None = None, whole: bool = True
) -> AgentError | None:
    """The error of a model's answer: of its stop reason, of a refusal, or because there is nothing in it.

    ``body`` is parsed JSON; with ``whole=False`` an event of a stream, which may well be empty. None for a
    good answer, for a body of unknown shape, and where the ``error`` in it says more than its reason.
    Never raises.
    """
    if events := _array(body):  # a stream in one piece, as Gemini sends it
        body, whole = events[-1], False
    return _failure(body, _upstream(provider, status), whole=whole) if _wire.is_dict(body) else None


# What the words mean


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


_TABLES: Final[Mapping[str, Meanings]] = {
    name: {_folded(value): meaning for value, meaning in table.items()}
    for name, table in STOP_REASONS.items()
}
_MEANINGS: Final[Meanings] = {
    word: meaning for table in reversed([*_TABLES.values()]) for word, meaning in table.items()
}
"""All tables in one, so that it does not matter how many there are."""
_BLOCKED: Final = _TABLES["google.BlockedReason"]
_OF_PROVIDERS: Final = {_folded(provider): _TABLES[table] for provider, table in OWN_TABLES.items()}
_FINAL: Final = frozenset(map(_folded, FINAL))
_COMPLETE: Final = frozenset(map(_folded, COMPLETE))
_UNEXPLAINED: Final = frozenset(map(_folded, UNEXPLAINED))
_UNFINISHED: Final = frozenset(map(_folded, UNFINISHED))


def _entry(reason: str, provider: str) -> tuple[Meanings, str]:
    """The table for a reason, and the word to look up in it."""
    word = _folded(reason)
    own = _OF_PROVIDERS.get(_folded(provider[:_LONGEST_REASON]), {})
    if word in own:
        return own, word
    meanings = _MEANINGS
    while word not in meanings and "reason" in word:  # behind the name of its enum, or twice so
        enum, _, word = word.partition("reason")
        if enum.endswith(("block", "blocked")):
            meanings = _BLOCKED
    return meanings, word


def _meaning(reason: str, upstream: _Object) -> type[AgentError] | None:
    meanings, word = _entry(reason, upstream.get("provider", ""))
    return meanings.get(word)


# Reading an answer


def _failure(answer: _Object, upstream: _Object, *, whole: bool) -> AgentError | None:
    """The error of an answer or an event."""
    for feedback in _objects(answer, _PROMPT_FEEDBACK):
        for reason in _texts(feedback, _BLOCK_REASONS):
            cls = _BLOCKED.get(_folded(reason)) or PolicyContentFiltered  # whatever the reason, it is blocked
            return _error(cls, upstream, reason, feedback)
    for inner in _objects(answer, _AROUND_ANSWERS):
        answer = answer if _reasons(answer) else inner
    failure = _failure_of_all(answer, upstream, whole=whole)
    return None if type(failure) in _SAY_LITTLE and answer.get("error") else failure


def _failure_of_all(answer: _Object, upstream: _Object, *, whole: bool) -> AgentError | None:
    """The error of the first alternative, if none of them is good."""
    for name in _ALTERNATIVES:
        first = None
        for part in filter(_wire.is_dict, _array(answer.get(name))):
            failure = _failure_of_one(part, upstream, whole=whole)
            if failure is None:
                return None
            first = first or failure
        if first:
            return first
        if whole and name in _NEVER_EMPTY and answer.get(name) == []:
            return _error(OutputEmpty, upstream)
    return _ending(answer, upstream, whole=whole)


def _failure_of_one(part: _Object, upstream: _Object, *, whole: bool) -> AgentError | None:
    failure = _ending(part, upstream, whole=whole)
    if part.get("error") and (failure is None or type(failure) in _SAY_LITTLE):
        return _own_error(None, {"error": part["error"]}, upstream.get("provider")) or failure
    return failure


def _ending(part: _Object, upstream: _Object, *, whole: bool) -> AgentError | None:
    """The error of one alternative: by its most telling reason, a refusal, or that there is nothing in it."""
    reasons = _reasons(part)
    failing = [reason for reason in reasons if _meaning(reason, upstream)]
    if failing:
        reason = min(failing, key=lambda reason: _meaning(reason, upstream) in _SAY_LITTLE)
        _, word = _entry(reason, upstream.get("provider", ""))
        if whole and word in _UNEXPLAINED and not _has_content(part):
            return _error(OutputEmpty, upstream, reason, part)
        return _error_of(reason, upstream, part)
    reason = reasons[0] if reasons else ""
    if _is_refused(part):
        return _error(PolicyModelRefusal, upstream, reason, part)
    if whole and _folded(reason) in _COMPLETE and not _has_content(part):
        return _error(OutputEmpty, upstream, reason, part)
    return None


def _reasons(part: _Object) -> list[str]:
    """Why an answer ended: several reasons if it came through a gateway, or has a status with details."""
    details = [text for place in _objects(part, _STATUS_DETAILS) for text in _texts(place, ("reason",))]
    reasons = [*_finish_reasons(part), *_texts(part, _NATIVE_REASONS), *details]
    if part.get("object") in _WITH_STATUS or details:
        known = any(word in meanings for meanings, word in (_entry(reason, "") for reason in details))
        reasons += () if known else _texts(part, ("status",))
    return reasons


def _finish_reasons(part: _Object) -> list[str]:
    """The first of them: what follows is of another kind, as the sequence that vLLM stopped at."""
    for place in (part, *_objects(part, _AROUND_REASONS)):
        if reasons := _texts(place, _REASONS):
            return reasons[:1]
    return []


def _is_refused(part: _Object) -> bool:
    """Whether the model declined in the member that its API has for that."""
    items = [item for item in _array(part.get("output")) if _wire.is_dict(item)]
    contents = [
        content for item in items for content in _array(item.get("content")) if _wire.is_dict(content)
    ]
    return any(_is_said(place.get("refusal")) for place in (part, *_objects(part, ("message",)), *contents))


def _has_content(part: _Object) -> bool:
    if "delta" in part:  # not all of the answer
        return True
    names = [name for name in _CONTENT if name in part][:1]
    todo = [part.get(name) for name in (*names, "tool_calls")]
    for _ in range(_MOST_PARTS):
        if not todo:
            return False
        value = todo.pop()
        if _is_said(value):
            return True
        if _wire.is_dict(value):
            if value.get("type") not in _THOUGHTS and value.get("thought") is not True:
                todo.extend(member for name, member in value.items() if name not in _NO_CONTENT)
        else:
            todo.extend(_array(value))
    return True


def _is_said(value: object) -> TypeGuard[str]:
    return type(value) is str and (len(value) > _MOST_CHARACTERS or bool(value.strip()))


def _cut_off_call(part: _Object) -> Location | None:
    """The tool call that a truncated answer ends in: its arguments are not whole, even if they parse."""
    for name in _AROUND_CALLS:
        part = _inner(part, (name,))
    calls = [array[-1] for name in _CALLS if (array := _array(part.get(name))) and _wire.is_dict(array[-1])]
    call = calls[0] if calls else {}
    inner = _inner(call, _INSIDE_CALLS)
    ids = [*_texts(call, _CALL_IDS), *_texts(inner, _CALL_IDS), None]
    names = _texts(inner, ("name",))
    return Location(tool_name=names[0], tool_call_id=ids[0]) if names else None


# Reading an event


def _event(given: object) -> tuple[str, _Object]:
    """The name of an event and its data, however it was given."""
    name = ""
    if _wire.is_dict(given) and "data" in given and "type" not in given:
        name, given = "".join(_texts(given, ("event",))), given["data"]
    given = _exact(given)
    if isinstance(given, bytes):
        given = given.decode("utf-8", "replace")
    if isinstance(given, str):
        lines = given.splitlines()
        name = next((line[6:].strip() for line in reversed(lines) if line.startswith("event:")), name)
        text = next((line[5:] for line in reversed(lines) if line.startswith("data:")), given).strip()
        if text == _DONE:
            return "done", {}
        try:
            given = json.loads(text)
        except (ValueError, RecursionError):  # it broke off within the event
            given = None
    if events := _array(given):
        given = events[-1]
    return name, given if _wire.is_dict(given) else {}


def _is_last(name: str, event: _Object) -> bool:
    """Whether a whole answer ends with this event."""
    if not _LAST_EVENTS.isdisjoint([name, *_texts(event, _EVENT_NAMES)]):
        return True
    if event.get("done") is True or event.get("stop") is True or _wire.is_text(event.get("generated_text")):
        return True  # Ollama, llama.cpp, text-generation-inference
    inner = _inner(event, ("metadata",))
    if "usage" in inner and ("metrics" in inner or inner.get("choices") == []):
        return True  # Bedrock; the count of tokens that comes after the reason in OpenAI's
    parts = [part for name in _ALTERNATIVES for part in _array(event.get(name)) if _wire.is_dict(part)]
    return any(
        _folded(reason) not in _UNFINISHED for part in parts or [event] for reason in _finish_reasons(part)
    )


def _own_error(name: str | None, event: _Object, provider: str | None) -> AgentError | None:
    from agent_errors.translate import from_stream_event  # noqa: PLC0415, it imports this module

    return from_stream_event(name or None, event, provider=provider)


# Building the error


def _upstream(provider: object, status: int | None = None) -> dict[str, Any]:
    upstream = {"provider": str.__str__(provider) if _wire.is_text(provider) else None, "status": status}
    return {name: value for name, value in upstream.items() if value is not None}


def _error_of(reason: str, upstream: _Object, part: _Object | None = None) -> AgentError | None:
    cls = _meaning(reason, upstream)
    return _error(cls, upstream, reason, part) if cls else None


def _error(
    cls: type[AgentError], upstream: _Object, reason: str = "", part: _Object | None = None
) -> AgentError:
    detail = f"{SENTENCES[cls]} (stop reason {reason!r})." if reason else f"{SENTENCES[cls]}."
    members: dict[str, Any] = {**upstream, **({"stop_reason": reason} if reason else {})}
    error = cls(detail, retryable=False if _folded(reason) in _FINAL else None)
    if part is not None:
        for place in (part, *_objects(part, _AROUND_EXPLANATIONS)):
            for text in _said(place, _EXPLANATIONS):
                members.setdefault("message", text[:_LONGEST_EXPLANATION])
        if cls is OutputTruncated:
            error.location = _cut_off_call(part)
            error.limit = _limit(part)
    if members:
        error.upstream = UpstreamInfo(**members)
    error.provenance = "translated"
    return error


def _limit(part: _Object) -> Limit | None:
    value = part.get("max_output_tokens")
    observed = _inner(part, ("usage",)).get("output_tokens")
    if type(value) is not int:
        return None
    return Limit("output_tokens", value, observed if type(observed) is int else None)


# Reading what may be anything


def _exact(value: object) -> object:
    """Text as a plain ``str`` or ``bytes``: a class of somebody's own may do anything."""
    if _wire.is_text(value):
        return str.__str__(value)
    return bytes(value) if type(value) is bytearray else value


def _objects(part: _Object, names: Iterable[str]) -> list[_Object]:
    return [value for name in names if name in part and _wire.is_dict(value := part[name])]


def _inner(part: _Object, names: Iterable[str]) -> _Object:
    """The first object inside, else the one that was given."""
    return next(iter(_objects(part, names)), part)


def _array(value: object) -> list[Any]:
    return value if type(value) is list else []  # pyright: ignore[reportUnknownVariableType]


def _said(part: _Object, names: Iterable[str]) -> list[str]:
    """What of these members is text with something in it."""
    return [value for name in names if name in part and _is_said(value := part[name])]


def _texts(part: _Object, names: Iterable[str]) -> list[str]:
    """What of it is short enough for a reason or a name."""
    return [text for text in _said(part, names) if len(text) <= _LONGEST_REASON]
