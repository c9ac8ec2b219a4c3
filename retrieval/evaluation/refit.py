"""Refits relevance on a team's own questions, starting from the shipped fit and leaving it only as far as they show.

With few questions two numbers move: the bias, and one scale over all weights. From `FREE_FROM` questions every weight
may, but for those of questions in another language than their pages, which are few in most teams. Either way the
shipped fit is the centre of a Gaussian prior, so that forty questions do not turn it upside down.
An answer lost weighs as much as `LOST_COST` answers that should not have been given: the floor promises to lose 3 % of
the former and to let 8 % of the latter through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import OracleError
from retrieval.evaluation.calibration import Observation
from retrieval.evaluation.logistic import fit_logistic
from retrieval.relevance import Calibration

FEWEST = 20  # of each kind: fewer say more about themselves than about the wiki
FREE_FROM = 200
FOLDS = 5
LOST_COST = 8 / 3
# How far a fit may go before the questions have to insist. With 20 to 150 of each kind on four corpora a bias that was
# three logits off came back, and one that was right lost a point or two of the cost at the worst.
BIAS_DEVIATION = 1.5  # in logits
SCALE_DEVIATION = 0.25
WEIGHT_DEVIATION = 1.0  # in logits for one standard deviation of a signal
LEAST_SCALE = 0.1
DECIMALS = 4

Matrix = NDArray[np.float64]


class TooFewQuestions(OracleError):
    """There is too little to fit on; whoever collects the questions adds some."""


class ContraryLabels(OracleError):
    """The labels go against what the search finds: they are the wrong way round, or of another wiki."""


def refit(observations: Sequence[Observation], shipped: Calibration) -> Calibration:
    """Fit a calibration from the shipped one. Raises TooFewQuestions and ContraryLabels."""
    check_enough([one.answerable for one in observations])
    _, scale = _bias_and_scale(observations, shipped)
    if scale < LEAST_SCALE:
        raise ContraryLabels(
            "the questions labelled answerable find no more than the others do, so there is nothing to calibrate on;"
            " check the labels, and that the questions are about this wiki"
        )
    return _fitted(observations, shipped, free=moves_every_weight(observations))


def moves_every_weight(observations: Sequence[Observation]) -> bool:
    """Tell whether there are questions enough for more than a bias and a scale."""
    own = _of_own_language(observations)
    answerable = sum(one.answerable for one in own)
    return len(own) >= FREE_FROM and min(answerable, len(own) - answerable) >= FEWEST


def held_out(observations: Sequence[Observation], shipped: Calibration) -> list[float]:
    """Give each question's relevance by a fit that did not see it: what a refit is worth on questions to come."""
    fold = np.empty(len(observations), np.intp)
    for answerable in (True, False):
        rows = [row for row, one in enumerate(observations) if one.answerable == answerable]
        fold[rows] = np.arange(len(rows)) % FOLDS
    found = np.empty(len(observations))
    for number in range(FOLDS):
        seen = [one for one, of in zip(observations, fold, strict=True) if of != number]
        calibration = _fitted(seen, shipped, free=moves_every_weight(observations))
        for row in np.flatnonzero(fold == number).tolist():
            found[row] = calibration.relevance(observations[row].signals)
    return [float(one) for one in found]


def check_enough(labels: Sequence[bool]) -> None:
    """Raise TooFewQuestions when there are fewer answerable or unanswerable ones than a fit can stand on."""
    answerable = sum(labels)
    if min(answerable, len(labels) - answerable) < FEWEST:
        raise TooFewQuestions(
            f"{answerable} questions that the wiki answers and {len(labels) - answerable} that it does not are too few"
            f" to calibrate on; bring {FEWEST} of each that find something, or more"
        )


def _fitted(observations: Sequence[Observation], shipped: Calibration, *, free: bool) -> Calibration:
    bias, scale = _bias_and_scale(observations, shipped)
    moved = _moved(shipped, bias, scale)
    return replace(_all_weights(_of_own_language(observations), shipped), foreign=moved.foreign) if free else moved


def _of_own_language(observations: Sequence[Observation]) -> Sequence[Observation]:
    return [one for one in observations if not one.signals.foreign]


def _bias_and_scale(observations: Sequence[Observation], shipped: Calibration) -> tuple[float, float]:
    """Give what is to be added to the shipped logit, once it is multiplied by the scale."""
    logits = np.array([shipped.logit(one.signals) for one in observations])
    inputs = np.column_stack([np.ones(len(logits)), logits])
    deviations = np.array([BIAS_DEVIATION, SCALE_DEVIATION])
    bias, scale = fit_logistic(inputs, *_labels_and_weights(observations), np.array([0.0, 1.0]), deviations**-2.0)
    return float(bias), float(scale)


def _moved(shipped: Calibration, bias: float, scale: float) -> Calibration:
    weights = {name: weight * scale for name, weight in shipped.weights.items()}
    foreign = _moved(shipped.foreign, bias, scale) if shipped.foreign else None
    return replace(_rounded(shipped, bias + scale * shipped.bias, weights), foreign=foreign)


def _all_weights(observations: Sequence[Observation], shipped: Calibration) -> Calibration:
    """Fit the weights of questions in their pages' own language."""
    names = list(shipped.weights)
    values = np.array([[getattr(one.signals, name) for name in names] for one in observations], np.float64)
    mean, deviation = values.mean(axis=0), values.std(axis=0) + 1e-9
    slopes = np.array([shipped.weights[name] for name in names])
    centre = np.array([shipped.bias + slopes @ mean, *(slopes * deviation)])
    inputs = np.column_stack([np.ones(len(values)), (values - mean) / deviation])
    deviations = np.array([BIAS_DEVIATION, *([WEIGHT_DEVIATION] * len(names))])
    found = fit_logistic(inputs, *_labels_and_weights(observations), centre, deviations**-2.0)
    slopes = found[1:] / deviation
    return _rounded(shipped, float(found[0] - slopes @ mean), dict(zip(names, slopes.tolist(), strict=True)))


def _labels_and_weights(observations: Sequence[Observation]) -> tuple[Matrix, Matrix]:
    """Both kinds weigh the same however many there are, but for the cost of a lost answer."""
    labels = np.array([one.answerable for one in observations], np.float64)
    answerable = labels.sum()
    weights = np.where(labels == 1, LOST_COST / answerable, 1 / (len(labels) - answerable))
    return labels, weights * len(labels) / weights.sum()


def _rounded(shipped: Calibration, bias: float, weights: Mapping[str, float]) -> Calibration:
    rounded = {name: round(weight, DECIMALS) for name, weight in weights.items()}
    return replace(shipped, bias=round(bias, DECIMALS), weights=rounded)
