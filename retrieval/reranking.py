"""A second, closer look at the first passages of a search. It changes their order, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrieval.errors import RerankingFailed
from retrieval.followups import standalone_text
from retrieval.markdown import plain
from retrieval.stopwatch import Stopwatch
from retrieval.types import CrossEncoder, Passage, Query, Reranking, SearchResult

RERANKED = 20
"""Passages. Measured, pages within 8 and within 20: xquad-es .997 and 1.0, squad2-es .979 and .991, faq-es .583 and
.650 of the questions; each passage costs a reading."""

READ_CHARACTERS = 6_000  # of a passage: whole chunks are about 1,500, only a long table or listing is longer


def reordered(found: SearchResult, order: Sequence[int], reranker: str, depth: int = RERANKED) -> SearchResult:
    """Put the first `depth` passages in the order given, 0-based places, best first; those after them stay.

    This is the one way a reranker's word takes effect: it can neither add, repeat nor lose a passage. Raises
    RerankingFailed unless `order` names each of the places once.
    """
    given = found.passages[:depth]
    if sorted(order) != list(range(len(given))):
        raise RerankingFailed(f"{reranker} did not name each of the {len(given)} passages once")
    passages = (*(given[place] for place in order), *found.passages[depth:])
    places = tuple((given[place].page.doc_id, place + 1) for place in order)
    return _explained(replace(found, passages=passages), Reranking(reranker, places))


def unchanged(found: SearchResult, reranker: str) -> SearchResult:
    """Keep the order, and let the explanation tell that the reranker failed."""
    return _explained(found, Reranking(reranker, failed=True))


def order_by_scores(scores: Sequence[float]) -> tuple[int, ...]:
    """Give places by falling score; equal scores keep their order."""
    return tuple(sorted(range(len(scores)), key=lambda place: -scores[place]))


def cross_encoded_order(query: Query, passages: Sequence[Passage], encoder: CrossEncoder) -> tuple[int, ...]:
    """Let a cross-encoder read the question with each passage, and give their places, best first.

    Raises RerankingFailed.
    """
    return order_by_scores(encoder.scores(standalone_text(query), [read_text(passage) for passage in passages]))


def rerank(found: SearchResult, query: Query, encoder: CrossEncoder) -> SearchResult:
    """Put a search's first 20 passages in a cross-encoder's order. Raises RerankingFailed."""
    watch = Stopwatch()
    with watch.stage("rerank"):
        order = cross_encoded_order(query, found.passages[:RERANKED], encoder)
        result = reordered(found, order, encoder.name)
    return replace(result, timings_ms={**found.timings_ms, **watch.timings_ms})


def read_text(passage: Passage) -> str:
    """Give a passage as a model reads it: its page's title, the path of its section, and its text without markup."""
    parts = (passage.page.title, passage.chunk.heading, plain(passage.chunk.text[:READ_CHARACTERS]))
    return "\n".join(part for part in parts if part)


def _explained(found: SearchResult, reranking: Reranking) -> SearchResult:
    return replace(found, explanation=replace(found.explanation, reranking=reranking))
