"""A table's cells, gathered while its document is written as blocks."""

from __future__ import annotations

_LONGEST_CELL_CHARACTERS = 600
"""A table of longer cells is a layout, and is better read as paragraphs."""
_MOST_PADDING = 10
"""Rows of very different lengths would be filled up to many times the page."""


class TableGatherer:
    """Gathers the cells of a table while they are written as blocks, to write them as a table if they are one."""

    def __init__(self) -> None:
        self._depth = 0
        self._first_block = 0
        self._rows: list[list[str]] = []
        self._row: list[str] = []
        self._simple = True

    def open(self, first_block: int) -> None:
        self._depth += 1
        if self._depth > 1:
            self._simple = False
        else:
            self._first_block, self._rows, self._row, self._simple = first_block, [], [], True

    def cell(self) -> None:
        if self._depth:
            self._row.append("")

    def row(self) -> None:
        if self._row:
            self._rows.append(self._row)
        self._row = []

    def take(self, block: str, *, fits_a_cell: bool) -> None:
        if not self._depth or not self._simple:
            return
        if not self._row and not self._rows:
            self._first_block += 1  # a caption stays above
            return
        if not fits_a_cell or not self._row:
            self._simple = False
            return
        self._row[-1] = f"{self._row[-1]} {block}".strip()
        self._simple = len(self._row[-1]) <= _LONGEST_CELL_CHARACTERS

    def close(self) -> tuple[int, str] | None:
        """Give the first block it stands for and the table, or None when it is better read as blocks."""
        self._depth = max(0, self._depth - 1)
        if self._depth:
            return None
        self.row()
        if not self._simple or not self._rows:
            return None
        width = max(map(len, self._rows))
        if width * len(self._rows) > _MOST_PADDING * sum(map(len, self._rows)):
            return None
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in self._rows]
        lines.insert(1, "|" + " --- |" * width)
        return self._first_block, "\n".join(lines)
