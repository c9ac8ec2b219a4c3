"""Fits relevance: which signals tell a question the wiki answers from one it does not.

Observations come from groups, each a set of questions asked of one corpus. Every group weighs the same, and answerable
and foreign groups weigh the same together, so that no large set decides. The fit is a logistic regression with a small
ridge, by Newton's method; its bias is then moved so that the wanted share of the answerable questions passes the floor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.evaluation.logistic import fit_logistic
from retrieval.generation import Generation
from retrieval.relevance import FLOOR, SIGNAL_NAMES, Calibration, Prior, Signals
from retrieval.search import hybrid_search
from retrieval.types import Query, Viewer

RIDGE = 0.01
WANTED_PASS = 0.97  # of every answerable group that is large enough to tell
LARGE_GROUP = 100

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Observation:
    """A question put to an index: what was measured, and whether the corpus answers it."""

    group: str
    signals: Signals
    answerable: bool


@dataclass(frozen=True, slots=True)
class GroupResult:
    """How a group fares against the floor: the share that passes when answerable, that is refused when not."""

    group: str
    answerable: bool
    questions: int
    right: float


def observe(texts: Iterable[str], index: Generation, group: str, *, answerable: bool) -> list[Observation]:
    """Ask an index questions and keep the signals; those that find nothing at all are left out."""
    found = []
    for text in texts:
        result = hybrid_search(Query(text, Viewer()), index)
        if result.passages:
            found.append(Observation(group, Signals(**result.explanation.signals), answerable))
    return found


def fit(
    observations: Sequence[Observation],
    model: str,
    prior: Prior,
    *,
    names: Sequence[str] = SIGNAL_NAMES,
    floor: float = FLOOR,
    wanted_pass: float = WANTED_PASS,
    large_group: int = LARGE_GROUP,
) -> Calibration:
    """Fit the weights of the named signals. Needs answerable and foreign questions."""
    values, labels, weights = _matrix(observations, names), _labels(observations), _weights(observations)
    mean, deviation = values.mean(axis=0), values.std(axis=0) + 1e-9
    inputs = np.hstack([np.ones((len(values), 1)), (values - mean) / deviation])
    coefficients = fit_logistic(inputs, labels, weights, np.zeros(inputs.shape[1]), np.full(inputs.shape[1], RIDGE))
    slopes = coefficients[1:] / deviation
    bias = coefficients[0] - float(slopes @ mean)
    bias += _shift(observations, values @ slopes + bias, floor, (wanted_pass, large_group))
    return Calibration(
        model, round(bias, 4), {n: round(float(w), 4) for n, w in zip(names, slopes, strict=True)}, prior
    )


def judge(calibration: Calibration, observations: Sequence[Observation], floor: float = FLOOR) -> list[GroupResult]:
    """Tell how each group fares against the floor, answerable groups first."""
    groups: dict[tuple[bool, str], list[bool]] = {}
    for one in observations:
        passed = calibration.relevance(one.signals) >= floor
        groups.setdefault((not one.answerable, one.group), []).append(passed == one.answerable)
    return [
        GroupResult(group, not foreign, len(right), round(float(np.mean(right)), 4))
        for (foreign, group), right in sorted(groups.items())
    ]


def as_json(calibration: Calibration) -> Mapping[str, object]:
    """Give what calibrations.json holds under the model's name."""
    written = {"bias": calibration.bias, "weights": dict(calibration.weights), "prior": asdict(calibration.prior)}
    apart = calibration.foreign
    return written if apart is None else {**written, "foreign": {"bias": apart.bias, "weights": dict(apart.weights)}}


def _matrix(observations: Sequence[Observation], names: Sequence[str]) -> Matrix:
    return np.array([[getattr(one.signals, name) for name in names] for one in observations], np.float64)


def _labels(observations: Sequence[Observation]) -> Matrix:
    return np.array([one.answerable for one in observations], np.float64)


def _weights(observations: Sequence[Observation]) -> Matrix:
    sizes: dict[tuple[str, bool], int] = {}
    for one in observations:
        sizes[one.group, one.answerable] = sizes.get((one.group, one.answerable), 0) + 1
    weights = np.array([1 / sizes[one.group, one.answerable] for one in observations])
    labels = _labels(observations).astype(bool)
    for side in (labels, ~labels):
        weights[side] *= len(observations) / 2 / weights[side].sum()
    return weights


def _shift(observations: Sequence[Observation], logits: Matrix, floor: float, wanted: tuple[float, int]) -> float:
    """Give what to add to the bias so that, at the floor, the wanted share of each large answerable group passes.

    Without a large one, all answerable questions together are the group.
    """
    threshold = float(np.log(floor / (1 - floor)))
    groups: dict[str, list[float]] = {}
    for one, logit in zip(observations, logits, strict=True):
        if one.answerable:
            groups.setdefault(one.group, []).append(float(logit))
    wanted_pass, large_group = wanted
    large = [group for group in groups.values() if len(group) >= large_group] or [
        [logit for group in groups.values() for logit in group]
    ]
    return threshold - min(float(np.quantile(group, 1 - wanted_pass, method="lower")) for group in large)
