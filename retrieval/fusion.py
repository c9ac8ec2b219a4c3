"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): lists are fused by rank, never by score."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

RRF_K = 60  # the original paper's value: damps the gap between the top ranks

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RankedList(Generic[Key]):
    """A ranker's list, best first, and how much its ranks weigh."""

    keys: Sequence[Key]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Fused(Generic[Key]):
    """An entry of the fused list, with its 1-based rank in every list that held it."""

    key: Key
    score: float
    ranks: Mapping[str, int]


def reciprocal_rank_fusion(lists: Mapping[str, RankedList[Key]], k: int = RRF_K) -> list[Fused[Key]]:
    """Give every key once, by the sum of `weight / (k + rank)`, highest first.

    Equal sums keep the order in which the keys were first met, so the first list wins ties. A key that stands twice in
    one list counts once, at its better rank.
    """
    scores: dict[Key, float] = {}
    ranks: dict[Key, dict[str, int]] = {}
    for name, ranked in lists.items():
        for rank, key in enumerate(dict.fromkeys(ranked.keys), start=1):
            scores[key] = scores.get(key, 0.0) + ranked.weight / (k + rank)
            ranks.setdefault(key, {})[name] = rank
    ordered = sorted(scores, key=lambda key: -scores[key])
    return [Fused(key, scores[key], ranks[key]) for key in ordered]
