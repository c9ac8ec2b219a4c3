"""Two ways of doing the same, timed by turns: what slows the machine down for a while slows both down."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paired:
    """Times of the same items both ways, in milliseconds, item by item."""

    ours_ms: Sequence[float]
    theirs_ms: Sequence[float]

    @property
    def p50s_ms(self) -> tuple[float, float]:
        return percentile(self.ours_ms, 50), percentile(self.theirs_ms, 50)

    @property
    def ratio(self) -> float:
        """The medians' ratio; below 1, ours is the faster."""
        ours, theirs = self.p50s_ms
        return ours / theirs


def by_turns(ours: Callable[[T], object], theirs: Callable[[T], object], items: Sequence[T]) -> Paired:
    """Time both on every item, one right after the other; who goes first changes from item to item."""
    ours_ms, theirs_ms = [], []
    for number, item in enumerate(items):
        if number % 2:
            theirs_ms.append(timed_ms(theirs, item))
            ours_ms.append(timed_ms(ours, item))
        else:
            ours_ms.append(timed_ms(ours, item))
            theirs_ms.append(timed_ms(theirs, item))
    return Paired(ours_ms, theirs_ms)


def timed_ms(work: Callable[[T], object], item: T) -> float:
    start = time.perf_counter()
    work(item)
    return (time.perf_counter() - start) * 1000


def percentile(values: Sequence[float], q: float) -> float:
    return float(np.percentile(values, q))


def median(values: Sequence[float]) -> float:
    return statistics.median(values)
