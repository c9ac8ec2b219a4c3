"""Asks an index the queries of a set and measures what comes back."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.evaluation.datasets import EvaluationQuery, EvaluationSet
from retrieval.evaluation.metrics import RANKS_NEEDED, Judged, summary
from retrieval.generation import Generation
from retrieval.pages import search_pages
from retrieval.relevance import FLOOR
from retrieval.search import hybrid_search
from retrieval.types import Query, Viewer


@dataclass(frozen=True, slots=True)
class RetrievedPage:
    doc_id: str
    score: float
    retrieval: str


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A query's pages, best first and each once; `ms` is the whole retrieval, the question's embedding included."""

    id: str
    results: tuple[RetrievedPage, ...]
    relevance: float | None
    ms: float


@dataclass(frozen=True, slots=True)
class Asking:
    """How queries are put: by whom, how many pages are wanted, and of which search."""

    viewer: Viewer = Viewer()  # noqa: RUF009 - frozen
    top: int = 8
    literal: bool = False
    hybrid: bool = True
    floor: float = FLOOR


def retrieve(queries: Iterable[EvaluationQuery], index: Generation, asking: Asking) -> Iterator[Retrieved]:
    """Put queries one after the other, as they come; the model is opened before the first is timed."""
    if not asking.literal:
        index.embedder.queries(["?"])
    for query in queries:
        asked = Query(query.text, asking.viewer, history=query.history, hybrid=asking.hybrid)
        start = time.perf_counter()
        results, relevance = _literal(asked, index, asking) if asking.literal else _hybrid(asked, index, asking)
        yield Retrieved(query.id, results, relevance, (time.perf_counter() - start) * 1000)


def _hybrid(query: Query, index: Generation, asking: Asking) -> tuple[tuple[RetrievedPage, ...], float | None]:
    """A page's rank is its best chunk's, so each page is asked for one chunk."""
    found = hybrid_search(query, index, limit=asking.top, chunks_a_page=1)
    pages = [RetrievedPage(one.page.doc_id, one.score, one.retrieval) for one in found.passages]
    return tuple(pages), found.relevance


def _literal(query: Query, index: Generation, asking: Asking) -> tuple[tuple[RetrievedPage, ...], None]:
    hits = search_pages(query, index, limit=asking.top).hits
    return tuple(RetrievedPage(hit.page.doc_id, hit.score, "exact") for hit in hits), None


def evaluate(data: EvaluationSet, index: Generation, asking: Asking) -> Mapping[str, object]:
    """Give a set's metrics, its relevance against the floor, its latency, and the metrics of each battery."""
    wanted = Asking(asking.viewer, max(asking.top, RANKS_NEEDED), asking.literal, asking.hybrid, asking.floor)
    retrieved = list(retrieve(data.queries, index, wanted))
    judged = [_judged(one, data) for one in retrieved]
    result: dict[str, object] = {"queries": len(judged), **summary(judged)}
    result["relevance"] = _relevance(retrieved, asking.floor)
    if data.unanswerable:
        near_misses = [one.relevance or 0.0 for one in retrieve(data.unanswerable, index, wanted)]
        refused = float(np.mean([relevance < asking.floor for relevance in near_misses]))
        result["near_misses"] = {"queries": len(near_misses), "refused": round(refused, 4)}
    result["ms"] = _latency(retrieved)
    result["batteries"] = _batteries(data, judged, index, asking.viewer)
    return result


def _judged(retrieved: Retrieved, data: EvaluationSet) -> Judged:
    return Judged(retrieved.id, [page.doc_id for page in retrieved.results], data.relevant[retrieved.id])


def _relevance(retrieved: Sequence[Retrieved], floor: float) -> Mapping[str, float]:
    values = [one.relevance or 0.0 for one in retrieved]
    if not values:
        return {}
    percentiles = {f"p{q}": round(float(np.percentile(values, q)), 4) for q in (5, 50, 95)}
    return {"floor": floor, "passed": round(float(np.mean([value >= floor for value in values])), 4), **percentiles}


def _latency(retrieved: Sequence[Retrieved]) -> Mapping[str, float]:
    times = [one.ms for one in retrieved]
    return {f"p{q}": round(float(np.percentile(times, q)), 3) for q in (50, 95)} if times else {}


def _batteries(
    data: EvaluationSet, judged: Sequence[Judged], index: Generation, viewer: Viewer
) -> Mapping[str, Mapping[str, float]]:
    """Give each battery's metrics, and whether literal search finds its pages anywhere, as words and as a phrase."""
    by_id = {query.id: query for query in data.queries}
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(by_id[one.query_id].battery, []).append(one)
    groups.pop("", None)
    return {
        name: {
            "queries": len(group),
            **summary(group),
            "literal_found": _literal_share(group, by_id, index, viewer, quoted=False),
            "literal_found_quoted": _literal_share(group, by_id, index, viewer, quoted=True),
        }
        for name, group in groups.items()
    }


def _literal_share(
    group: Sequence[Judged], by_id: Mapping[str, EvaluationQuery], index: Generation, viewer: Viewer, *, quoted: bool
) -> float:
    """Give the share of queries whose relevant pages all stand in the full literal list."""
    found = []
    for one in group:
        text = by_id[one.query_id].text
        asked = Query(f'"{text}"' if quoted else text, viewer)
        listed = search_pages(asked, index, limit=max(1, index.manifest.pages)).hits
        found.append(set(one.relevant) <= {hit.page.doc_id for hit in listed})
    return round(float(np.mean(found)), 4)
