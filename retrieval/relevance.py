"""Relevance: one number in 0..1 that means the same for every embedding model, so that the floor is a promise.

It is a logistic regression over a few signals of a search. The raw cosines of an embedding model are squeezed into a
band of their own, and a fused score is only a rank; neither can be compared with a floor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from importlib.resources import files

from retrieval.dense import Background
from retrieval.types import Passage, WeightedTerm

FLOOR = 0.4  # below it, on a first turn, the oracle says that it does not know
TOP = 3


@dataclass(frozen=True, slots=True)
class Signals:
    """What a search shows of how well it went. Without a semantic list, the cosine and the contrasts are 0.

    `cosine`: the best passage's, in -1..1. `contrast`: how many standard deviations it stands above what the question
    has in common with any page in that passage's language. `contrast_top`: the mean contrast of the best three.
    `coverage`: the largest share of the question's rarity (idf) that one passage holds, in 0..1. `covered_contrast`:
    the largest product of a passage's coverage and its contrast, high when the words and the meaning point to the same.
    """

    cosine: float = 0.0
    contrast: float = 0.0
    contrast_top: float = 0.0
    coverage: float = 0.0
    covered_contrast: float = 0.0


SIGNAL_NAMES = tuple(field.name for field in fields(Signals))


@dataclass(frozen=True, slots=True)
class Prior:
    """A model's usual background, worth `rows` rows: in a wiki of five chunks the best match is the background."""

    mean: float
    deviation: float
    rows: float

    def steady(self, background: Background) -> Background:
        """Pull a measured background towards the usual one, the more so the fewer rows it was measured on."""
        rows = background.rows + self.rows
        if rows == 0:
            return background
        mean = (background.rows * background.mean + self.rows * self.mean) / rows
        variance = (background.rows * background.deviation**2 + self.rows * self.deviation**2) / rows
        return Background(mean, math.sqrt(variance), background.rows)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The fitted weights for one embedding model, and its prior."""

    model: str
    bias: float
    weights: Mapping[str, float]
    prior: Prior

    def logit(self, signals: Signals) -> float:
        """Give `bias + weights . signals`."""
        values = asdict(signals)
        return self.bias + sum(weight * float(values[name]) for name, weight in self.weights.items())

    def relevance(self, signals: Signals) -> float:
        """Give `1 / (1 + exp(-logit))`."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.logit(signals)))))


def measure(
    passages: Sequence[Passage],
    words: Mapping[int, str],
    terms: Sequence[WeightedTerm],
    backgrounds: Mapping[str, Background],
    prior: Prior,
) -> Signals:
    """Measure a search by its passages; `words` by chunk row, `backgrounds` by language (none: no semantic list)."""
    covered = [coverage(words[passage.chunk.row], terms) for passage in passages]
    if not passages or not backgrounds:
        return Signals(coverage=max(covered, default=0.0))
    steady = {language: prior.steady(background) for language, background in backgrounds.items()}
    contrasts = [_contrast(passage, steady) for passage in passages]
    best = sorted(contrasts, reverse=True)[:TOP]
    return Signals(
        cosine=max(passage.cosine for passage in passages),
        contrast=best[0],
        contrast_top=sum(best) / len(best),
        coverage=max(covered),
        covered_contrast=max(share * contrast for share, contrast in zip(covered, contrasts, strict=True)),
    )


def _contrast(passage: Passage, backgrounds: Mapping[str, Background]) -> float:
    background = backgrounds[passage.page.language]
    return (passage.cosine - background.mean) / max(background.deviation, 1e-6)


def coverage(words: str, terms: Sequence[WeightedTerm]) -> float:
    """Give the share of the terms' rarity that a chunk holds; `words` are its words between spaces."""
    total = sum(term.idf for term in terms)
    if total == 0:
        return 0.0
    return sum(term.idf for term in terms if all(f" {atom} " in words for atom in term.text.split())) / total


@lru_cache(maxsize=8)
def calibration_for(model: str) -> Calibration:
    """Give the shipped calibration of an embedding model; one without borrows the one that leans on no raw cosine."""
    fitted = json.loads((files("retrieval") / "calibrations.json").read_text(encoding="utf-8"))
    found = fitted.get(model) or fitted["any"]
    return Calibration(model, found["bias"], found["weights"], Prior(**found["prior"]))
