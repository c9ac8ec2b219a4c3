"""Ranking metrics per page, as the field defines them (Manning, Raghavan and Schütze, chapter 8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Judged:
    """One query's ranked pages, best first and each once, beside the pages that are relevant (at least one)."""

    query_id: str
    ranked: Sequence[str]
    relevant: Collection[str]

    @property
    def first_rank(self) -> int | None:
        """The 1-based rank of the first relevant page, or None."""
        return next((rank for rank, page in enumerate(self.ranked, start=1) if page in self.relevant), None)


def recall_at(judged: Judged, k: int) -> float:
    """Give the share of the relevant pages that stand among the first k."""
    return len(set(judged.ranked[:k]) & set(judged.relevant)) / len(judged.relevant)


def hit_at(judged: Judged, k: int) -> float:
    """Give 1 when a relevant page stands among the first k, else 0."""
    rank = judged.first_rank
    return float(rank is not None and rank <= k)


def reciprocal_rank_at(judged: Judged, k: int) -> float:
    """Give 1 / rank of the first relevant page, or 0 beyond rank k."""
    rank = judged.first_rank
    return 1 / rank if rank is not None and rank <= k else 0.0


def ndcg_at(judged: Judged, k: int) -> float:
    """Give the normalised discounted cumulative gain with binary relevance and a log2 discount."""
    gain = sum(
        1 / math.log2(rank + 1) for rank, page in enumerate(judged.ranked[:k], start=1) if page in judged.relevant
    )
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(judged.relevant)) + 1))
    return gain / ideal


METRICS: Mapping[str, Callable[[Judged], float]] = {
    "recall@1": lambda judged: recall_at(judged, 1),
    "recall@5": lambda judged: recall_at(judged, 5),
    "hit@8": lambda judged: hit_at(judged, 8),
    "mrr@10": lambda judged: reciprocal_rank_at(judged, 10),
    "ndcg@10": lambda judged: ndcg_at(judged, 10),
}
RANKS_NEEDED = 10


def values(judged: Sequence[Judged]) -> Mapping[str, Sequence[float]]:
    """Give every metric of each query, in the queries' order."""
    return {name: [metric(one) for one in judged] for name, metric in METRICS.items()}


def summary(judged: Sequence[Judged]) -> Mapping[str, float]:
    """Give the mean of every metric over the queries; zeros without any."""
    return {name: mean(figures) for name, figures in values(judged).items()}


def mean(figures: Sequence[float]) -> float:
    """Give the mean as it is shown; zero without any."""
    return round(float(np.mean(figures)), 4) if len(figures) else 0.0
