"""Relevance: one number in 0..1 that means the same for every embedding model, so that the floor is a promise.

It is a logistic regression over a few signals of a search. The raw cosines of an embedding model are squeezed into a
band of their own, and a fused score is only a rank; neither can be compared with a floor.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
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
    the largest product of a passage's coverage and its contrast, high when words and meaning point to one passage.
    `foreign`: 1 when the most contrasted passage is in another language than the question, else 0.
    """

    cosine: float = 0.0
    contrast: float = 0.0
    contrast_top: float = 0.0
    coverage: float = 0.0
    covered_contrast: float = 0.0
    foreign: float = 0.0


SIGNAL_NAMES = tuple(signal.name for signal in fields(Signals) if signal.name != "foreign")


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
    """The fitted weights for one embedding model, and its prior.

    `foreign` holds those for questions whose best passage is in another language: no word of theirs need stand there.
    """

    model: str
    bias: float
    weights: Mapping[str, float]
    prior: Prior
    foreign: Calibration | None = None

    def logit(self, signals: Signals) -> float:
        """Give `bias + weights . signals`."""
        if signals.foreign and self.foreign is not None:
            return self.foreign.logit(replace(signals, foreign=0.0))
        values = asdict(signals)
        return self.bias + sum(weight * float(values[name]) for name, weight in self.weights.items())

    def relevance(self, signals: Signals) -> float:
        """Give `1 / (1 + exp(-logit))`."""
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, self.logit(signals)))))


@dataclass(frozen=True, slots=True)
class Setting:
    """What passages are measured against: the question's language (None: not known), the background of cosines by
    language (none: there is no semantic list), and the model's prior.
    """

    language: str | None
    backgrounds: Mapping[str, Background]
    prior: Prior


def measure(
    passages: Sequence[Passage],
    words: Mapping[int, str],
    terms: Sequence[WeightedTerm],
    setting: Setting,
) -> Signals:
    """Measure a search by its passages; `words` by chunk row."""
    covered = [coverage(words[passage.chunk.row], terms) for passage in passages]
    if not passages or not setting.backgrounds:
        return Signals(coverage=max(covered, default=0.0))
    steady = {language: setting.prior.steady(background) for language, background in setting.backgrounds.items()}
    contrasts = [_contrast(passage, steady) for passage in passages]
    best = sorted(contrasts, reverse=True)[:TOP]
    nearest = passages[contrasts.index(best[0])].page.language
    return Signals(
        cosine=max(passage.cosine for passage in passages),
        contrast=best[0],
        contrast_top=sum(best) / len(best),
        coverage=max(covered),
        covered_contrast=max(share * contrast for share, contrast in zip(covered, contrasts, strict=True)),
        foreign=float(setting.language is not None and nearest != setting.language),
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
    prior = Prior(**found["prior"])
    foreign = found.get("foreign")
    apart = Calibration(model, foreign["bias"], foreign["weights"], prior) if foreign else None
    return Calibration(model, found["bias"], found["weights"], prior, apart)
