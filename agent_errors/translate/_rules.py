"""The tables of ``_providers``, made ready when a provider is first seen, and the order of evidence."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final

from attrs import frozen

from agent_errors.translate._kinds import BAD_ANSWER, INVALID, UNAVAILABLE, UNKNOWN, Kind
from agent_errors.translate._providers import COMMON, PROVIDERS, REFINED, STATUSES, Provider

_Phrase = tuple[str, tuple[str, ...], Kind]
"""The first piece of a wording, those that follow it, and what it means."""

_NOT_OF_A_NAME: Final = re.compile(r"[^a-z0-9]+")
_LONGEST_GAP: Final = 160
"""How many characters a ``*`` in a wording stands for at the most."""

_PLACE: Final[Callable[[tuple[int, _Phrase]], int]] = itemgetter(0)
_SHORTEST_WORD: Final = 4
_FIRST_CLIENT_ERROR: Final = 400
_FIRST_SERVER_ERROR: Final = 500


@lru_cache(1024)
def same(name: str) -> str:
    """What two spellings of a code, or of a provider's name, have in common."""
    return _NOT_OF_A_NAME.sub("", name.lower())


@frozen
class Rules:
    """The tables of one provider, by ``same`` codes, and phrases in pieces."""

    codes: Mapping[str, Kind]
    loose: Mapping[str, Kind]
    wording: tuple[_Phrase, ...]
    statuses: Mapping[int, Kind]


_BY_NAME: Final[Mapping[str, int]] = {
    same(name): number for number, provider in enumerate(PROVIDERS) for name in provider.names
}
"""Where in PROVIDERS a provider is, by each of its names."""


@cache
def _made(number: int) -> Rules:
    provider = PROVIDERS[number] if number >= 0 else Provider(names=())
    return Rules(
        codes=_by_key(COMMON.codes, provider.codes, but=provider.loose),
        loose=_by_key(COMMON.loose, provider.loose, but=provider.codes),
        wording=(*_pieces(provider.wording), *_pieces(COMMON.wording)),
        statuses={**STATUSES, **provider.statuses},
    )


def _by_key(
    common: Mapping[str, Kind], own: Mapping[str, Kind], *, but: Mapping[str, Kind]
) -> dict[str, Kind]:
    """The codes of both; what a provider says of a code goes before what is common."""
    others = {same(code) for code in but}
    shared = {key: kind for code, kind in common.items() if (key := same(code)) not in others}
    return {**shared, **{same(code): kind for code, kind in own.items()}}


def _pieces(wording: Mapping[str, Kind]) -> Iterable[_Phrase]:
    for phrase, kind in wording.items():
        first, *rest = phrase.split("*")
        yield first, tuple(rest), kind


@cache
def _allowed(number: int, base: Kind) -> Mapping[str, tuple[tuple[int, _Phrase], ...]]:
    """The wordings of a provider that can say more than ``base``, by a word that many of them share.

    A text without the word has none of them, and most texts have few of these words.
    """
    allowed = {base, *REFINED.get(base, ())}
    phrases = [phrase for phrase in _made(number).wording if phrase[2] in allowed]
    shared = Counter(word for first, _, _ in phrases for word in {first, *_words(first)})
    groups: dict[str, list[tuple[int, _Phrase]]] = {}
    for place, phrase in enumerate(phrases):
        word = max(_words(phrase[0]) or [phrase[0]], key=lambda word: (shared[word], len(word)))
        groups.setdefault(word, []).append((place, phrase))
    return {word: tuple(group) for word, group in groups.items()}


def _words(text: str) -> list[str]:
    """The words of a piece of a phrase that are long enough to be rare."""
    return [word for word in text.split() if len(word) >= _SHORTEST_WORD]


def kind_of(codes: Iterable[str], statuses: Iterable[int | None], text: str, provider: str | None) -> Kind:
    """What an answer means, by the order of evidence.

    A code that always means the same; else a wording, within what the loose codes and the statuses allow;
    else the strongest loose code, else the first status that is known.
    """
    number = _number_of(provider)
    rules = _made(number)
    loose: Kind | None = None
    for code in codes:
        if (kind := _looked_up(rules.codes, code)) is not None:
            return kind
        found = _looked_up(rules.loose, code)
        if found is not None and (loose is None or (loose.weak and not found.weak)):
            loose = found
    base = _base(loose, statuses, rules)
    if not text:
        return base
    groups = [group for word, group in _allowed(number, base).items() if word in text]
    for _, (first, rest, meaning) in sorted(chain.from_iterable(groups), key=_PLACE):
        if first in text and (not rest or _in_order(first, rest, text)):
            return meaning
    return base


def _looked_up(table: Mapping[str, Kind], code: str) -> Kind | None:
    """What a code means, or the part of it before a dot, or an AWS code behind its namespace."""
    kind = table.get(same(code))
    if kind is None and "." in code:
        kind = table.get(same(code.partition(".")[0])) or table.get(same(code.rpartition("#")[2]))
    return kind


def _base(loose: Kind | None, statuses: Iterable[int | None], rules: Rules) -> Kind:
    if loose is not None and not loose.weak:
        return loose
    for status in statuses:
        if status is None:
            continue
        kind = rules.statuses.get(status) or _of_class(status)
        # A code that services use for want of a better one says less than a status of its own.
        return kind if loose is None or not kind.weak else loose
    return loose or UNKNOWN


def _of_class(status: int) -> Kind:
    if status < _FIRST_CLIENT_ERROR:  # a redirection that nobody followed
        return BAD_ANSWER
    return UNAVAILABLE if status >= _FIRST_SERVER_ERROR else INVALID


def _in_order(first: str, rest: tuple[str, ...], text: str) -> bool:
    """Whether the pieces of a phrase stand in a text, each soon after the one before."""
    start = text.find(first)
    while start >= 0:
        end = start + len(first)
        for piece in rest:
            found = text.find(piece, end, end + _LONGEST_GAP)
            if found < 0:
                break
            end = found + len(piece)
        else:
            return True
        start = text.find(first, start + 1)
    return False


def kind_of_status(status: int, provider: str | None) -> Kind:
    """What an HTTP status means by itself."""
    return _base(None, (status,), _made(_number_of(provider)))


def is_known(provider: str | None) -> bool:
    """Whether there are rules for a provider of its own."""
    return _number_of(provider) >= 0


def is_gateway(provider: str | None) -> bool:
    """Whether a known provider passes on the answers of others."""
    return PROVIDERS[_number_of(provider)].gateway


@lru_cache(256)
def _number_of(provider: str | None) -> int:
    """Where in PROVIDERS a provider is, by any of its names; -1 if it is not."""
    return -1 if provider is None else _BY_NAME.get(same(provider[:64]), -1)
