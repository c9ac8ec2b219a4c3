"""The exact lists: pages by all the question's words (BM25), by its specific words, by its phrases, and verbatim.

The second and the third say "this page holds what was asked in so many words". They rank by how much of the question a
page covers, each word or phrase counting by its rarity, and a page enters only when it covers most of it: a page that
happens to share one phrase says nothing, and its rank would count as much as a good one's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tantivy import Occur, Query

from retrieval.lexical import PageIndex, stem
from retrieval.readable import Readable
from retrieval.terms import Term, Terms
from retrieval.types import Ranked, WeightedTerm

SPECIFIC_SHARE = 0.05  # a term in at most this share of the readable pages is specific
SPECIFIC_AT_LEAST_PAGES = 3  # in a small wiki a twentieth is less than a page or two
COVERED_BY_WORDS = 0.8  # of the specific words' rarity: measured on three sets, .6 to .95 are alike
COVERED_BY_PHRASES = 0.5  # of the phrases' rarity: .4 to .6 are alike, none at all loses .03 of MRR

Atoms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExactLists:
    """Page rows by each exact ranker, best first, and the question's terms with their rarity."""

    specific: Sequence[Ranked]
    all_terms: Sequence[Ranked]
    phrases: Sequence[Ranked]
    verbatim: Sequence[Ranked]
    terms: tuple[WeightedTerm, ...]


def exact_lists(terms: Terms, index: PageIndex, readable: Readable, languages: Sequence[str], limit: int) -> ExactLists:
    """Rank the readable pages by the question's words. Terms join by OR inside a list."""
    counts = {term.atoms: index.documents_with("text", term.atoms, readable) for term in terms.words}
    ceiling = max(SPECIFIC_AT_LEAST_PAGES, SPECIFIC_SHARE * readable.page_count)
    specific = {atoms: count for atoms, count in counts.items() if count <= ceiling}
    phrases: dict[Atoms, int] = {phrase: index.documents_with("text", phrase, readable) for phrase in terms.phrases}
    return ExactLists(
        specific=_covering(index, readable, specific, COVERED_BY_WORDS, limit),
        all_terms=_any_of(index, readable, terms.words, languages, limit),
        phrases=_covering(index, readable, phrases, COVERED_BY_PHRASES, limit),
        verbatim=_verbatim(index, readable, terms.run, ceiling, limit),
        terms=tuple(
            WeightedTerm(" ".join(atoms), rarity(count, readable.page_count)) for atoms, count in counts.items()
        ),
    )


def rarity(documents: int, total: int) -> float:
    """Give the inverse document frequency of Lucene's BM25, `ln(1 + (N - n + 0.5) / (n + 0.5))`; never negative."""
    return math.log(1 + (max(total, documents) - documents + 0.5) / (documents + 0.5))


def _any_of(
    index: PageIndex, readable: Readable, terms: Sequence[Term], languages: Sequence[str], limit: int
) -> Sequence[Ranked]:
    queries = []
    for term in terms:
        queries.append(index.side_by_side("text", term.atoms))
        if len(term.atoms) == 1:
            atom = term.atoms[0]
            queries += [
                Query.term_query(index.schema, f"stems_{language}", stem(atom, language)) for language in languages
            ]
    return _rank(index, readable, queries, limit)


def _verbatim(index: PageIndex, readable: Readable, run: Atoms, ceiling: float, limit: int) -> Sequence[Ranked]:
    """Give the pages that hold the question word for word, when they are few: an identifier, or copied words."""
    if not run or not 0 < index.documents_with("literal", run, readable) <= ceiling:
        return ()
    return index.rank(index.side_by_side("literal", run), readable, limit)


def _covering(
    index: PageIndex, readable: Readable, counts: Mapping[Atoms, int], share: float, limit: int
) -> Sequence[Ranked]:
    rarities = {atoms: rarity(count, readable.page_count) for atoms, count in counts.items()}
    queries = [
        Query.const_score_query(index.side_by_side("text", atoms), rarities[atoms])
        for atoms, count in counts.items()
        if count
    ]
    enough = share * sum(rarities.values())
    return [ranked for ranked in _rank(index, readable, queries, limit) if ranked.score >= enough]


def _rank(index: PageIndex, readable: Readable, queries: Sequence[Query], limit: int) -> list[Ranked]:
    if not queries:
        return []
    return index.rank(Query.boolean_query([(Occur.Should, query) for query in queries]), readable, limit)
