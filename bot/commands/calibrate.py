"""`oraculo calibrate`: refit relevance on a team's own questions, and show what that would do before it is kept."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.options import current_settings, global_options, json_option, viewer_of, viewer_options

if TYPE_CHECKING:
    from bot.commands.calibration_trial import Trial
    from bot.settings import Settings
    from retrieval.evaluation.labelled import LabelledQuestion
    from retrieval.types import Viewer


@click.command(
    name="calibrate",
    short_help="Fit the relevance to your own questions.",
    epilog="Example: oraculo calibrate questions.csv --png curve.png --save",
)
@click.argument("file", metavar="FILE.csv", type=click.Path(path_type=Path))
@click.option("--save", is_flag=True, help="Keep the refitted calibration in the home, for the model of its index.")
@click.option(
    "--png", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Draw the curve there, too."
)
@viewer_options
@json_option
@global_options
def command(*, file: Path, save: bool, png: Path | None, keys: str, as_json: bool) -> None:
    """Refit relevance on the questions of FILE.csv, which has a header question,answerable and yes or no in each row.

    Shows how many questions of either kind are answered at every floor, and which would change sides. Nothing is kept
    without --save; delete calibration.json in the home to return to the shipped calibration.
    """
    from bot.commands.calibration_lines import calibration_lines
    from bot.commands.calibration_plots import check_png, draw_png
    from bot.commands.output import print_json, print_lines
    from bot.logs import log_to_standard_error
    from retrieval.evaluation.labelled import read_labelled
    from retrieval.home_calibration import CALIBRATION_FILE, save_calibration

    log_to_standard_error()
    settings, viewer = current_settings(), viewer_of(keys)
    if png and not png.parent.is_dir():
        raise click.BadParameter(f"there is no folder {png.parent}; make it, or name another", param_hint="--png")
    if png:
        check_png()
    trial = _tried(read_labelled(file), settings, viewer)
    if png:
        draw_png(trial, png)
    saved = save_calibration(settings.home, trial.refitted, trial.counts) if save else None
    document = {**trial.document(), "png": str(png) if png else None, "saved": str(saved) if saved else None}
    if as_json:
        print_json(document)
    else:
        print_lines(calibration_lines(trial, document, settings.home / CALIBRATION_FILE))


def _tried(questions: tuple[LabelledQuestion, ...], settings: Settings, viewer: Viewer) -> Trial:
    """Ask the home's index, and refit on what it shows."""
    from bot.commands.calibration_trial import tried
    from bot.wiring import clock, opened_index
    from retrieval.evaluation.abstention import ask_labelled
    from retrieval.evaluation.refit import check_enough
    from retrieval.types import Query

    check_enough([question.answerable for question in questions])
    as_query = partial(Query, viewer=viewer, hybrid=settings.retrieval.hybrid, asked_at=clock())
    with opened_index(settings) as index:
        asked = list(ask_labelled(questions, index, as_query))
        return tried(asked, index.calibration, settings.retrieval.floor)
