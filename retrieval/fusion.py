"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): lists are fused by rank, never by score."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

RRF_K = 60  # the original paper's value: damps the gap between the top ranks

Key = TypeVar("Key", bound=Hashable)


Ranks = Mapping[Key, int]
"""A ranker's list: the 1-based rank of every key it holds."""


def in_order(keys: Iterable[Key]) -> Ranks[Key]:
    """Rank keys by their order; one that stands twice counts once, at its better rank."""
    return {key: rank for rank, key in enumerate(dict.fromkeys(keys), start=1)}


@dataclass(frozen=True, slots=True)
class Fused(Generic[Key]):
    """An entry of the fused list, with its 1-based rank in every list that held it."""

    key: Key
    score: float
    ranks: Mapping[str, int]


def reciprocal_rank_fusion(lists: Mapping[str, Ranks[Key]], k: int = RRF_K) -> list[Fused[Key]]:
    """Give every key once, by the sum of `1 / (k + rank)`, highest first.

    Equal sums keep the order in which the keys were first met, so the first list wins ties.
    """
    scores: dict[Key, float] = {}
    ranks: dict[Key, dict[str, int]] = {}
    for name, ranked in lists.items():
        for key, rank in ranked.items():
            scores[key] = scores.get(key, 0.0) + 1 / (k + rank)
            ranks.setdefault(key, {})[name] = rank
    ordered = sorted(scores, key=lambda key: -scores[key])
    return [Fused(key, scores[key], ranks[key]) for key in ordered]
