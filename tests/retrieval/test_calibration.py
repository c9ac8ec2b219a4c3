"""Fitting relevance."""

from __future__ import annotations

import numpy as np

from retrieval.evaluation.calibration import Observation, fit, judge
from retrieval.relevance import Prior, Signals

PRIOR = Prior(0.77, 0.02, 30)


def observations(count: int = 300, seed: int = 1) -> list[Observation]:
    """Answerable questions lie higher in contrast and coverage; the cosine tells nothing."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        answerable = number % 2 == 0
        centre = 5.0 if answerable else 2.0
        contrast = float(rng.normal(centre, 0.8))
        share = float(np.clip(rng.normal(0.8 if answerable else 0.2, 0.1), 0, 1))
        signals = Signals(float(rng.normal(0.85, 0.02)), contrast, contrast - 0.3, share, share * contrast)
        found.append(Observation("own" if answerable else "foreign", signals, answerable))
    return found


def test_a_fit_tells_answerable_from_foreign_at_the_floor_on_questions_it_never_saw() -> None:
    fitted = fit(observations(seed=1), "m", PRIOR)
    results = {result.group: result.right for result in judge(fitted, observations(seed=2))}
    assert results["own"] >= 0.95
    assert results["foreign"] >= 0.95


def test_only_the_named_signals_are_used() -> None:
    assert set(fit(observations(), "m", PRIOR, names=("contrast", "coverage")).weights) == {"contrast", "coverage"}


def test_a_large_group_does_not_decide_alone() -> None:
    few = observations(200, seed=3)
    crowd = [Observation("crowd", Signals(0.8, 1.0, 0.5, 0.9, 0.9), answerable=False)] * 5000
    results = {result.group: result.right for result in judge(fit([*few, *crowd], "m", PRIOR), few)}
    assert results["own"] >= 0.9
    assert results["foreign"] >= 0.9
