"""What a trial tells of a refit, and how it is laid out and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.commands.calibration_lines import calibration_lines
from bot.commands.calibration_plots import draw_png, plot_lines
from bot.commands.calibration_trial import Trial, tried
from bot.console.spans import to_plain
from retrieval.evaluation.abstention import Asked, answered_at
from retrieval.evaluation.labelled import LabelledQuestion
from retrieval.relevance import Calibration, Prior, Signals

CALIBRATION = Calibration("m", 0.0, {"contrast": 1.0}, Prior(0.7, 0.02, 30))


def asked(answerable: Sequence[float | None], unanswerable: Sequence[float | None]) -> list[Asked]:
    """Questions with a contrast each; None found nothing."""
    labelled = [*((one, True) for one in answerable), *((one, False) for one in unanswerable)]
    return [
        Asked(LabelledQuestion(f"pregunta {line}", yes, line), None if contrast is None else Signals(contrast=contrast))
        for line, (contrast, yes) in enumerate(labelled, start=2)
    ]


def trial_of(before: Sequence[float | None], after: Sequence[float | None]) -> Trial:
    """Four questions, the first two answerable."""
    return Trial(CALIBRATION, False, 0.4, asked([1.0, 1.0], [1.0, 1.0]), before, after, after)


def test_shares_count_every_question_and_what_found_nothing_is_never_answered() -> None:
    questions = asked([1.0, None], [1.0, 1.0])
    shares = answered_at(0.0, questions, [0.9, None, 0.1, 0.0])
    assert (shares.answerable, shares.unanswerable) == (0.5, 1.0)


def test_a_higher_floor_never_answers_more() -> None:
    found = np.random.default_rng(1).random(40).tolist()
    curve = Trial(CALIBRATION, False, 0.4, asked([1.0] * 20, [1.0] * 20), found, found, found).curve(found)
    assert [one.answerable for one in curve] == sorted((one.answerable for one in curve), reverse=True)
    assert [one.unanswerable for one in curve] == sorted((one.unanswerable for one in curve), reverse=True)


def test_changes_name_those_for_the_worse_first() -> None:
    changes = trial_of([0.3, 0.9, 0.9, 0.2], [0.8, 0.1, 0.1, 0.6]).changes
    assert [(change.line, change.answered, change.right) for change in changes] == [
        (3, False, False),
        (5, True, False),
        (4, False, True),
        (2, True, True),
    ]


@pytest.mark.parametrize(("unseen", "gains"), [([0.9, 0.9, 0.1, 0.1], True), ([0.9, 0.1, 0.1, 0.1], False)])
def test_a_refit_gains_when_questions_it_did_not_see_fare_better(unseen: Sequence[float], gains: bool) -> None:
    """One answer lost weighs more than one that should not have been given."""
    trial = trial_of([0.9, 0.9, 0.9, 0.1], unseen)
    assert trial.gains is gains
    warned = "no better than now" in to_plain(calibration_lines(trial, {"png": None, "saved": None}, Path("c.json")))
    assert warned is not gains


def test_a_trial_keeps_what_found_nothing_apart_and_compares_with_what_serves() -> None:
    rng = np.random.default_rng(1)
    questions = asked(rng.normal(4, 1, 25).tolist(), [*rng.normal(0, 1, 25).tolist(), None])
    serving = Calibration("m", -100.0, {"contrast": 1.0}, CALIBRATION.prior)
    trial = tried(questions, serving, 0.4)
    assert trial.counts == {"answerable": 25, "unanswerable": 26, "found_nothing": 1}
    assert trial.answered["before"].answerable == 0.0
    assert trial.before[-1] is trial.after[-1] is trial.unseen[-1] is None
    assert trial.refitted.model == "m"


def test_a_page_title_or_question_never_drives_the_terminal() -> None:
    trial = trial_of([0.9, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1])
    evil = Asked(LabelledQuestion("\x1b[31mrojo\x1b[0m", True, 2), Signals(contrast=1.0))
    shown = to_plain(
        calibration_lines(
            Trial(CALIBRATION, False, 0.4, [evil, *trial.asked[1:]], trial.before, trial.after, trial.after),
            {"png": None, "saved": "c.json"},
            Path("c.json"),
        )
    )
    assert "\x1b" not in shown
    assert "rojo" in shown


@pytest.mark.parametrize("found", [[0.0] * 4, [1.0] * 4, [None] * 4, [0.2, 0.4, 0.6, 0.8]])
def test_any_relevances_can_be_drawn(found: Sequence[float | None], tmp_path: Path) -> None:
    trial = trial_of(found, found)
    lines = to_plain(plot_lines(trial, found, "título")).splitlines()
    assert lines[0] == "título"
    assert len(lines) == 16
    assert "100%" in lines[3]
    draw_png(trial, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 10_000
