"""The terms of a question: which words carry it, and how rare they are among the pages the asker may read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import tantivy

from retrieval.tokens import fold, is_atom, is_unspaced, tokens

SHORTEST_WORD_CHARACTERS = 3
STOP_WORD_LANGUAGES = ("spanish", "english")
# Tantivy's English list is Lucene's of 33 words: it lacks what questions are made of.
QUESTION_WORDS = frozenset(
    """about all am any been can could did do does from had has have he her his how i its me my our she should so some
    than their them we were what when where which who whom whose why would you your""".split()  # noqa: SIM905 - read as prose
)
EDGES = "¿?¡!.,;:()[]{}<>\"'“”«»‘’…*_`|"


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question: its text as written, and the atoms it is made of, which stand side by side."""

    text: str
    atoms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a question is made of: the words that carry it, its pairs of neighbouring atoms, and all its atoms."""

    words: tuple[Term, ...]
    phrases: tuple[tuple[str, str], ...]
    run: tuple[str, ...]


@lru_cache(maxsize=1024)
def question_terms(text: str) -> Terms:
    """Read a question: its stop words and its words under 3 letters are left out.

    A word with a digit, a symbol, a capital or CJK stays. When nothing else is left, stop words do too.
    """
    written = [word for word in (raw.strip(EDGES) for raw in text.split()) if word]
    read = [Term(word, atoms) for word in written if (atoms := _atoms(word))]
    words = tuple({term.atoms: term for term in read if _carries(term)}.values())
    runs = [atom for term in read for atom in term.atoms]
    carried = {atom for term in words for atom in term.atoms}
    phrases = dict.fromkeys(pair for pair in pairwise(runs) if pair[0] in carried or pair[1] in carried)
    return Terms(words or tuple({term.atoms: term for term in read}.values()), tuple(phrases), tuple(runs))


def _atoms(word: str) -> tuple[str, ...]:
    return tuple(token for token in tokens(word) if is_atom(token))


def _carries(term: Term) -> bool:
    if len(term.atoms) > 1 or is_unspaced(term.atoms[0]):
        return True
    if is_stop_word(term.text):
        return False
    return len(term.atoms[0]) >= SHORTEST_WORD_CHARACTERS or not term.text.islower() or not term.text.isalpha()


@lru_cache(maxsize=4096)
def is_stop_word(word: str) -> bool:
    """Tell a Spanish or English stop word, with or without its accents."""
    lowered = word.lower()
    if lowered in QUESTION_WORDS:
        return True
    return any(
        not kept
        for analyzer in _stop_filters()
        for form in {lowered, fold(word)}
        if not (kept := analyzer.analyze(form))
    )


@lru_cache(maxsize=1)
def _stop_filters() -> Sequence[tantivy.TextAnalyzer]:
    whole = tantivy.Tokenizer.raw()
    return tuple(
        tantivy.TextAnalyzerBuilder(whole).filter(tantivy.Filter.stopword(language)).build()
        for language in STOP_WORD_LANGUAGES
    )
