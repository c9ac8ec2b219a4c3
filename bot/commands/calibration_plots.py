"""The abstention curve, drawn: the share of questions answered at every floor, before a refit and after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bot.console.spans import Line, Look, Span
from retrieval.errors import ConfigurationError

if TYPE_CHECKING:
    from bot.commands.calibration_trial import Trial
    from retrieval.evaluation.abstention import Relevances

FINE = tuple(step / 200 for step in range(201))
WIDTH, HEIGHT = 50, 11  # characters: a tick every 0.2 and every 10 %
DOT = "○"
NOT_DRAWN = "needs {}, which is not installed; run pip install 'oraculo[plots]'"


def check_png() -> None:
    """Raise ConfigurationError when there is nothing to draw a PNG with, before any work is done for it."""
    if not _installed("matplotlib"):
        raise ConfigurationError("--png " + NOT_DRAWN.format("matplotlib"))


def curve_lines(trial: Trial) -> Iterator[Line]:
    """Draw the curves for a terminal, or say what draws them: the table tells what happens at the floor anyway."""
    if not _installed("plotille"):
        yield (Span("The curve " + NOT_DRAWN.format("plotille"), Look.QUIET),)
        return
    yield from plot_lines(trial, trial.before, "Answered at every floor, now")
    yield ()
    yield from plot_lines(trial, trial.after, "Answered at every floor, refitted")
    yield _legend(trial)


def plot_lines(trial: Trial, found: Relevances, title: str) -> Iterator[Line]:
    """Draw one curve for a terminal."""
    yield (Span(title, Look.HEADING),)
    for line in _terminal_plot(trial, found).splitlines():
        yield _colored(line.rstrip())


def _legend(trial: Trial) -> Line:
    return (
        Span("⠤⠤", Look.MATCH),
        Span(" the wiki answers   "),
        Span(f"{DOT}{DOT}", Look.LABEL),
        Span(f" it does not   ⡇ the floor, {trial.floor:g}"),
    )


def draw_png(trial: Trial, path: Path) -> None:
    """Draw both curves into a PNG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), dpi=120, layout="constrained")
    axes = figure.subplots()
    for found, dashes, when in ((trial.before, "--", "now"), (trial.after, "-", "refitted")):
        curve = trial.curve(found, FINE)
        axes.plot(FINE, [one.answerable for one in curve], dashes, color="tab:blue", label=f"the wiki answers, {when}")
        axes.plot(FINE, [one.unanswerable for one in curve], dashes, color="tab:red", label=f"it does not, {when}")
    axes.axvline(trial.floor, color="gray", linewidth=1, label=f"the floor, {trial.floor:g}")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="floor", ylabel="share of questions answered")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, format="png")


def _terminal_plot(trial: Trial, found: Relevances) -> str:
    from plotille import Figure

    figure = Figure()
    figure.width, figure.height = WIDTH, HEIGHT
    figure.with_colors, figure.origin, figure.linesep = False, False, "\n"
    figure.set_x_limits(0, 1)
    figure.set_y_limits(0, 1.1)  # the topmost row is for 100 %
    figure.x_label, figure.y_label = "floor", "answered"
    figure.x_ticks_fkt, figure.y_ticks_fkt = _floor_tick, _share_tick
    curve = trial.curve(found, FINE)
    columns = [(number + 0.5) / WIDTH for number in range(WIDTH)]
    figure.axvline(trial.floor)
    figure.plot(FINE, [one.answerable for one in curve])
    figure.scatter(columns, [one.unanswerable for one in trial.curve(found, columns)], marker=DOT)
    drawn: str = figure.show()
    return drawn


def _installed(library: str) -> bool:
    return find_spec(library) is not None


def _floor_tick(value: float, _: float) -> str:
    return f"{value:.1f}"


def _share_tick(value: float, _: float) -> str:
    return f"{value:.0%}" if value <= 1 else ""


def _colored(line: str) -> Line:
    """Tell the curves apart by colour as well: runs of dots, of braille, and of anything else."""
    axis, bar, drawn = line.partition("|")
    runs = re.findall(f"{DOT}+|[\u2801-\u28ff]+|[^{DOT}\u2801-\u28ff]+", drawn)
    return Span(axis + bar, Look.QUIET), *(Span(run, _look(run)) for run in runs)


def _look(run: str) -> Look:
    if run.startswith(DOT):
        return Look.LABEL
    return Look.MATCH if "\u2801" <= run[0] <= "\u28ff" else Look.PLAIN
