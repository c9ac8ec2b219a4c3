"""The most memory that a conversation and an ingest hold, on workfront-es."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.children import ORACULO
from tests.benchmarks.children import run as run_process
from tests.benchmarks.figures import Bar, Row, notes, row
from tests.benchmarks.places import scratch, workfront_home, workfront_pages

QUESTIONS = (
    "¿Cómo puedo crear un informe de horas en Workfront?\n"
    "¿Quién puede aprobar un documento?\n"
    "¿Qué permisos necesito para editar un proyecto?\n"
)
FORGOTTEN = 256  # texts: as many as are embedded anew, among them some as long as the model reads
CHAT, INGEST = Bar(700, unit=" MB"), Bar(900, unit=" MB")


def run() -> Iterator[Row]:
    home = workfront_home().resolve()
    chat = run_process(ORACULO, "chat", "--home", home, given=QUESTIONS)
    notes.print(f"  chat said {len(chat.output)} characters in {chat.seconds:.1f} s")
    yield row("oraculo chat, three questions", chat.peak_megabytes, f"{chat.peak_megabytes:.0f} MB", CHAT)
    with scratch() as folder:
        shutil.copy(home / "vectors.sqlite", folder)
        _forget_some(folder / "vectors.sqlite")
        pages = workfront_pages().resolve()
        ingest = run_process(ORACULO, "ingest", "--full", "--source", pages, "--home", folder, "--quiet")
    shown = f"{ingest.peak_megabytes:.0f} MB ({ingest.seconds:.0f} s, {FORGOTTEN} texts embedded)"
    yield row("oraculo ingest --full", ingest.peak_megabytes, shown, INGEST)


def _forget_some(vectors: Path) -> None:
    """Leave texts to embed, so that the model is at work while all the pages are in memory."""
    connection = sqlite3.connect(vectors)
    with connection:
        some = "SELECT hash FROM vectors ORDER BY hash LIMIT ?"
        connection.execute(f"DELETE FROM vectors WHERE hash IN ({some})", (FORGOTTEN,))  # noqa: S608 - a constant
    connection.close()
