"""An answer of a provider, read into evidence: codes, statuses, messages, whatever the envelope.

Nothing here knows any provider. ``ROLES`` says what the members that services use are for; everything
else in a body is not looked at.
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeGuard, cast

from attrs import define, field

MOST_TEXT: Final = 16_384
"""How many characters of an answer's texts are looked at for wordings and numbers."""
_MOST_NODES: Final = 48
_MOST_DEPTH: Final = 8
_MOST_MEMBERS: Final = 64
_MOST_ITEMS: Final = 8
_MOST_NESTED: Final = 2
"""How many times JSON in a string in JSON is unpacked."""
_LONGEST_CODE: Final = 200
_LONGEST_HEADER: Final = 1000

_CODE, _TYPE, _STATUS, _TEXT, _TITLE, _MORE, _ID, _RETRYABLE = range(8)

ROLES: Final[Mapping[str, int]] = {
    name: role
    for role, names in {
        # The vendor's code, if it is text or no HTTP status.
        _CODE: "code error_code errorCode Code __type err_code errCode reason limit_source providerCode",
        # Codes as well, next in rank; "status" also holds numbers.
        _TYPE: "type error_type errorType status Type",
        _STATUS: "status_code statusCode http_status http_status_code httpStatus httpStatusCode",
        # Text, or more of the answer, or JSON of it in a string.
        _TEXT: (
            "message Message msg error_message errorMessage error_msg errorMsg err_msg status_msg "
            "detail description error_description error Error raw"
        ),
        # Text only where there is no better.
        _TITLE: "title quotaId",
        _MORE: (
            "errors Errors details innererror inner_error metadata response body fault last_error "
            "status_details base_resp error_details header violations"
        ),
        _ID: "request_id requestId RequestId requestID trace trace_id traceId log_id",
        _RETRYABLE: "retryable is_retryable",
    }.items()
    for name in names.split()
}
"""What the members that services use are for, by name."""

_NUMBERS: Final = (_CODE, _TYPE, _STATUS)
_NESTING: Final = (_TEXT, _MORE)

_ENVELOPES: Final = frozenset({"error", "Error", "response"})
"""Members whose object makes the ``type`` beside it the type of the envelope, not of the error."""

_REQUEST_ID_HEADERS: Final = (
    "x-request-id",
    "request-id",
    "x-amzn-requestid",
    "apim-request-id",
    "x-ms-request-id",
    "x-oai-request-id",
    "x-goog-request-id",
    "mistral-correlation-id",
    "x-kong-request-id",
    "nvcf-reqid",
    "x-ds-trace-id",
    "x-debug-trace-id",
    "x-correlation-id",
    "x-trace-id",
    "cf-ray",
)
"""Where the id of a request is that a provider's support asks for, best first."""

_HTML: Final = re.compile(r"\s*<(?:!doctype html|html|head|body|center|h1)\b", re.IGNORECASE)
_HTML_TITLE: Final = re.compile(r"<(title|h1)[^>]{0,200}>([^<]{1,500})", re.IGNORECASE)
_XML_MEMBER: Final = re.compile(r"<(Code|Message|RequestId)>([^<]{1,2000})</", re.IGNORECASE)
_CUT_MEMBER: Final = re.compile(
    r'"(message|code|type|status|reason|error_code|error_type|detail|error|msg)"\s*:\s*'
    r'("(?:[^"\\]|\\.)*"?|\d{1,9})'
)
"""A member of JSON that ends too soon."""
_PYTHON: Final = re.compile(
    r"""'((?:[^'\\]|\\.)*+)(?:'|\\?\Z)|"((?:[^"\\]|\\.)*+)(?:"|\\?\Z)|\b(None|True|False|inf|nan)\b""",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_PYTHON_NAMES: Final = {"None": "null", "True": "true", "False": "false", "inf": "null", "nan": "null"}
_RPC_STATUS: Final = re.compile(r"[A-Z][A-Z_]{3,60}")
_ERRORS_FROM: Final = 400
_ERRORS_TO: Final = 599


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """``isinstance``, for type checkers that would make the members unknown."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """``isinstance``, for type checkers that would make the items unknown."""
    return isinstance(value, list)


@define
class Answer:
    """What an answer says, in the order in which it says it: from the envelope inwards."""

    status: int | None
    """The HTTP status, or None in a stream."""
    headers: Mapping[str, str]
    """By name in lower case."""
    code: str | None = None
    """The vendor's code where it is not a number, else its type, else the number as text."""
    number: str | None = None
    body_status: int | None = None
    """The innermost HTTP status in the body that is one of a failure."""
    codes: list[str] = field(factory=list[str])
    """All codes and types."""
    messages: list[str] = field(factory=list[str])
    titles: list[str] = field(factory=list[str])
    nodes: list[dict[Any, Any]] = field(factory=list[dict[Any, Any]])
    """The objects that were read."""
    body_id: str | None = None
    retryable: bool | None = None
    """What the body itself says of another attempt."""
    html: bool = False
    _nested: int = 0

    @property
    def message(self) -> str:
        """The innermost message, in one line; empty if there is none."""
        if self.messages:
            return one_line(self.messages[-1])
        return one_line(self.titles[0]) if self.titles else ""

    def text(self) -> str:
        """All messages and titles in lower case, on one line, to look for wordings in."""
        texts = self.messages + self.titles
        whole = texts[0] if len(texts) == 1 else " | ".join(texts)
        return one_line(whole[:MOST_TEXT]).lower()

    @property
    def request_id(self) -> str | None:
        """The id that the provider's support asks for."""
        headers = self.headers
        if headers:
            for name in _REQUEST_ID_HEADERS:
                if name in headers:
                    return headers[name][:_LONGEST_CODE] or None
        return self.body_id

    def read(self, body: object, depth: int = 0) -> None:
        """Take in a body, or a part of one."""
        if is_dict(body):
            self._read_object(body, depth)
        elif is_list(body):
            for item in body[:_MOST_ITEMS]:
                self.read(item, depth + 1)
        elif isinstance(body, str):
            self._read_text(body, depth)

    def take_code(self, code: str) -> None:
        """Take in a code that stands outside the body."""
        self.code = self._code(code)

    def close(self) -> None:
        """Choose the code once all has been read."""
        if self.code is None:
            self.code = self.number
        elif "#" in self.code:  # after the namespace of an AWS service
            self.code = self.code.rpartition("#")[2]

    def _read_object(self, node: dict[Any, Any], depth: int) -> None:
        nodes = self.nodes
        if depth > _MOST_DEPTH or len(nodes) >= _MOST_NODES:
            return
        nodes.append(node)
        codes: list[str | None] = [None, None]  # the first code and the first type in words
        inner: list[object] = []
        enveloped = False
        for name, value in node.items() if len(node) <= _MOST_MEMBERS else _first(node):
            role = ROLES.get(name)
            if role is None or value is None:
                continue
            if isinstance(value, str):
                self._read_member(node, name, value, codes, role=role, depth=depth)
            elif isinstance(value, bool):
                if role == _RETRYABLE:
                    self.retryable = value
            elif isinstance(value, int):
                if role in _NUMBERS:
                    self._number(str(value), only_status=role != _CODE)
            elif role in _NESTING and isinstance(value, dict | list):
                inner.append(cast("object", value))
                enveloped = enveloped or name in _ENVELOPES
        code, kind = codes
        if self.code is None:
            self.code = code or (None if enveloped else kind)
        for value in inner:
            self.read(value, depth + 1)

    def _read_member(
        self, node: dict[Any, Any], name: str, value: str, codes: list[str | None], *, role: int, depth: int
    ) -> None:
        """Take in a member that is text."""
        located = "loc" in node  # what a validator says of one member of the request
        if role in _NESTING:
            if name == "error" and _is_token(value):
                codes[0] = codes[0] or self._code(value)
            elif located:
                self.messages.append(_located(node.get("loc"), value))
            else:
                self._read_text(value, depth)
        elif role == _CODE:
            codes[0] = codes[0] or self._code(value)
        elif role == _TYPE:
            # Beside an error, "status" is a state, unless it is a name as google.rpc has them.
            if not located and (name != "status" or value.isdigit() or _RPC_STATUS.fullmatch(value)):
                codes[1] = codes[1] or self._code(value)
        elif role == _TITLE:
            self.titles.append(value)
        elif role == _ID:
            self.body_id = self.body_id or value[:_LONGEST_CODE] or None
        elif role == _STATUS:
            self._number(value)

    def _code(self, value: str) -> str | None:
        """Take in a code; return it if it is one in words."""
        value = value[: _LONGEST_CODE + 1].strip()
        if value.isdigit():
            self._number(value)
            return None
        if not value or len(value) > _LONGEST_CODE or "://" in value or value in _ENVELOPE_TYPES:
            return None
        if "{" in value:  # JSON in it: a text
            self._read_text(value, 1)
            return None
        self.codes.append(value)
        if " " in value:  # a code in words is a text, too
            self.titles.append(value)
        return value

    def _number(self, digits: str, *, only_status: bool = False) -> None:
        if len(digits) == len("404") and digits.isdigit() and _ERRORS_FROM <= int(digits) <= _ERRORS_TO:
            self.body_status = int(digits)
        elif only_status or len(digits) > len("1000000000"):
            return
        else:
            self.codes.append(digits)
        if not only_status:
            self.number = self.number or digits

    def _read_text(self, text: str, depth: int) -> None:
        """Take in a text, and the JSON, or the ``repr`` of such an object, inside it."""
        text = text[:MOST_TEXT].strip()
        if not text:
            return
        start = text.find("{")
        if start >= 0 and ":" in text and self._nested < _MOST_NESTED:
            found = _object_in(text, start)
            if found is not None:
                self._nested += 1
                if text[:start].strip("[ \n"):
                    self.titles.append(text[:start])
                self._read_object(found, depth + 1)
                return
        if "<" in text and self._read_markup(text):
            return
        self.messages.append(text)

    def _read_markup(self, text: str) -> bool:
        if _HTML.match(text):
            self.html = True
            self.titles += [title.strip() for _, title in _HTML_TITLE.findall(text) if title.strip()][:2]
            return True
        members = _XML_MEMBER.findall(text) if text.startswith("<") else ()
        for name, value in members:
            if name.lower() == "code":
                self.code = self.code or self._code(value)
            elif name.lower() == "message":
                self.messages.append(value)
            else:
                self.body_id = self.body_id or value[:_LONGEST_CODE]
        return bool(members)


_ENVELOPE_TYPES: Final = frozenset({"error", "list", "object", "about:blank", "failure", "fail", "failed"})


def read(status: int | None, headers: object, body: object) -> Answer:
    """The evidence in an answer; ``body`` is what ``parsed`` makes of it."""
    answer = Answer(status, lower_cased(headers))
    if exception := answer.headers.get("x-amzn-errortype"):
        answer.take_code(exception.partition(":")[0])
    answer.read(body)
    answer.close()
    return answer


def lower_cased(headers: object) -> Mapping[str, str]:
    """Headers by name in lower case; the first of those that are repeated. What are no headers is no harm."""
    result: dict[str, str] = {}
    with suppress(Exception):
        _lower_cased(headers, result)
    return result


def _lower_cased(headers: object, result: dict[str, str]) -> None:
    if not headers:
        return
    pairs = cast("Any", headers).items() if isinstance(headers, Mapping) else headers
    for number, pair in enumerate(cast("Iterable[Any]", pairs)):
        if number == _MOST_MEMBERS * 4:
            break
        name, value = pair
        if type(name) is not str or type(value) is not str or len(value) > _LONGEST_HEADER:
            name, value = _header_text(name), _header_text(value)
        result.setdefault(name.lower(), value.strip())


def _header_text(value: object) -> str:
    if is_list(value):
        value = value[0] if value else ""
    if isinstance(value, bytes):
        value = value[:_LONGEST_HEADER].decode("latin-1")
    if isinstance(value, int | float):
        value = str(value)
    return value[:_LONGEST_HEADER] if isinstance(value, str) else ""


def parsed(body: object) -> tuple[object, bool]:
    """A body as JSON values where it is JSON, as text where it is text, None where it is neither.

    Of JSON that ends too soon the members that are there, and False; of lines of JSON the list of their
    values.
    """
    if isinstance(body, bytes | bytearray):
        body = _decoded(bytes(body))
    if not isinstance(body, str):
        return body, True
    text = body.lstrip("\ufeff \t\r\n")
    if text[:1] not in ("{", "["):
        return body, True
    try:
        return json.loads(text), True
    except (ValueError, RecursionError):
        if lines := _lines(text):
            return lines, True
        return _cut(text) or body, False


def _decoded(body: bytes) -> str | None:
    """The text in bytes; None if they are no text. A cut character does not hide the rest."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        head = body[:MOST_TEXT]
        return None if b"\0" in head else head.decode("utf-8", "replace")


def _lines(text: str) -> list[Any]:
    """The values of a body that is one JSON text a line."""
    lines = text[: MOST_TEXT * 4].splitlines()
    values: list[Any] = []
    for line in lines if len(lines) > 1 and lines[0].endswith("}") else ():
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            break
    return values


def _cut(text: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, token in _CUT_MEMBER.findall(text[:MOST_TEXT]):
        value = _unescaped(token[1:].removesuffix('"')) if token[0] == '"' else int(token)
        members.setdefault(name, value)
    return members


def _object_in(text: str, start: int) -> dict[str, Any] | None:
    """The object that begins at ``start``, if it is one that tells of an error."""
    candidate = text[start:]
    for readable in (candidate, _as_json(candidate)):
        try:
            value, _ = _DECODER.raw_decode(readable)
        except (ValueError, RecursionError):
            continue
        if is_dict(value) and not _TELLING.isdisjoint(value):
            return cast("dict[str, Any]", value)
        return None
    found = _cut(candidate) if '"message"' in candidate or '"error"' in candidate else {}
    return found if found.get("message") else None


_DECODER: Final = json.JSONDecoder(strict=False)
_TELLING: Final = frozenset(ROLES) - {"type", "status", "title", "description", "code", "reason"}


def _as_json(text: str) -> str:
    """The ``repr`` of a dictionary as JSON; anything else as something that is not JSON.

    Escaped line breaks outside strings come from a ``repr`` of bytes.
    """
    return _PYTHON.sub(_json_token, text).replace("\\n", " ")


def _json_token(match: re.Match[str]) -> str:
    single, double, name = match.groups()
    if name:
        return _PYTHON_NAMES[name]
    return json.dumps(_unescaped(single if single is not None else double))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def _is_token(text: str) -> bool:
    """Whether a text is a code rather than a sentence."""
    return len(text) <= _LONGEST_CODE and ("_" in text or "-" in text) and " " not in text


def _located(location: object, text: str) -> str:
    """A validator's message with the place in the request, without the value that was there."""
    parts = (
        [str(part) for part in location[:_MOST_ITEMS] if isinstance(part, str | int)]
        if is_list(location)
        else []
    )
    return f"{'.'.join(parts)}: {text}" if parts else text


def _first(node: dict[Any, Any]) -> Iterable[tuple[Any, Any]]:
    """The members that matter of an object with very many."""
    return [(name, node[name]) for name in ROLES if name in node]


def one_line(text: str) -> str:
    """``text`` with every run of white space as one space."""
    return " ".join(text.split())
