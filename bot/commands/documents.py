"""The JSON documents that commands print; their shapes are the command line's contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.messages import Answer, Citation

if TYPE_CHECKING:
    from retrieval.ingest.build import IngestReport
    from retrieval.types import Explanation, PageHit, PageListing, Reranking

Document = dict[str, Any]


def listing_document(listing: PageListing) -> Document:
    """What `search --json` prints."""
    return {
        "total": listing.total,
        "counts": dict(listing.counts),
        "page": listing.page,
        "results": [_hit_document(hit) for hit in listing.hits],
        "suggestions": list(listing.suggestions),
    }


def answer_document(answer: Answer, duration_ms: float, *, why: bool) -> Document:
    """What `ask --json` prints; `why` adds the explanation."""
    document: Document = {
        "answer": answer.text,
        "sources": [_source_document(citation) for citation in answer.citations],
        "model": answer.model,
        "chunks_used": answer.chunks_used,
        "duration_ms": round(duration_ms, 1),
        "route": answer.route.value,
        "outcome": answer.outcome.value,
        "relevance": answer.relevance,
        "generation": answer.generation,
        "timings_ms": _rounded(answer.timings_ms),
    }
    if answer.listing is not None:
        document["listing"] = listing_document(answer.listing)
    if why:
        document["explanation"] = explanation_document(answer.explanation) if answer.explanation else None
    return document


def explanation_document(explanation: Explanation) -> Document:
    """Why a result is what it is."""
    return {
        "lists": {name: list(pages) for name, pages in explanation.lists.items()},
        "terms": [{"term": term.text, "idf": round(term.idf, 3)} for term in explanation.terms],
        "signals": dict(explanation.signals),
        "floor": explanation.floor,
        "failed_lists": list(explanation.failed_lists),
        "reranking": _reranking_document(explanation.reranking),
    }


def _reranking_document(reranking: Reranking | None) -> Document | None:
    """Which page stood where before, best first."""
    if reranking is None:
        return None
    places = [{"doc_id": page, "before": before} for page, before in reranking.places]
    return {"reranker": reranking.reranker, "failed": reranking.failed, "places": places}


def ingest_document(report: IngestReport) -> Document:
    """What `ingest --json` prints."""
    return {
        "generation": report.generation,
        "pages": report.pages,
        "chunks": report.chunks,
        "upserted": report.upserted,
        "unchanged": report.unchanged,
        "pruned": report.pruned,
        "embedded": report.embedded,
        "failures": [{"path": fault.path, "error": fault.error} for fault in report.failures],
        "seconds": round(report.seconds, 3),
    }


def _hit_document(hit: PageHit) -> Document:
    page = hit.page
    return {
        "doc_id": page.doc_id,
        "title": page.title,
        "product": page.product,
        "status": page.status.value,
        "kind": page.kind,
        "href": page.href,
        "snippet": hit.snippet,
        "updated_at": page.updated.isoformat() if page.updated else None,
    }


def _source_document(citation: Citation) -> Document:
    page = citation.passage.page
    return {
        "title": page.title,
        "doc_id": page.doc_id,
        "source_path": page.source_path,
        "href": page.href,
        "heading": citation.passage.chunk.heading,
        "score": citation.passage.score,
        "retrieval": citation.passage.retrieval,
    }


def _rounded(timings_ms: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in timings_ms.items()}
