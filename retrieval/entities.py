"""People, places, tags and whatever else has a name: which of them a text mentions, by any of their names.

Names are compared as the index compares words, folded ("papá" is "papa") and whole; hyphens, underscores, slashes and
apostrophes count as spaces, so that the tag `alta-disponibilidad` is "alta disponibilidad" and "Ana's" is Ana.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from retrieval.terms import is_stop_word
from retrieval.tokens import is_atom, tokens

_KINDS = {
    "people": "people person persona personas gente",
    "places": "places place lugar lugares sitio sitios",
    "tags": "tags tag etiqueta etiquetas",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
LONGEST_UNSURE_LETTERS = 2
_JOINERS = frozenset("-_/'·")
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+")
_SHORTEST_INFLECTED = 3

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that has a name, and other names it goes by."""

    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()


class EntityNames:
    """Finds entities in text. Building takes what the names need once; `names_in` looks at the text's words alone.

    An entity without aliases is the one of its kind that was given before it, or with aliases, under any such name.
    Tags are found in the singular and the plural. Lower-case names of one or two letters, and stop words, are left out;
    with a capital ("TI", "Como") they are found only as they are written.
    """

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._exact = _Table()
        self._inflected = _Table()
        self._as_written: dict[Key, set[str]] = {}
        kinds: dict[str, set[str]] = {}
        for entity in sorted(entities, key=lambda entity: not entity.aliases):
            kind = _KIND_OF.get(entity.kind.casefold(), entity.kind.casefold())
            same = tuple(name for name in self._exact.get(_key(entity.name)) if kind in kinds.get(name, ()))
            names = same if same and not entity.aliases else (entity.name,)
            for name in names:
                kinds.setdefault(name, set()).add(kind)
            self._add((entity.name, *entity.aliases), names, inflected=kind == "tags")

    def _add(self, spellings: Iterable[str], names: tuple[str, ...], *, inflected: bool) -> None:
        for written in filter(is_telling, spellings):
            key = _key(written)
            self._exact.add(key, names)
            if _is_unsure(written, key):
                self._as_written.setdefault(key, set()).add(written)
            elif inflected:
                self._inflected.add(tuple(map(_singular, key)), names)

    def names_in(self, text: str) -> tuple[str, ...]:
        """Give the names of the entities that a text mentions, in its order, each once; the longest name wins."""
        found: dict[str, None] = {}
        words = _key(text)
        singulars = tuple(map(_singular, words))
        place = 0
        while place < len(words):
            length, names = self._exact.longest(words, place)
            if length and not self._stands_as_written(words[place : place + length], text):
                length, names = 0, ()
            other_length, others = self._inflected.longest(singulars, place)
            if other_length >= length:
                names = (*names, *others) if other_length == length else others
                length = other_length
            found.update(dict.fromkeys(names))
            place += length or 1
        return tuple(found)

    def _stands_as_written(self, key: Key, text: str) -> bool:
        spellings = self._as_written.get(key)
        return spellings is None or not spellings.isdisjoint(_WORD.findall(text))


class _Table:
    """Names by their words; for each first word, how many words its longest name has."""

    def __init__(self) -> None:
        self._names: dict[Key, tuple[str, ...]] = {}
        self._longest: dict[str, int] = {}

    def add(self, key: Key, names: Sequence[str]) -> None:
        self._names[key] = tuple(dict.fromkeys((*self._names.get(key, ()), *names)))
        self._longest[key[0]] = max(len(key), self._longest.get(key[0], 0))

    def get(self, key: Key) -> tuple[str, ...]:
        return self._names.get(key, ())

    def longest(self, words: Key, place: int) -> tuple[int, tuple[str, ...]]:
        """Give the length in words of the longest name that stands at a place, and whose it is."""
        for length in range(self._longest.get(words[place], 0), 0, -1):
            if names := self._names.get(words[place : place + length]):
                return length, names
        return 0, ()


def is_telling(name: str) -> bool:
    """Tell whether a name can be looked for: stop words and one or two letters need a capital, a digit or a symbol."""
    key = _key(name)
    if not any(map(is_atom, key)):
        return False
    return not (name.islower() and name.isalpha() and (len(name) <= LONGEST_UNSURE_LETTERS or is_stop_word(name)))


def _is_unsure(name: str, key: Key) -> bool:
    """Tell names that are common words once folded: "TI" and "ti", "Como" and "cómo"."""
    return len(key) == 1 and name.isalpha() and (len(name) <= LONGEST_UNSURE_LETTERS or is_stop_word(name))


def _key(text: str) -> Key:
    return tuple(token for token in tokens(text) if token not in _JOINERS)


def _singular(word: str) -> str:
    """Give Spanish and English plurals the form of their singular, which need be no word: "luces", "luz": "luz"."""
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST_INFLECTED:
        word = word[:-1]
    if word.endswith("e") and len(word) > _SHORTEST_INFLECTED:
        word = word[:-1]
    if word.endswith("i"):
        return word[:-1] + "y"
    return word[:-1] + "z" if word.endswith("c") else word
