"""The reranker that needs no language model, and the one way any reranker's order comes to be the answer's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from bot.once import once
from bot.ports import Ordering, Reranker
from retrieval.errors import RerankingFailed
from retrieval.reranking import RERANKED, cross_encoded_order, reordered, unchanged
from retrieval.types import CrossEncoder, Passage, Query, SearchResult

log = structlog.get_logger(__name__)


class CrossEncoderReranker:
    """Lets a cross-encoder read the question with each passage, in a thread. `opened` gives it, at the first one."""

    depth = RERANKED

    def __init__(self, name: str, opened: Callable[[], CrossEncoder]) -> None:
        self.name = name
        self._encoder = once(opened)  # two first questions at once would hold the model twice

    async def order(self, query: Query, passages: Sequence[Passage]) -> Ordering:
        """Give the passages by falling score, or why the model cannot be had."""
        try:
            return Ordering(await asyncio.to_thread(lambda: cross_encoded_order(query, passages, self._encoder())))
        except RerankingFailed as error:
            return Ordering(failure=str(error))


async def reranked(reranker: Reranker, query: Query, found: SearchResult) -> tuple[SearchResult, Ordering]:
    """Give a search's result in the reranker's order, and what it took.

    Whatever the reranker says, these are the passages found, each once; when it fails that is logged, and they keep
    their order.
    """
    ordering = await reranker.order(query, found.passages[: reranker.depth])
    if not ordering.failure:
        try:
            return reordered(found, ordering.order, reranker.name, reranker.depth), ordering
        except RerankingFailed as error:
            ordering = replace(ordering, failure=str(error))
    log.warning("reranking failed; the passages keep their order", reranker=reranker.name, reason=ordering.failure)
    return unchanged(found, reranker.name), ordering
