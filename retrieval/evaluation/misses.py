"""Why a query was missed: where each list had the page that answers it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from retrieval.evaluation.datasets import EvaluationQuery, EvaluationSet
from retrieval.evaluation.harness import Asking, Run
from retrieval.evaluation.metrics import hit_at
from retrieval.generation import Generation
from retrieval.pages import search_pages
from retrieval.readable import Scope
from retrieval.reranking import rerank
from retrieval.search import hybrid_search, list_ranks
from retrieval.types import Filters, Query, SearchResult

TOP = 8  # the pages an answer is made from
FUSED_DEPTH = 200  # every page of four lists of 50

Ranks = Mapping[str, int | None]
"""A page's 1-based rank by list; None where the list does not hold it."""


@dataclass(frozen=True, slots=True)
class RightPage:
    """A page that answers. One that the viewer may not read, a draft, or one that is not there stands in no list."""

    doc_id: str
    readable: bool
    ranks: Ranks


@dataclass(frozen=True, slots=True)
class Missed:
    """A query without a right page among the first eight, and the pages that stood there instead."""

    id: str
    query: str
    right: tuple[RightPage, ...]
    found: tuple[str, ...]
    relevance: float | None


def missed(data: EvaluationSet, measured: Run, index: Generation, asking: Asking) -> Iterator[Missed]:
    """Explain each query that missed, in the set's order; only those are asked again."""
    readable = _readable(index, asking)
    for query, retrieved, judged in zip(data.queries, measured.retrieved, measured.judged, strict=True):
        if hit_at(judged, TOP):
            continue
        lists = _lists(query, index, asking)
        right = tuple(
            RightPage(page, page in readable, {name: ranks.get(page) for name, ranks in lists.items()})
            for page in sorted(judged.relevant)
        )
        yield Missed(query.id, query.text, right, tuple(judged.ranked[:TOP]), retrieved.relevance)


def _lists(query: EvaluationQuery, index: Generation, asking: Asking) -> Mapping[str, Mapping[str, int]]:
    """Rank pages by list: the one that was judged first, then those it is made of."""
    asked = Query(query.text, asking.viewer, history=query.history, hybrid=asking.hybrid)
    if asking.literal:
        hits = search_pages(asked, index, limit=max(1, index.manifest.pages), snippets=False).hits
        return {"literal": {hit.page.doc_id: rank for rank, hit in enumerate(hits, start=1)}}
    found = hybrid_search(asked, index, limit=FUSED_DEPTH, chunks_a_page=1)
    reranked = {"reranked": _page_ranks(rerank(found, asked, asking.encoder))} if asking.encoder else {}
    lists = list_ranks(asked, index)
    made_of = lists if asking.hybrid else {"semantic": lists["semantic"]}
    return {**reranked, "fused": _page_ranks(found), **made_of}


def _page_ranks(found: SearchResult) -> Mapping[str, int]:
    return {passage.page.doc_id: rank for rank, passage in enumerate(found.passages, start=1)}


def _readable(index: Generation, asking: Asking) -> frozenset[str]:
    open_pages = index.readable(Scope(asking.viewer.keys, Filters())).pages
    doc_ids = index.catalogue.columns.doc_ids
    return frozenset(doc_ids[row] for row in open_pages.nonzero()[0].tolist())
