"""How an ingest shows where it is, on standard error: a bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from retrieval.ingest.build import IngestProgress

LINE_EVERY_SECONDS = 5.0

STAGES = {"read": "Reading", "parse": "Parsing", "embed": "Embedding", "build": "Building"}
UNITS = {"read": "pages", "parse": "pages", "embed": "chunks", "build": "steps"}


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[IngestProgress]:
    """Give the progress that suits standard error, and take it down at the end, whatever happened."""
    if quiet:
        yield NoProgress()
    elif sys.stderr.isatty():
        with _bars() as bars:
            yield BarProgress(bars)
    else:
        yield LineProgress(sys.stderr, time.monotonic)


class NoProgress:
    """Nobody watches."""

    def stage(self, name: str, total: int) -> None:
        """Nothing is shown."""

    def advance(self, count: int = 1) -> None:
        """Nothing is shown."""


class BarProgress:
    """One bar a stage, with its rate and the time left."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def stage(self, name: str, total: int) -> None:
        self._task = self._bars.add_task(STAGES.get(name, name), total=total or None, unit=UNITS.get(name, ""))

    def advance(self, count: int = 1) -> None:
        if self._task is not None:
            self._bars.advance(self._task, count)


class LineProgress:
    """Plain lines for logs: one when a stage begins, then one every few seconds with the rate and the time left."""

    def __init__(self, output: TextIO, seconds: Callable[[], float]) -> None:
        self._output = output
        self._seconds = seconds
        self._name, self._total, self._done = "", 0, 0
        self._began = self._shown = seconds()

    def stage(self, name: str, total: int) -> None:
        self._name, self._total, self._done = name, total, 0
        self._began = self._shown = self._seconds()
        amount = f": {total} {UNITS.get(name, '')}" if total else ""
        self._write(STAGES.get(name, name) + amount)

    def advance(self, count: int = 1) -> None:
        self._done += count
        now = self._seconds()
        if now - self._shown < LINE_EVERY_SECONDS:
            return
        self._shown = now
        rate = max(self._done, 1) / max(now - self._began, 1e-9)
        left = f", {max(0, self._total - self._done) / rate:.0f} s left" if self._total else ""
        of_all = f" of {self._total}" if self._total else ""
        name, unit = STAGES.get(self._name, self._name), UNITS.get(self._name, "")
        self._write(f"{name}: {self._done}{of_all} {unit}, {rate:.0f} a second{left}")

    def _write(self, line: str) -> None:
        self._output.write(line + "\n")
        self._output.flush()


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class RateColumn(ProgressColumn):
        """Units a second, once there is something to tell."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.0f} {task.fields['unit']}/s" if task.speed else "", style="dim")

    return Progress(
        TextColumn("{task.description:<9}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
