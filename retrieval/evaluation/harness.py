"""Asks an index the queries of a set and measures what comes back."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrieval.evaluation.batteries import battery_metrics, by_battery
from retrieval.evaluation.datasets import EvaluationQuery, EvaluationSet
from retrieval.evaluation.intervals import Values, intervals
from retrieval.evaluation.metrics import RANKS_NEEDED, Judged, mean, summary, values
from retrieval.generation import Generation
from retrieval.pages import search_pages
from retrieval.relevance import FLOOR
from retrieval.reranking import RERANKED, rerank
from retrieval.search import hybrid_search
from retrieval.types import CrossEncoder, Query, Viewer


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
    """How queries are put: by whom, how many pages are wanted, of which search, and who reranks what it finds."""

    viewer: Viewer = Viewer()  # noqa: RUF009 - frozen
    top: int = 8
    literal: bool = False
    hybrid: bool = True
    floor: float = FLOOR
    encoder: CrossEncoder | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A set as one index answered it: its queries and their judgement in one order, and the unanswerable ones."""

    retrieved: Sequence[Retrieved]
    judged: Sequence[Judged]
    near_misses: Sequence[Retrieved]
    floor: float

    @property
    def metrics(self) -> Values:
        """The metrics of each query and, where relevance was measured, whether it `passed` the floor."""
        found = values(self.judged)
        return found if self._unmeasured(self.retrieved) else {**found, "passed": self._passed(self.retrieved)}

    @property
    def refused(self) -> Values:
        """Whether the floor refused each unanswerable query; nothing where relevance was not measured."""
        if self._unmeasured(self.near_misses):
            return {}
        return {"refused": [1 - passed for passed in self._passed(self.near_misses)]}

    def _passed(self, retrieved: Sequence[Retrieved]) -> Sequence[float]:
        return [float((one.relevance or 0.0) >= self.floor) for one in retrieved]

    @staticmethod
    def _unmeasured(retrieved: Sequence[Retrieved]) -> bool:
        return all(one.relevance is None for one in retrieved)


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
    spare = max(0, RERANKED - asking.top) if asking.encoder else 0
    found = hybrid_search(query, index, limit=asking.top, spare=spare, chunks_a_page=1)
    if asking.encoder:
        found = rerank(found, query, asking.encoder)
    pages = [RetrievedPage(one.page.doc_id, one.score, one.retrieval) for one in found.passages[: asking.top]]
    return tuple(pages), found.relevance


def _literal(query: Query, index: Generation, asking: Asking) -> tuple[tuple[RetrievedPage, ...], None]:
    hits = search_pages(query, index, limit=asking.top, snippets=False).hits
    return tuple(RetrievedPage(hit.page.doc_id, hit.score, "exact") for hit in hits), None


def run(data: EvaluationSet, index: Generation, asking: Asking) -> Run:
    """Put a whole set to an index, as many pages deep as the metrics look."""
    wanted = replace(asking, top=max(asking.top, RANKS_NEEDED))
    retrieved = list(retrieve(data.queries, index, wanted))
    judged = [Judged(one.id, [page.doc_id for page in one.results], data.relevant[one.id]) for one in retrieved]
    return Run(retrieved, judged, list(retrieve(data.unanswerable, index, wanted)), asking.floor)


def evaluate(data: EvaluationSet, index: Generation, asking: Asking) -> Mapping[str, object]:
    """Give a set's metrics, its relevance against the floor, its latency, and the metrics of each battery."""
    return report(data, run(data, index, asking), index, asking.viewer)


def report(data: EvaluationSet, measured: Run, index: Generation, viewer: Viewer) -> Mapping[str, object]:
    """Sum a run up: figures as plain numbers, and beside them, under `intervals`, how far each can be trusted."""
    result: dict[str, object] = {"queries": len(measured.judged), **summary(measured.judged)}
    result["relevance"] = _relevance(measured)
    if measured.near_misses:
        refused = mean([float((one.relevance or 0.0) < measured.floor) for one in measured.near_misses])
        result["near_misses"] = {"queries": len(measured.near_misses), "refused": refused}
    result["ms"] = _latency(measured.retrieved)
    result["batteries"] = battery_metrics(data, measured.judged, index, viewer)
    batteries = {name: intervals(values(group)) for name, group in by_battery(data, measured.judged).items()}
    result["intervals"] = {**intervals(measured.metrics), **intervals(measured.refused), "batteries": batteries}
    return result


def _relevance(measured: Run) -> Mapping[str, float]:
    found = [one.relevance or 0.0 for one in measured.retrieved]
    if not found:
        return {}
    percentiles = {f"p{q}": round(float(np.percentile(found, q)), 4) for q in (5, 50, 95)}
    return {"floor": measured.floor, "passed": mean([float(one >= measured.floor) for one in found]), **percentiles}


def _latency(retrieved: Sequence[Retrieved]) -> Mapping[str, float]:
    times = [one.ms for one in retrieved]
    return {f"p{q}": round(float(np.percentile(times, q)), 3) for q in (50, 95)} if times else {}
