"""Two ways of doing the same, timed by turns: what slows the machine down for a while slows both down."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

T = TypeVar("T")


class Taken(NamedTuple):
    """Milliseconds of wall clock, and of processor in all threads: the latter does not count others' work."""

    wall_ms: float
    processor_ms: float


@dataclass(frozen=True, slots=True)
class Paired:
    """What the same items took both ways, item by item."""

    ours: Sequence[Taken]
    theirs: Sequence[Taken]

    @property
    def p50s_ms(self) -> tuple[float, float]:
        return median([one.wall_ms for one in self.ours]), median([one.wall_ms for one in self.theirs])

    @property
    def ratio(self) -> float:
        """The medians' ratio; below 1, ours is the faster."""
        ours, theirs = self.p50s_ms
        return ours / theirs

    @property
    def processor_ratio(self) -> float:
        return median([one.processor_ms for one in self.ours]) / median([one.processor_ms for one in self.theirs])

    def __str__(self) -> str:
        ours, theirs = self.p50s_ms
        return f"{self.ratio:.2f} ({ours:.2f} / {theirs:.2f} ms; by processor time {self.processor_ratio:.2f})"


def by_turns(ours: Callable[[T], object], theirs: Callable[[T], object], items: Sequence[T]) -> Paired:
    """Time both on every item, one right after the other; who goes first changes from item to item."""
    taken: tuple[list[Taken], list[Taken]] = ([], [])
    for number, item in enumerate(items):
        for way in (0, 1) if number % 2 == 0 else (1, 0):
            taken[way].append(timed((ours, theirs)[way], item))
    return Paired(*taken)


def timed(work: Callable[[T], object], item: T) -> Taken:
    processor, wall = time.process_time(), time.perf_counter()
    work(item)
    return Taken((time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000)


def percentile(values: Sequence[float], q: float) -> float:
    return float(np.percentile(values, q))


def median(values: Sequence[float]) -> float:
    return statistics.median(values)
