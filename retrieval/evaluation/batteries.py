"""Queries of one kind within a set: their metrics, and whether literal search keeps its promise for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrieval.evaluation.datasets import EvaluationQuery, EvaluationSet
from retrieval.evaluation.metrics import Judged, mean, summary
from retrieval.generation import Generation
from retrieval.pages import search_pages
from retrieval.types import Query, Viewer


def by_battery(data: EvaluationSet, judged: Sequence[Judged]) -> Mapping[str, Sequence[Judged]]:
    """Group what was judged by its battery; queries of none are left out."""
    named = {query.id: query.battery for query in data.queries}
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        if named[one.query_id]:
            groups.setdefault(named[one.query_id], []).append(one)
    return groups


def battery_metrics(
    data: EvaluationSet, judged: Sequence[Judged], index: Generation, viewer: Viewer
) -> Mapping[str, Mapping[str, float]]:
    """Give each battery's metrics, and whether literal search finds its pages anywhere, as words and as a phrase."""
    by_id = {query.id: query for query in data.queries}
    return {
        name: {
            "queries": len(group),
            **summary(group),
            "literal_found": _literal_share(group, by_id, index, viewer, quoted=False),
            "literal_found_quoted": _literal_share(group, by_id, index, viewer, quoted=True),
        }
        for name, group in by_battery(data, judged).items()
    }


def _literal_share(
    group: Sequence[Judged], by_id: Mapping[str, EvaluationQuery], index: Generation, viewer: Viewer, *, quoted: bool
) -> float:
    """Give the share of queries whose relevant pages all stand in the full literal list."""
    found = []
    for one in group:
        text = by_id[one.query_id].text
        asked = Query(f'"{text}"' if quoted else text, viewer)
        listed = search_pages(asked, index, limit=max(1, index.manifest.pages), snippets=False).hits
        found.append(float(set(one.relevant) <= {hit.page.doc_id for hit in listed}))
    return mean(found)
