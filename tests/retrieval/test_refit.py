"""Refitting relevance on a team's own questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from retrieval.evaluation.calibration import Observation
from retrieval.evaluation.logistic import fit_logistic
from retrieval.evaluation.refit import ContraryLabels, TooFewQuestions, held_out, refit
from retrieval.relevance import FLOOR, Calibration, Prior, Signals

SHIPPED = Calibration("m", -7.0, {"contrast": 1.5, "coverage": 3.0}, Prior(0.77, 0.02, 30))


def team(each: int, *, seed: int = 1, farther: float = 0.0) -> list[Observation]:
    """Questions whose two kinds lie two deviations apart; `farther` moves both away from where the shipped fit cuts."""
    rng = np.random.default_rng(seed)
    return [
        Observation("team", signals(rng.normal(4.5 if answerable else 2.0, 0.6) + farther, rng), answerable)
        for answerable in (True, False)
        for _ in range(each)
    ]


def signals(contrast: float, rng: np.random.Generator) -> Signals:
    return Signals(contrast=float(contrast), coverage=float(np.clip(rng.normal(0.5, 0.1), 0, 1)))


def cost(calibration: Calibration, observations: list[Observation]) -> float:
    """Lost answers and unwarranted ones, the former 8/3 times as heavy, as the floor promises."""
    passed = {
        kind: np.mean([calibration.relevance(one.signals) >= FLOOR for one in observations if one.answerable == kind])
        for kind in (True, False)
    }
    return float(8 / 3 * (1 - passed[True]) + passed[False])


@pytest.mark.parametrize("each", [20, 60, 150])
@pytest.mark.parametrize("farther", [-2.0, 2.0])
def test_a_wiki_whose_signals_lie_elsewhere_is_brought_back(each: int, farther: float) -> None:
    to_come = team(1000, seed=2, farther=farther)
    fitted = refit(team(each, farther=farther), SHIPPED)
    assert cost(SHIPPED, to_come) > 0.5
    assert cost(fitted, to_come) < 0.3


@pytest.mark.parametrize("seed", range(5))
def test_forty_questions_barely_move_a_fit_that_is_right(seed: int) -> None:
    to_come = team(1000, seed=99)
    assert cost(refit(team(20, seed=seed), SHIPPED), to_come) < cost(SHIPPED, to_come) + 0.1


def test_few_questions_scale_all_weights_alike_and_many_move_each() -> None:
    few, many = refit(team(40), SHIPPED), refit(team(150), SHIPPED)
    ratio = {name: few.weights[name] / weight for name, weight in SHIPPED.weights.items()}
    assert ratio["contrast"] == pytest.approx(ratio["coverage"], abs=1e-3)
    assert many.weights["contrast"] / SHIPPED.weights["contrast"] != pytest.approx(
        many.weights["coverage"] / SHIPPED.weights["coverage"], abs=0.05
    )


@pytest.mark.parametrize("each", [40, 150])
def test_questions_across_languages_move_with_the_others_and_keep_their_own_weights(each: int) -> None:
    """Those few never decide every weight; they take the bias and the scale that all questions ask for."""
    across = Calibration("m", -3.0, {"contrast": 1.0}, SHIPPED.prior)
    crossing = [replace(one, signals=replace(one.signals, foreign=1.0)) for one in team(15, seed=3)]
    fitted = refit([*team(each, farther=2.0), *crossing], replace(SHIPPED, foreign=across))
    assert fitted.foreign is not None
    assert fitted.foreign.weights.keys() == across.weights.keys()
    assert fitted.foreign.bias < across.bias  # everything was answered too readily
    assert fitted.weights.keys() == SHIPPED.weights.keys()


def test_the_model_and_its_background_stay() -> None:
    fitted = refit(team(40), SHIPPED)
    assert (fitted.model, fitted.prior) == (SHIPPED.model, SHIPPED.prior)


@pytest.mark.parametrize(("answerable", "foreign"), [(19, 40), (40, 19), (0, 0)])
def test_too_few_questions_of_a_kind_are_refused_in_one_line(answerable: int, foreign: int) -> None:
    both = team(40)
    with pytest.raises(TooFewQuestions, match="20 of each") as refusal:
        refit([*both[:answerable], *both[40 : 40 + foreign]], SHIPPED)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("each", [30, 150])
def test_labels_the_wrong_way_round_are_refused(each: int) -> None:
    with pytest.raises(ContraryLabels, match="check the labels"):
        refit([replace(one, answerable=not one.answerable) for one in team(each)], SHIPPED)


def test_a_left_out_question_is_judged_by_a_fit_that_did_not_see_it() -> None:
    observations = team(30)
    odd = replace(observations[0], signals=Signals(contrast=-8.0, coverage=0.0))
    honest = held_out([odd, *observations[1:]], SHIPPED)
    assert len(honest) == 60
    assert honest[0] < refit([odd, *observations[1:]], SHIPPED).relevance(odd.signals) + 1e-9


def test_a_fit_whose_first_step_would_overshoot_still_converges() -> None:
    """The start is so sure of itself that its curvature is nothing: a whole step of Newton's leads away for good."""
    logits = np.concatenate([np.full(150, 18.0), np.full(150, 9.0)])
    inputs = np.column_stack([np.ones(300), logits])
    labels = (logits > 10).astype(float)
    found = fit_logistic(inputs, labels, np.ones(300), np.array([0.0, 1.0]), np.array([1 / 100, 16.0]))
    assert found[0] + 9 * found[1] < -1
    assert found[0] + 18 * found[1] > 1
