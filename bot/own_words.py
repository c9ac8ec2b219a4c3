"""What a follow-up wants of the pages: its own words before those that the question before lends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.followups import standalone_text
from retrieval.terms import question_terms
from retrieval.tokens import is_atom, tokens
from retrieval.types import Query, WeightedTerm

LENT = 0.15
"""What a lent word counts besides an own one: "and on Discord?" after a question on Slack asks for Discord."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words that a sentence should hold, each as atoms with its weight; `meanings` are the texts to be near to."""

    words: tuple[tuple[tuple[str, ...], float], ...]
    meanings: tuple[str, ...]


def wanted(query: Query, terms: Sequence[WeightedTerm]) -> Wanted:
    """Weigh the search's terms for the question alone.

    A follow-up without a word of its own ("and how?") asks what was asked before, in full.
    """
    whole = standalone_text(query)
    read = [(tuple(filter(is_atom, tokens(term.text))), term.idf) for term in terms]
    own = {atom for term in question_terms(query.text).words for atom in term.atoms}
    owned = [any(atom in own for atom in atoms) for atoms, _ in read]
    if whole == query.text or not any(owned):
        return Wanted(tuple(read), (whole,))
    words = tuple((atoms, idf if mine else idf * LENT) for (atoms, idf), mine in zip(read, owned, strict=True))
    return Wanted(words, (whole, query.text))
