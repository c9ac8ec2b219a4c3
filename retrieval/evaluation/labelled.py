"""A team's labelled questions: a CSV file that says of each whether the wiki answers it."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Protocol

from retrieval.errors import ConfigurationError

QUESTION, ANSWERABLE = "question", "answerable"
LABELS: Mapping[str, bool] = {
    **dict.fromkeys(("yes", "y", "sí", "si", "s", "1", "true", "verdadero"), True),
    **dict.fromkeys(("no", "n", "0", "false", "falso"), False),
}
DELIMITERS = ",;\t"  # a spreadsheet in Spanish writes semicolons
FAULTS_NAMED = 10


class Reader(Protocol):
    """What the csv module's reader is."""

    line_num: int

    def __next__(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, and whether the wiki answers it; `line` is where it stands in the file."""

    text: str
    answerable: bool
    line: int


def read_labelled(path: Path) -> tuple[LabelledQuestion, ...]:
    """Read the questions, each once. Raises ConfigurationError, with a line for each bad row."""
    rows = _rows(path)
    found: dict[str, LabelledQuestion] = {}
    faults: list[str] = []
    for line, question, label in rows:
        text, answerable = " ".join(question.split()), LABELS.get(label.strip().casefold())
        before = found.get(text.casefold())
        if not text:
            faults.append(f"{path}:{line}: the question is empty; write one, or delete the row")
        elif answerable is None:
            faults.append(f"{path}:{line}: answerable is '{label.strip()}'; write yes or no")
        elif before and before.answerable != answerable:
            faults.append(f"{path}:{line}: line {before.line} says otherwise of the same question; keep one of the two")
        else:
            found.setdefault(text.casefold(), LabelledQuestion(text, answerable, line))
    if faults:
        more = [f"{path}: {len(faults) - FAULTS_NAMED} more rows are wrong"] if len(faults) > FAULTS_NAMED else []
        raise ConfigurationError("\n".join([*faults[:FAULTS_NAMED], *more]))
    return tuple(found.values())


def _rows(path: Path) -> Iterator[tuple[int, str, str]]:
    """Give the line, the question and the label of each row; blank rows are passed over."""
    text = _text(path)
    header = text.splitlines()[0] if text else ""
    reader = csv.reader(StringIO(text, newline=""), delimiter=max(DELIMITERS, key=header.count), strict=True)
    _, names = _next(reader, path)
    columns = [name.strip().casefold() for name in names or ()]
    if QUESTION not in columns or ANSWERABLE not in columns:
        raise ConfigurationError(f"{path}:1: the header has to name two columns, {QUESTION},{ANSWERABLE}")
    question, label = columns.index(QUESTION), columns.index(ANSWERABLE)
    while True:
        line, row = _next(reader, path)
        if row is None:
            return
        if any(cell.strip() for cell in row):
            cells = [*row, *([""] * len(columns))]
            yield line, cells[question], cells[label]


def _next(reader: Reader, path: Path) -> tuple[int, list[str] | None]:
    """Give the next row and the line it begins on, or None at the end."""
    line = reader.line_num + 1
    try:
        return line, next(reader, None)
    except csv.Error as error:
        raise ConfigurationError(f"{path}:{line}: not CSV ({error}); put double quotes in pairs") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror}); name a CSV file with a header {QUESTION},{ANSWERABLE}"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8; save it as CSV UTF-8") from error
