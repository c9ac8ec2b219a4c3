"""Logistic regression by Newton's method, with a Gaussian prior over the coefficients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NEWTON_STEPS = 100
CONVERGED = 1e-8
HALVINGS = 30

Matrix = NDArray[np.float64]


def fit_logistic(inputs: Matrix, labels: Matrix, weights: Matrix, centre: Matrix, precision: Matrix) -> Matrix:
    """Give the most likely coefficients: (rows, columns) of inputs, 0 or 1 and a weight for each row.

    Before any row is seen, a coefficient is thought to lie at its `centre`, with a variance of 1 / `precision`.
    """

    def loss(candidate: Matrix) -> float:
        logits = inputs @ candidate
        away = candidate - centre
        return float(weights @ (np.logaddexp(0, logits) - labels * logits) + away @ (precision * away) / 2)

    coefficients = centre.astype(np.float64)
    for _ in range(NEWTON_STEPS):
        expected = 1 / (1 + np.exp(-np.clip(inputs @ coefficients, -30, 30)))
        curvature = weights * expected * (1 - expected) + 1e-9
        hessian = inputs.T @ (inputs * curvature[:, None]) + np.diag(precision)
        gradient = inputs.T @ (weights * (labels - expected)) - precision * (coefficients - centre)
        step = np.linalg.solve(hessian, gradient)
        # Where most rows are sure of themselves a whole step overshoots, and the next one does so farther.
        now = loss(coefficients)
        for _ in range(HALVINGS):
            if loss(coefficients + step) <= now:
                break
            step = step / 2
        coefficients = coefficients + step
        if np.abs(step).max() < CONVERGED:
            break
    return coefficients
