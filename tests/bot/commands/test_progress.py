"""The progress of an ingest, in lines."""

from __future__ import annotations

import io
import itertools

from bot.commands.progress import LineProgress


def test_lines_tell_the_stage_the_rate_and_the_time_left() -> None:
    seconds = itertools.count(step=2.0)
    output = io.StringIO()
    progress = LineProgress(output, lambda: next(seconds))
    progress.stage("embed", 100)
    for _ in range(5):
        progress.advance(10)
    assert output.getvalue() == ("Embedding: 100 chunks\nEmbedding: 30 of 100 chunks, 5 a second, 14 s left\n")


def test_an_unknown_total_is_not_shown() -> None:
    seconds = itertools.count(step=6.0)
    output = io.StringIO()
    progress = LineProgress(output, lambda: next(seconds))
    progress.stage("read", 0)
    progress.advance(12)
    assert output.getvalue() == "Reading\nReading: 12 pages, 2 a second\n"
