"""Two configurations on the same queries, compared query by query: what differs between queries cancels out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.evaluation.harness import Run
from retrieval.evaluation.intervals import Interval, Values, intervals
from retrieval.evaluation.metrics import RANKS_NEEDED, mean, reciprocal_rank_at


@dataclass(frozen=True, slots=True)
class Paired:
    """A metric's mean in both, and the mean of the differences, this less that, with its bootstrap interval.

    An interval that holds no zero says that the difference is more than the luck of these queries.
    """

    this: float
    that: float
    difference: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """How this run fares against that one; a query is won when its reciprocal rank is higher."""

    metrics: Mapping[str, Paired]
    won: int
    lost: int
    tied: int


def compare(this: Run, that: Run) -> Comparison:
    """Pair two runs of one set. A figure that only one of them has (literal search has no relevance) is left out."""
    differences = [
        reciprocal_rank_at(ours, RANKS_NEEDED) - reciprocal_rank_at(theirs, RANKS_NEEDED)
        for ours, theirs in zip(this.judged, that.judged, strict=True)
    ]
    won, lost = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    return Comparison(
        metrics={**_paired(this.metrics, that.metrics), **_paired(this.refused, that.refused)},
        won=won,
        lost=lost,
        tied=len(differences) - won - lost,
    )


def _paired(this: Values, that: Values) -> Mapping[str, Paired]:
    shared = [name for name in this if name in that]
    differences: Mapping[str, Sequence[float]] = {
        name: (np.array(this[name]) - np.array(that[name])).tolist() for name in shared
    }
    found = intervals(differences)
    return {name: Paired(mean(this[name]), mean(that[name]), mean(differences[name]), found[name]) for name in found}
