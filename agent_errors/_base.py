"""The root of all harness errors, and the one registry of their classes."""

from __future__ import annotations

import copyreg
import itertools
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from copy import deepcopy
from inspect import getattr_static
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self, TypeGuard, TypeVar, cast

from agent_errors import _wire, disclosure
from agent_errors.members import (
    PROBLEM_TITLE,
    PROBLEM_TYPE,
    PROBLEM_TYPES,
    Limit,
    Location,
    Origin,
    Problem,
    Provenance,
    UpstreamInfo,
)

_MEMBERS: Final = frozenset({*_wire.READERS, "causes", "extensions"})
# What every error tells, with the value for one that neither the error nor its class has (PT-1).
_ALWAYS: Final[Mapping[str, Any]] = {
    "title": PROBLEM_TITLE,
    "code": "harness.internal_error",
    "origin": None,
    "retryable": False,
    "model_recoverable": False,
}

# Assigning would ask __setattr__, which has nothing to say here.
_set_args: Final[Callable[[BaseException, tuple[Any, ...]], None]] = vars(BaseException)["args"].__set__
_set_cause: Final[Callable[[BaseException, BaseException], None]] = vars(BaseException)["__cause__"].__set__
# Skips __init__, as _new does; typeshed does not know it.
_NEWOBJ: Final[Any] = vars(copyreg)["__newobj__"]
# Asked of the builtins, since a foreign class may have a property of that name.
_get_cause: Final[Callable[[BaseException], BaseException | None]] = vars(BaseException)["__cause__"].__get__
_get_exceptions: Final[Callable[[BaseException], tuple[BaseException, ...]]] = vars(BaseExceptionGroup)[
    "exceptions"
].__get__
_Error = TypeVar("_Error", bound="AgentError")

_GENERATED: Final = f"{__package__}.errors"
"""The module of the draft's own categories."""
_FLAGS: Final = frozenset({"retryable", "model_recoverable"})
_GIVEN_AS: Final[Mapping[str, str]] = {
    "causes": "AgentErrors and problem objects are expected: of another exception, raise ... from it",
    "extensions": "a mapping is expected",
}
_NO_CAUSES: Final[tuple[()]] = ()
_NO_EXTENSIONS: Final = MappingProxyType[str, Any]({})
_MOST_FEEDBACK_OF_OTHERS: Final = 16_000
"""How many characters of somebody else's text a model is given; quoting makes up to four times as many."""
_MOST_CAUSES: Final = 2**20
"""How many causes are taken from an iterable, which might have no end."""

_classes: dict[str, type[AgentError]] = {}
_categories: dict[str, type[AgentError]] = {}
_with_default: dict[type[AgentError], list[tuple[str, Callable[[object], Any], object]]] = {}


class NotAHarnessProblem(ValueError):
    """What was given holds no harness error object: it has another ``type``, no ``code``, or no members."""


class _Unset:
    """Answers for a member that the error has no value of its own for.

    It has no ``__set__``, so that a value in the ``__dict__`` of the error wins without asking it.
    """

    __slots__ = ("_default", "_read")

    def __init__(self, read: Callable[[AgentError], Any], default: object) -> None:
        self._read = read
        self._default = default

    def __get__(self, error: AgentError | None, owner: type) -> Any:
        return self._default if error is None else self._read(error)


def _unset(read: Callable[[AgentError], Any], default: object = None) -> Any:
    return _Unset(read, default)  # as Any, so that the attribute has the type that it is annotated with


def _received(name: str) -> Any:
    """A member that a received error reads from its document, once, when it is asked for it."""
    usable = _wire.READERS[name]

    def read(error: AgentError) -> Any:
        if (document := error.__dict__.get("_document")) is None:
            return None
        value = error.__dict__[name] = usable(document.get(name))
        return value

    return _unset(read)


def _read_causes(error: AgentError) -> tuple[AgentError | Mapping[str, Any], ...]:
    if (document := error.__dict__.get("_document")) is None:
        return _implied_causes(error) if error.__cause__ is not None else ()
    received = document.get("causes")
    causes: list[AgentError | Mapping[str, Any]] = []
    nearest = error.__cause__
    for cause in received if _wire.is_array(received) else ():
        if isinstance(nearest, AgentError) and _received_as(nearest) is cause:
            causes.append(nearest)
        elif _code_in(cause) is not None:
            causes.append(_received_chain(cause))
        elif _wire.is_dict(cause):
            causes.append(cause.copy())
    error.__dict__["causes"] = result = tuple(causes)
    return result


def _is_error(value: object) -> TypeGuard[AgentError]:
    """``isinstance``, of objects that may do anything when they are asked for their ``__class__``."""
    return issubclass(type(value), AgentError)


def _received_as(error: AgentError) -> Any:
    """The document that an error came in, before anything was assigned."""
    return error.__dict__.get("_received_as", error.__dict__.get("_document"))


def _read_extensions(error: AgentError) -> Mapping[str, Any]:
    members: dict[str, Any] = error.__dict__.get("_document", {})
    # Read-only, since what is changed in a copy would be lost.
    return MappingProxyType({name: value for name, value in members.items() if name not in _wire.NAMES})


class AgentError(Exception):
    """A failure in an agent run, as an exception and as a Problem Details object.

    Raise one of the classes of the codes; catch one of them, or the base of a category, or this root.
    Every argument but the first is a keyword, and every one is an attribute of the same name:

    - ``detail``: what happened this time, for human operators (section 3).
    - ``code``: only for a base or the root, to carry a code that has no class (section 4.1).
    - ``title``: instead of the one registered for the code (section 3).
    - ``origin``: model, harness, tool, upstream or user, instead of the registered one (section 4.2).
    - ``retryable``, ``model_recoverable``: instead of the defaults of the code. As attributes always a
      bool: what this error states, else what its class says (sections 4.3, 4.4).
    - ``model_feedback``: text for the model, so that it can correct the error (section 4.5).
    - ``retry_after``: seconds, not negative, fractions allowed, after which a retry is advised (section 4.6).
    - ``attempts``: how many were made, with the one that failed last, from 0 (section 4.7).
    - ``max_attempts``: how many would have been made at the most, from 0 (section 4.8).
    - ``limit``: the limit that was exceeded (section 4.9).
    - ``location``: where in the run (section 4.10).
    - ``upstream``: what an upstream component reported (section 4.11).
    - ``causes``: most recent first, AgentErrors, or mappings that are problem objects of other types
      (section 4.12). Where none are given: the nearest AgentErrors in the chain that
      ``raise ... from ...`` makes, through groups and foreign exceptions, never the latter themselves.
    - ``instance``: a URI reference of this occurrence (RFC 9457 section 3.1.5).
    - ``extensions``: other members, by name: letters, digits and underscores, three or more, the first
      a letter (RFC 9457 section 3.2). To change them, assign a new mapping.

    Values are not checked here, because an exception that fails while it is raised hides what mattered:
    ``to_problem`` leaves out what the draft does not allow. Assigning None makes a member absent.

    Raises TypeError if the class has no code of its own and none is given, or if ``code`` has a class,
    belongs to another category, or is no code.

    This exception can be pickled, copied and sent through process pools, with its causes and notes.
    """

    category: str = ""
    """The part of the code before the dot."""
    http_status: int = 422
    """The recommended HTTP status code (section 6.1, table 3)."""
    default_feedback: str = (
        "The step failed, and the cause is not known. Do not assume that it had any effect, "
        "and do not simply repeat it."
    )
    """What to tell a model where the error has no feedback of its own."""
    provenance: Provenance = "raised"
    """Whether this error was raised here, received in a document, or translated here from another failure."""

    args: tuple[Any, ...]
    code: str
    title: str = PROBLEM_TITLE
    origin: Origin | None = None
    retryable: bool = False
    model_recoverable: bool = False
    model_feedback: str | None = _received("model_feedback")
    retry_after: float | None = _received("retry_after")
    attempts: int | None = _received("attempts")
    max_attempts: int | None = _received("max_attempts")
    limit: Limit | None = _received("limit")
    location: Location | None = _received("location")
    upstream: UpstreamInfo | None = _received("upstream")
    causes: tuple[AgentError | Mapping[str, Any], ...] = _unset(_read_causes, ())
    instance: str | None = _received("instance")
    extensions: Mapping[str, Any] = _unset(_read_extensions, _NO_EXTENSIONS)

    def __init__(  # noqa: PLR0912, a loop over the arguments would take three times as long
        self,
        detail: str | None = None,
        *,
        code: str | None = None,
        title: str | None = None,
        origin: Origin | None = None,
        retryable: bool | None = None,
        model_recoverable: bool | None = None,
        model_feedback: str | None = None,
        retry_after: float | None = None,
        attempts: int | None = None,
        max_attempts: int | None = None,
        limit: Limit | None = None,
        location: Location | None = None,
        upstream: UpstreamInfo | None = None,
        causes: Iterable[AgentError | Mapping[str, Any]] = _NO_CAUSES,
        instance: str | None = None,
        extensions: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        if code is not None or not hasattr(type(self), "code"):
            _carry(self, code)
        members = self.__dict__
        if title is not None:
            members["title"] = title
        if origin is not None:
            members["origin"] = origin
        if retryable is not None:
            members["retryable"] = retryable
        if model_recoverable is not None:
            members["model_recoverable"] = model_recoverable
        if model_feedback is not None:
            members["model_feedback"] = model_feedback
        if retry_after is not None:
            members["retry_after"] = retry_after
        if attempts is not None:
            members["attempts"] = attempts
        if max_attempts is not None:
            members["max_attempts"] = max_attempts
        if limit is not None:
            members["limit"] = limit
        if location is not None:
            members["location"] = location
        if upstream is not None:
            members["upstream"] = upstream
        if causes is not _NO_CAUSES and (usable_causes := _usable(self, "causes", causes)):
            members["causes"] = usable_causes
        if instance is not None:
            members["instance"] = instance
        if extensions is not None and (usable_extensions := _usable(self, "extensions", extensions)):
            members["extensions"] = usable_extensions

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _register(cls)

    if not TYPE_CHECKING:  # pragma: no branch, a checker would take it for leave to assign any attribute

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in _MEMBERS:
                super().__setattr__(name, value)
                return
            if name == "code" and not _wire.is_code(value):
                raise TypeError(f"{_wire.shown(value)} is no code: <category>.<name> or x-<vendor>.<name>")
            if name in ("causes", "extensions"):
                value = _usable(self, name, value)
            if "_document" in self.__dict__:
                _overlay(self, name, value)
            if name == "code":
                _set_code(self, value)
            elif value is None and name != "detail":
                self.__dict__.pop(name, None)
            else:
                super().__setattr__(name, value)

    @property
    def detail(self) -> str | None:
        """What happened this time, for human operators (section 3)."""
        return self.args[0] if self.args else None

    @detail.setter
    def detail(self, value: str | None) -> None:
        self.args = (value,)

    @property
    def stated(self) -> frozenset[str]:
        """The members that this occurrence states itself rather than leave to its class.

        Of a received error: those that came with a usable value, or were assigned since.
        """
        if (document := self.__dict__.get("_document")) is None:
            names = {name for name in self.__dict__ if name in _MEMBERS}
            return frozenset(names if self.detail is None else {*names, "detail"})
        assigned = self.__dict__.get("_assigned", ())
        names = {
            name
            for name, usable in _wire.READERS.items()
            if name in assigned or usable(document.get(name)) is not None
        }
        return frozenset(names | {name for name in ("causes", "extensions") if getattr(self, name)})

    def to_problem(self, *, audience: str = "operator", strict: bool = False) -> Problem:
        """The error as a Problem Details object that is the caller's to keep.

        An error made here describes itself in full; a received one is written as the document that came
        in, with what was assigned since. Credentials are masked (SE-2). The document has 64 levels and
        256 causes, strings of 65,536 characters, integers up to 2**53 and 1 MiB as JSON at the most; what
        is cut is cut from the middle, so that the innermost cause stays (CA-4).

        ``audience`` is ``"operator"``, ``"peer"`` or ``"public"``, and any other name is public:
        each is shown less than the one before (section 10, SE-1).

        Never fails: what JSON, the draft or the bounds cannot hold is left out and logged. With ``strict``,
        for tests, it raises ValueError instead and names the member.
        """
        document = _document_of(self, audience, _wire.refuse if strict else _log_of(self))
        return cast("Problem", _wire.copied(document))

    def to_json(self, *, audience: str = "operator") -> str:
        """The JSON text of ``to_problem``, compact: any parser takes it, and it encodes as UTF-8 (RFC-7)."""
        return _wire.encoded(_document_of(self, audience, _log_of(self)))

    @staticmethod
    def from_problem(problem: Mapping[str, Any]) -> AgentError:
        """The error that a Problem Details object describes, of the class of its ``code``.

        A member with a value of the wrong type is as good as absent (RFC-1), and unknown members are kept
        (EM-1). The first cause that is a harness error becomes ``__cause__``, so that a traceback shows
        the remote chain in place of the local context. The same bounds hold as in ``to_problem``.

        Raises NotAHarnessProblem if ``problem`` is no mapping, its ``type`` is neither of PROBLEM_TYPES
        (a relative one never is), or its ``code`` is absent or no code.
        """
        members = _wire.members_of_problem(problem)
        if _code_in(members) is None:
            found = " and ".join(f"{name} {_wire.shown(members.get(name))}" for name in ("type", "code"))
            if not _wire.is_mapping(problem):
                found = f"a mapping is expected, and {type(problem).__name__} given"
            raise NotAHarnessProblem(_wire.one_line(f"no harness error object: {found}"))
        return _received_chain(_wire.received(members))

    @staticmethod
    def from_json(data: str | bytes, *, loads: Callable[[str], Any] | None = None) -> AgentError:
        """``from_problem`` of a JSON text; ``loads`` is the parser, ``json.loads`` unless given.

        Raises NotAHarnessProblem also if ``data`` is not JSON in UTF-8, or deeper than the parser goes.
        """
        try:
            document, small = _wire.parsed(data, loads)
        except Exception as error:
            raise NotAHarnessProblem("no harness error object: that is not JSON") from error
        if small and _code_in(document) is not None:
            return _received_chain(document)
        return AgentError.from_problem(document)

    def to_feedback(self) -> str:
        """What to put into a model's context: ``model_feedback``, else the sentence for the code.

        Only text that was raised here is passed on bare. From any other error it comes fenced, line by
        line, and marked as untrusted, with less trust than the model's own context (SE-3). Never ``detail``.
        """
        given = _told(self, "model_feedback", None)
        feedback = str.__str__(given) if _wire.is_text(given) else ""
        if not feedback.strip():
            return _wire.text_of(_told(self, "default_feedback", AgentError.default_feedback))
        text = _wire.encodable(_wire.masked(feedback))
        if _told(self, "provenance", None) == "raised":
            return _wire.cut(text)
        return disclosure.fenced(_wire.cut(text, _MOST_FEEDBACK_OF_OTHERS))

    def __str__(self) -> str:
        given = _told(self, "detail", None)
        detail = "" if given is None else _wire.text_of(given)
        text = detail if detail.strip() else _wire.text_of(_told(self, "title", PROBLEM_TITLE))
        return _wire.one_line(f"[{_code_of(self)}] {text}")

    def __repr__(self) -> str:
        code = "" if hasattr(type(self), "code") else f", code={_code_of(self)!r}"
        given = _told(self, "detail", None)
        detail = None if given is None else _wire.text_of(given)
        return _wire.one_line(f"{_wire.class_name(self)}({detail!r}{code})")

    def __copy__(self) -> Self:
        copy = _new(type(self), self.args)
        _restore(copy, *_attributes(self))
        if type(notes := copy.__dict__.get("__notes__")) is list:
            copy.__dict__["__notes__"] = notes.copy()
        for name in ("__cause__", "__context__", "__suppress_context__"):  # also if it is frozen
            Exception.__setattr__(copy, name, getattr(self, name))
        return copy.with_traceback(self.__traceback__)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = memo[id(self)] = _new(type(self), _pickled_args(self))
        AgentError.__setstate__(copy, deepcopy(_state(self, class_of=type), memo))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        state = _state(self, class_of=_pickled_class)
        made: tuple[Any, ...] = _NEWOBJ, (type(self), *_pickled_args(self)), state
        if type(self).__new__ is not Exception.__new__:  # it may want other arguments
            made = _new, (type(self), tuple(_pickled_args(self))), state
        if type(self).__setstate__ is AgentError.__setstate__:
            return made
        # attrs gives a class with slots a __setstate__ of its own, which would lose our members.
        return *made, None, None, AgentError.__setstate__

    def __setstate__(self, state: Any) -> None:
        if state is None:
            return
        if _wire.is_dict(state):
            self.__dict__.update(state)
            _link(self)
            return
        errors = [self, *(_new(cls, args) for cls, args, *_ in state[1:])]
        for error, (_, args, attributes, slots, causes) in zip(errors, state, strict=True):
            _set_args(error, tuple(args))
            _restore(error, attributes, slots)
            if causes:
                error.__dict__["causes"] = tuple(
                    errors[cause] if isinstance(cause, int) else cause for cause in causes
                )
        for error in errors:
            _link(error)


def _code_of(error: AgentError) -> str:
    return _wire.text_of(_told(error, "code", _ALWAYS["code"]))


# Registration


def _register(cls: type[AgentError]) -> None:
    """Enter a class that has a code or a category of its own; refuse what would make dispatch ambiguous."""
    own = vars(cls)
    code = own.get("code")
    categories = {base.category for base in cls.__mro__ if issubclass(base, AgentError)} - {""}
    if len(categories) > 1:
        raise TypeError(f"{cls.__name__} has bases of several categories: {', '.join(sorted(categories))}")
    if code is None:
        if (category := own.get("category")) is not None:
            if category not in _categories and cls.__module__ != _GENERATED and not _is_private(category):
                raise TypeError(
                    f"{cls.__name__}.category is {category!r}: a category of your own is x-<vendor>"
                )
            for other in _classes.values() if category not in _categories else ():
                if other.category == category:
                    raise TypeError(f"{cls.__name__} comes after {other.__name__}: define the base first")
            _claim(_categories, category, cls)
        return
    if not _wire.is_code(code):
        raise TypeError(f"{cls.__name__}.code is {code!r}: write <category>.<name> or x-<vendor>.<name>")
    category = code.partition(".")[0]
    if cls.category and cls.category != category:
        raise TypeError(
            f"{cls.__name__} has the code {code!r} and a base for {cls.category!r}: derive it from "
            f"{_categories.get(category, AgentError).__name__}"
        )
    base = _categories.get(category)
    if base is not None and not issubclass(cls, base):
        raise TypeError(f"{cls.__name__} has the code {code!r}: make it a subclass of {base.__name__}")
    if base is None and not _is_private(category):
        raise TypeError(f"{cls.__name__} has the code {code!r}: a category of your own is x-<vendor>")
    cls.category = category
    _claim(_classes, code, cls)
    _wire.known.add(code)
    if cls.__module__ == _GENERATED or _wire.is_presentable({"title": cls.title}, mask=True):
        _wire.known.add(cls.title)


def _is_private(category: object) -> bool:
    return _wire.is_text(category) and category.startswith("x-") and _wire.is_code(f"{category}.name")


def _is_missed(own: Mapping[str, Any], code: str, category: str) -> bool:
    given, kind = own.get("code"), own.get("category")
    if type(given) is str:
        return given == code
    return given is None and type(kind) is str and kind == category and kind not in _categories


def _register_late(cls: type[AgentError]) -> None:
    with suppress(TypeError):  # refused when it was made, and not yet collected
        _register(cls)


def _claim(table: dict[str, type[AgentError]], key: str, cls: type[AgentError]) -> None:
    holder = table.get(key)
    if holder is not None and _home(holder) != _home(cls):
        raise TypeError(f"{key!r} is {holder.__module__}.{holder.__qualname__} already: subclass that")
    table[key] = cls


def _home(cls: type) -> tuple[str, str]:
    """Where a class is defined; what runs as ``python -m acme.errors`` is ``acme.errors``."""
    spec = getattr(sys.modules.get(cls.__module__), "__spec__", None)
    return cls.__module__ if spec is None else spec.name, cls.__qualname__


def _carry(error: AgentError, code: str | None) -> None:
    """Give an error of a base, or of the root, the code that has no class."""
    cls = type(error)
    category = cls.category or "x-<vendor>"
    if code is None:
        raise TypeError(f"{cls.__name__} has no code: raise a subclass, or pass code='{category}.<name>'")
    if not _wire.is_code(code):
        raise TypeError(f"{_wire.shown(code)} is no code: write <category>.<name> or x-<vendor>.<name>")
    code = str.__str__(code)
    known = lookup(code)
    if hasattr(cls, "code"):
        if code != cls.code:
            raise TypeError(f"{cls.__name__} is {cls.code!r}: leave code out, or raise {known.__name__}")
        return
    if hasattr(known, "code"):
        raise TypeError(f"{code!r} has a class: raise {known.__name__}")
    if not isinstance(error, known) or (cls.category and cls.category != code.partition(".")[0]):
        raise TypeError(f"{code!r} is not in the category of {cls.__name__}: raise {known.__name__} with it")
    _set_code(error, code)


def _set_code(error: AgentError, code: str) -> None:
    code = str.__str__(code)
    error.__dict__["code"] = code
    if not type(error).category:
        error.__dict__["category"] = code.partition(".")[0]


def lookup(code: str) -> type[AgentError]:
    """The class for a code: its own, else the base of its category, else AgentError (EM-4).

    Total: any string, and anything else, has an answer.
    """
    if not _wire.is_text(code):  # pyright: ignore[reportUnnecessaryIsInstance], total all the same
        return AgentError
    code = str.__str__(code)
    if (cls := _classes.get(code)) is not None:
        return cls
    category = code.partition(".")[0]
    if category.startswith("x-"):
        # cloudpickle makes a class first and sets its attributes later: __init_subclass__ saw none.
        todo = AgentError.__subclasses__()
        for late in todo:  # grows while it is walked
            # Only what was looked for: another class of that home may have come since.
            if _is_missed(vars(late), code, category):
                _register_late(late)
            todo.extend(late.__subclasses__())
    return _classes.get(code) or _categories.get(category, AgentError)


# Reading


def is_problem(obj: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether ``obj`` is a harness error object, which ``AgentError.from_problem`` takes. Never raises."""
    return _wire.is_mapping(obj) and _code_in(_wire.members_of_problem(obj)) is not None


def _code_in(document: object) -> str | None:
    """The code of a harness error object (PT-4, PT-6); None of anything else."""
    if not _wire.is_dict(document):
        return None
    kind, code = document.get("type"), document.get("code")
    if (
        type(kind) is not str or type(code) is not str
    ):  # of the subclasses that may be there only before a copy
        kind, code = (str.__str__(part) if _wire.is_text(part) else "" for part in (kind, code))
    if kind not in PROBLEM_TYPES:
        return None
    return code if code in _classes or _wire.is_code(code) else None


def _received_error(document: dict[str, Any]) -> AgentError:
    """One received error, without its chain; ``document`` is a harness error object, and ours."""
    code = document["code"]
    cls = _classes.get(code) or lookup(code)
    detail = document.get("detail")
    error = _made(cls, (detail if _wire.is_text(detail) else None,))
    members = error.__dict__
    members["_document"] = document
    members["provenance"] = "received"
    if not hasattr(error, "code"):
        _set_code(error, code)
    for name, usable, default in _defaulted(cls):
        value = document.get(name, default)
        if value != default and (value := usable(value)) is not None:
            members[name] = value
    return error


def _made(cls: type[AgentError], args: tuple[Any, ...]) -> AgentError:
    """An error of a class, or of the nearest of its bases that can be made of a detail alone."""
    try:
        return _new(cls, args)
    except Exception:  # noqa: BLE001, the __new__ of a user's class, or of a group, wants more
        return _made(next(base for base in cls.__mro__[1:] if issubclass(base, AgentError)), args)


def _defaulted(cls: type[AgentError]) -> list[tuple[str, Callable[[object], Any], object]]:
    """The members with a default on the class, which would hide the document: (name, reader, default)."""
    if (members := _with_default.get(cls)) is None:
        members = _with_default[cls] = [
            (name, usable, getattr(cls, name))
            for name, usable in _wire.READERS.items()
            if name not in {"code", "detail"} and type(getattr_static(cls, name)) is not _Unset
        ]
    return members


def _received_chain(document: dict[str, Any]) -> AgentError:
    error = _received_error(document)
    _link(error)
    return error


def _link(error: AgentError) -> None:
    """Make the nearest harness error among the causes ``__cause__``, and so on below it."""
    for _ in range(_wire.MAX_LEVELS):
        members = error.__dict__
        if "causes" in members:
            causes: Any = members["causes"]
        else:
            causes = members["_document"].get("causes") if "_document" in members else None
        for cause in causes if _wire.is_array(causes) else ():
            if isinstance(cause, AgentError):
                _set_cause(error, cause)
                return
            if _code_in(cause) is not None:
                below = _received_error(cause)
                _set_cause(error, below)
                error = below
                break
        else:
            return


def _usable(error: AgentError, name: str, given: Any) -> Any:
    """What can be used of given causes or extensions; ``to_problem`` is to say if that is not all."""
    usable, whole = _causes_from(given) if name == "causes" else _extensions_from(given)
    unusable = error.__dict__.get("_unusable", frozenset[str]()) - {name}
    if unusable or not whole:
        error.__dict__["_unusable"] = unusable if whole else unusable | {name}
    else:
        error.__dict__.pop("_unusable", None)
    return usable


def _causes_from(given: Any) -> tuple[tuple[AgentError | Mapping[str, Any], ...] | None, bool]:
    """What was given as causes, harness error objects among them as errors; and whether it was all usable."""
    causes: list[AgentError | Mapping[str, Any]] = []
    whole = True
    try:
        if given is None:
            given = ()
        elif _is_error(given) or _wire.is_mapping(given):  # one, given bare
            given = (given,)
        for cause in itertools.islice(given, _MOST_CAUSES):
            if _is_error(cause):
                causes.append(cause)
            elif _wire.is_mapping(cause):
                causes.append(_cause_from(cause))
            else:
                whole = False
    except Exception:  # noqa: BLE001, an iterable of somebody else's may raise anything
        whole = False
    return tuple(causes) or None, whole


def _extensions_from(given: Any) -> tuple[dict[str, Any] | None, bool]:
    return dict(_wire.members_of_problem(given)) or None, given is None or _wire.is_mapping(given)


def _cause_from(cause: Mapping[str, Any]) -> AgentError | Mapping[str, Any]:
    return AgentError.from_problem(cause) if is_problem(cause) else _wire.received(cause)


def _implied_causes(error: AgentError) -> tuple[AgentError, ...]:
    """The nearest AgentErrors that ``raise ... from ...`` put behind an error, never its ``__context__``."""
    found: list[AgentError] = []
    seen = {id(error)}
    todo: list[BaseException | None] = [error.__cause__]
    while todo:
        failure = todo.pop()
        if failure is None or id(failure) in seen:
            continue
        seen.add(id(failure))
        if _is_error(failure):
            found.append(failure)
            continue
        todo.append(_get_cause(failure))
        if issubclass(type(failure), BaseExceptionGroup):
            todo.extend(reversed(_get_exceptions(failure)))
    return tuple(found)


def _overlay(error: AgentError, name: str, value: Any) -> None:
    """Note an assignment to a received error, in a new document: the old one may be a part of another's."""
    error.__dict__.setdefault("_received_as", error.__dict__["_document"])
    document = dict(error.__dict__["_document"])
    assigned = error.__dict__.get("_assigned", frozenset[str]()) - {name}
    if name == "extensions":
        extensions: dict[str, Any] = value or {}
        document = {key: part for key, part in document.items() if key in _wire.NAMES or key in extensions}
        names = [key for key in extensions if key not in _wire.NAMES]
    else:
        names = [name]
    if value is None:
        document.pop(name, None)
    else:
        assigned |= {name}
        for place in names:  # among the others, or behind them
            document.setdefault(place)
    error.__dict__.update(_document=document, _assigned=assigned)


# Writing


def _log_of(error: AgentError) -> _wire.Report:
    told: set[tuple[str, str]] = set()

    def report(member: str, why: str) -> None:
        if (member, why) not in told:  # a list may have many values of one kind
            told.add((member, why))
            _wire.log(_code_of(error), member, why)

    return report


def _document_of(error: AgentError, audience: str, report: _wire.Report) -> dict[str, Any]:
    received: dict[str, Any] | None = error.__dict__.get("_document")
    if (
        received is not None
        and audience == "operator"
        and "_assigned" not in error.__dict__
        and _wire.is_presentable(received, mask=True)
    ):
        return received

    def members_of(node: Any) -> Mapping[str, Any]:
        return _members_of(node, audience, report)

    causes_of: _wire.Causes = _no_causes
    if not disclosure.is_public(audience):
        causes_of = _causes_of if audience == "operator" else _problems_among_causes_of
    return _wire.document(error, causes_of, members_of, mask=True, report=report)


def _no_causes(_: object) -> Sequence[Any]:
    return ()


def _problems_among_causes_of(node: Any) -> Sequence[Any] | None:
    """Without what is malformed, in which something might hide that the audience is not to see."""
    causes = _causes_of(node)
    return None if causes is None else [cause for cause in causes if isinstance(cause, AgentError | Mapping)]


def _causes_of(node: Any) -> Sequence[Any] | None:
    """What is written below an error: as received where it was received, and not assigned since."""
    if not isinstance(node, AgentError):
        return _wire.problem_causes(node)
    document = node.__dict__.get("_document")
    if document is None or "causes" in node.__dict__.get("_assigned", ()):
        return _causes_told(node)
    return _wire.problem_causes(document)


def _members_of(node: Any, audience: str, report: _wire.Report) -> Mapping[str, Any]:
    """What an audience is told of one problem object, but for its causes."""
    if not isinstance(node, AgentError):
        return disclosure.disclosed(_wire.members_of_problem(node), audience)
    document = node.__dict__.get("_document")
    if disclosure.is_public(audience):
        members = _described(node, report)
        if general := disclosure.less_specific(members["code"]):
            cls = lookup(general)
            members.update({name: getattr(cls, name) for name in _ALWAYS})
    elif document is None:
        members = _described(node, report)
        members.update(_extensions_of(node, _wire.is_extension_name, report))
    elif assigned := node.__dict__.get("_assigned"):
        members = _overlaid(node, document, assigned, report)
    else:
        members = document
    for name in node.__dict__.get("_unusable", ()):
        report(name, _GIVEN_AS[name])
    return disclosure.disclosed(members, audience)


def _overlaid(
    error: AgentError, document: Mapping[str, Any], assigned: frozenset[str], report: _wire.Report
) -> dict[str, Any]:
    """A document as it was received, with what was assigned since in its place."""
    members: dict[str, Any] = {}
    extensions = (
        _extensions_of(error, lambda name: name not in _wire.NAMES, report)
        if "extensions" in assigned
        else {}
    )
    for name, value in document.items():
        if name in extensions:
            members[name] = extensions[name]
        elif name not in assigned:
            members[name] = value
        elif name == "causes":
            members[name] = ()  # their place
        elif (described := _wire.described(name, getattr(error, name), report)) is not None:
            members[name] = described
    return members


def _described(error: AgentError, report: _wire.Report) -> dict[str, Any]:
    """An error in full but for its extensions, so that a consumer without the registry can decide."""
    members: dict[str, Any] = {"type": PROBLEM_TYPE}
    for name in _wire.READERS:
        try:
            given = getattr(error, name)
        except Exception:  # noqa: BLE001, a property of a user's class may raise anything
            given = None
        value = None if given is None else _wire.described(name, given, report)
        if value is None and name in _ALWAYS:
            own = _wire.READERS[name](getattr(type(error), name, None))
            # Of an error that states a flag that is none, neither a retry nor recovery is to be expected.
            value = _ALWAYS[name] if own is None or (given is not None and name in _FLAGS) else own
            if name == "code" and own is None:
                report(name, f"{type(error).__name__} has none: call super().__init__(..., code=...)")
        if value is not None:
            members[name] = value
    return members


def _extensions_of(
    error: AgentError, allowed: Callable[[object], bool], report: _wire.Report
) -> dict[str, Any]:
    extensions: dict[str, Any] = {}
    if "extensions" not in error.__dict__ and type(error).extensions is _NO_EXTENSIONS:
        return extensions
    given = _told(error, "extensions", None)
    for name, value in _wire.members_of_problem(given).items():
        if allowed(name):
            extensions[name] = value
        else:
            report(_wire.text_of(name), _wire.EXTENSION_NAMES)
    return extensions


# Pickling

_tried: ContextVar[dict[int, tuple[Any, bool]] | None] = ContextVar("agent_errors_tried", default=None)
"""What came of trying values, while one of them is tried: it may lead back to itself, or share parts."""


def _new(cls: type[_Error], args: Sequence[Any]) -> _Error:
    """An error without ``__init__``, which in a user's subclass may want other arguments."""
    try:
        return Exception.__new__(cls, *args)
    except TypeError:  # it has a second base, such as OSError, which may want no arguments
        error = cls.__new__(cls, *args)
        error.args = tuple(args)
        return error


def _restore(error: AgentError, attributes: dict[str, Any], slots: dict[str, Any]) -> None:
    error.__dict__.update(attributes)
    for name, value in slots.items():
        Exception.__setattr__(error, name, value)


def _attributes(error: AgentError) -> tuple[dict[str, Any], dict[str, Any]]:
    """The attributes of an error, and those that the slots of a user's subclass hold."""
    state: Any = cast("Any", object.__getstate__(error))
    attributes, slots = cast("Any", state if isinstance(state, tuple) else (state, {}))
    return attributes or {}, slots


def _pickled_args(error: AgentError) -> Sequence[Any]:
    if _PICKLED_AS_IT_IS.issuperset(map(type, error.args)):
        return error.args
    return [arg if _can_pickle(error, arg) else _wire.text_of(arg) for arg in error.args]


def _state(error: AgentError, class_of: Callable[[AgentError], type[AgentError]]) -> Any:
    """The attributes, or the whole tree of causes as a flat list, within the bounds; None for nothing."""
    if not _causes_to_pickle(error) and type(error).__new__ is Exception.__new__:
        attributes, slots = _pickled_attributes(error, type(error))
        if not slots:
            return attributes or None
    nodes = _wire.kept(error, _causes_to_pickle, _wire.ignore)
    index = {id(node): number for number, node in enumerate(nodes)}
    state: list[Any] = []
    for node in nodes:
        cls = class_of(node.source)
        causes = [index.get(id(cause), cause) for cause in node.causes]
        state.append((cls, _pickled_args(node.source), *_pickled_attributes(node.source, cls), causes))
    return state


def _pickled_class(error: AgentError) -> type[AgentError]:
    """The class of an error, or the nearest of its bases that another process can find."""
    return next(
        cls
        for cls in type(error).__mro__
        if cls is AgentError or (issubclass(cls, AgentError) and _can_pickle(error, cls))
    )


def _causes_to_pickle(node: Any) -> Sequence[Any] | None:
    if not isinstance(node, AgentError):
        return None
    if "_document" in node.__dict__ and "causes" not in node.__dict__.get("_assigned", ()):
        return ()  # they are in its document
    return _causes_told(node)


def _causes_told(error: AgentError) -> Sequence[Any]:
    """The causes, whatever a user's class has in their place."""
    causes = _told(error, "causes", ())
    return cast("Sequence[Any]", causes) if type(causes) is tuple else _causes_from(causes)[0] or ()


def _told(error: AgentError, name: str, instead: Any) -> Any:
    try:
        return getattr(error, name)
    except Exception:  # noqa: BLE001, a property of a user's class may raise anything
        return instead


def _pickled_attributes(error: AgentError, cls: type[AgentError]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Those of the attributes that can be pickled; the causes are written beside them."""
    attributes, slots = _attributes(error)
    if "extensions" in attributes:
        attributes = {**attributes, "extensions": _that_can_be_pickled(error, attributes["extensions"])}
    beside = ("causes", "_received_as")  # not tried: each level would try all below it again
    attributes = _that_can_be_pickled(
        error, {name: value for name, value in attributes.items() if name not in beside}
    )
    if cls is not type(error):  # what its own class said of it
        attributes = {**{name: getattr(error, name, None) for name in ("category", *_ALWAYS)}, **attributes}
    return attributes, _that_can_be_pickled(error, slots)


def _that_can_be_pickled(error: AgentError, values: Mapping[str, Any]) -> dict[str, Any]:
    if _PICKLED_AS_IT_IS.issuperset(map(type, values.values())):
        return dict(values)
    return {name: value for name, value in values.items() if _can_pickle(error, value)}


def _can_pickle(error: AgentError, value: Any) -> bool:
    if type(value) in _PICKLED_AS_IT_IS or _wire.is_plain(value):
        return True
    if value is error.__dict__.get("_document"):
        return True
    outer = _tried.get()
    tried = {} if outer is None else outer
    if (before := tried.get(id(value))) is not None:
        return before[1]
    import pickle  # noqa: PLC0415, whoever gets here has imported it already

    tried[id(value)] = value, False  # should it lead back; kept, so that no other gets its id
    token = _tried.set(tried)
    try:
        # Of many exceptions only dumps works, and what loads raises breaks a whole process pool.
        pickle.loads(pickle.dumps(value))  # noqa: S301, our own bytes
    except Exception:  # noqa: BLE001, whatever it raises, it cannot be pickled
        return False
    finally:
        _tried.reset(token)
    tried[id(value)] = value, True
    return True


_PICKLED_AS_IT_IS: Final = frozenset({str, int, float, bool, type(None)})
