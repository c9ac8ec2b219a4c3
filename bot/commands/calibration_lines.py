"""How a calibration reads on a terminal: what it was fitted on, what it would change, and the curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.commands.calibration_plots import curve_lines
from bot.console.spans import Line, Look, Span, one_line
from retrieval.evaluation.refit import FREE_FROM

if TYPE_CHECKING:
    from bot.commands.calibration_trial import Change, Trial

EMPTY: Line = ()
SHOWN = 4  # examples of either side


def calibration_lines(trial: Trial, document: Mapping[str, Any], place: Path) -> Iterator[Line]:
    """Lay out a trial; `place` is where a home keeps its calibration."""
    yield from _questions(trial)
    yield EMPTY
    yield from _table(trial)
    yield EMPTY
    yield from _changes(trial)
    yield EMPTY
    yield from curve_lines(trial)
    yield EMPTY
    if document["png"]:
        yield (Span(f"Drawn in {document['png']}"),)
    yield from _end(document, place)


def _questions(trial: Trial) -> Iterator[Line]:
    counts = trial.counts
    asked = (
        f"{len(trial.asked)} questions: {counts['answerable']} the wiki answers, {counts['unanswerable']} it does not"
    )
    yield (Span(asked, Look.HEADING),)
    if counts["found_nothing"]:
        yield (Span(f"{counts['found_nothing']} found nothing at all: no calibration answers those"),)
    moved = "every weight" if trial.free else "the bias and one scale"
    later = "" if trial.free else f"; from {FREE_FROM} questions on, every weight"
    yield (Span(f"Refitted {moved} of {trial.refitted.model}{later}", Look.QUIET),)


def _table(trial: Trial) -> Iterator[Line]:
    answered = trial.answered
    yield (
        Span(f"{f'answered at the floor, {trial.floor:g}':<32}{'now':>8}{'refitted':>12}{'unseen':>10}", Look.HEADING),
    )
    for name, title in (("answerable", "of those the wiki answers"), ("unanswerable", "of those it does not")):
        before, after, unseen = (getattr(answered[when], name) for when in ("before", "after", "unseen"))
        yield Span(f"{title:<32}{before:>8.1%}"), Span(f"{after:>12.1%}", Look.TITLE), Span(f"{unseen:>10.1%}")
    yield (Span("unseen: each question by a fit on the others, as questions to come will fare", Look.QUIET),)
    if not trial.gains:
        yield (
            Span("Questions to come would fare no better than now: there is little to gain by keeping it", Look.LABEL),
        )


def _changes(trial: Trial) -> Iterator[Line]:
    for answered, title in ((True, "would be answered"), (False, "would be refused")):
        moved = [change for change in trial.changes if change.answered == answered]
        right = sum(change.right for change in moved)
        yield Span(f"{len(moved)} {title}", Look.TITLE), Span(f", {right} of them rightly" if moved else "")
        for change in moved[:SHOWN]:
            yield _example(change)


def _example(change: Change) -> Line:
    told = "" if change.right else f"  (wrongly: line {change.line} says {'yes' if change.answerable else 'no'})"
    moved = f"  {change.before:.2f} → {change.after:.2f}  "
    return Span(moved, Look.QUIET), Span(one_line(change.question)), Span(told, Look.LABEL)


def _end(document: Mapping[str, Any], place: Path) -> Iterator[Line]:
    if document["saved"]:
        yield (Span(f"Saved in {place}: it serves from the next question on; delete it to return to the shipped one"),)
    else:
        yield (Span(f"Nothing was saved; add --save to keep it in {place}"),)
