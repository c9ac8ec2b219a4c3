"""The figures a part gives, and the table they end up in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table


class Skipped(Exception):
    """What a part needs is not here; the text says what, and how to bring it."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What a figure must reach: at most `limit`, or at least it."""

    limit: float
    at_least: bool = False
    unit: str = ""

    def met(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}{self.unit}"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. `verdict` is None where there is no bar."""

    what: str
    figure: str
    bar: str = ""
    verdict: bool | None = None


def row(what: str, value: float, shown: str, bar: Bar | None = None) -> Row:
    """Make a line of a measured value; `shown` is how a person reads it."""
    return Row(what, shown) if bar is None else Row(what, shown, str(bar), bar.met(value))


def table(parts: Iterable[tuple[str, Sequence[Row]]]) -> Table:
    """Lay all parts out in one table."""
    laid_out = Table("part", "what", "figure", "bar", "")
    for part, rows in parts:
        for number, one in enumerate(rows):
            mark = {True: "ok", False: "[red]missed[/]", None: ""}[one.verdict]
            laid_out.add_row("" if number else part, one.what, one.figure, one.bar, mark)
        laid_out.add_section()
    return laid_out


def written(rows: Iterable[Row]) -> str:
    """Write lines as JSON, for the run that asked for this one."""
    return json.dumps([asdict(one) for one in rows])


def read(text: str) -> Iterator[Row]:
    for record in json.loads(text):
        yield Row(**record)


notes = Console(stderr=True, highlight=False)
"""Where progress and long lists go."""
