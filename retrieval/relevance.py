"""Relevance: one number in 0..1 that means the same for every embedding model, so that the floor is a promise.

It is a logistic regression over a few signals of a search. The raw cosines of an embedding model are squeezed into a
band of their own, and a fused score is only a rank; neither can be compared with a floor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files

from retrieval.types import WeightedTerm

FLOOR = 0.4  # below it, on a first turn, the oracle says that it does not know


@dataclass(frozen=True, slots=True)
class Signals:
    """What a search shows of how well it went.

    `cosine`: the best passage's, in -1..1. `contrast`: how many standard deviations that cosine stands above the
    question's mean over what may be read. `coverage`: the share of the question's rarity (idf) that the best passage
    holds, in 0..1.
    """

    cosine: float
    contrast: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the logistic regression, fitted for one embedding model."""

    model: str
    bias: float
    weights: Mapping[str, float]

    def relevance(self, signals: Signals) -> float:
        """Give `1 / (1 + exp(-(bias + weights . signals)))`."""
        total = self.bias + sum(weight * float(getattr(signals, name)) for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


SIGNAL_NAMES = tuple(field.name for field in fields(Signals))


def floor_passes(relevance: float, history: Sequence[object], floor: float = FLOOR) -> bool:
    """Tell whether a question is close enough to the wiki to be answered; with history the floor does not apply."""
    return bool(history) or relevance >= floor


def coverage(words: str, terms: Sequence[WeightedTerm]) -> float:
    """Give the share of the terms' rarity that a chunk holds; `words` are its words and stems between spaces."""
    total = sum(term.idf for term in terms)
    if total == 0:
        return 0.0
    return sum(term.idf for term in terms if all(f" {atom} " in words for atom in term.text.split())) / total


@lru_cache(maxsize=8)
def calibration_for(model: str) -> Calibration:
    """Give the fitted calibration of an embedding model; a model without one borrows the one that leans on contrast."""
    fitted = json.loads((files("retrieval") / "calibrations.json").read_text(encoding="utf-8"))
    found = fitted.get(model) or fitted["any"]
    return Calibration(model=model, bias=found["bias"], weights=found["weights"])
