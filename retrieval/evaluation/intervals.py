"""Bootstrap confidence intervals (Efron and Tibshirani, 1993, chapter 13): how a mean would move with other queries.

The queries are drawn anew, with replacement, many times; the interval holds the middle 95 % of the means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
RESAMPLES = 2000  # the ends of an interval then move by less than a tenth of its width from one seed to another
SEED = 7  # the same queries give the same interval
DECIMALS = 4
_CELLS = 1 << 22  # of drawn queries held at a time: 32 MB, whatever the size of the set

Interval = tuple[float, float]
Values = Mapping[str, Sequence[float]]
"""Figures of the same queries in the same order, by metric."""


def intervals(values: Values, *, resamples: int = RESAMPLES, seed: int = SEED) -> Mapping[str, Interval]:
    """Give the interval of each metric's mean as (low, high); nothing without queries.

    Every metric is drawn with the same queries, so intervals of one set can be read beside each other.
    """
    matrix = np.array(list(values.values()), np.float64).T
    if not matrix.size:
        return {}
    means = resampled_means(matrix, resamples, np.random.default_rng(seed))
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(means, [tail, 100 - tail], axis=0)
    return {
        name: (round(float(least), DECIMALS), round(float(most), DECIMALS))
        for name, least, most in zip(values, low, high, strict=True)
    }


def resampled_means(matrix: NDArray[np.float64], resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Give the means of resampled rows: (queries, metrics) in, (resamples, metrics) out."""
    queries = len(matrix)
    at_once = max(1, _CELLS // queries)
    parts = []
    for first in range(0, resamples, at_once):
        count = min(at_once, resamples - first)
        drawn = rng.integers(0, queries, (count, queries))
        drawn += np.arange(count)[:, None] * queries
        times = np.bincount(drawn.ravel(), minlength=count * queries).reshape(count, queries)
        parts.append(times @ matrix / queries)
    return np.vstack(parts)
