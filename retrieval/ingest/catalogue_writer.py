"""Writes a generation's catalogue: anew, or as the one before with what changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from retrieval.catalogue import SCHEMA, next_row
from retrieval.dates.stretches import Period, day
from retrieval.ingest.plan import PreparedPage
from retrieval.lexical import stem, stem_language
from retrieval.tokens import is_atom, tokens

_PAGE_COLUMNS = 22


class CatalogueWriter:
    """One transaction over a catalogue file; committed when the `with` block ends well."""

    def __init__(self, path: Path, previous: Path | None) -> None:
        if previous is not None:
            shutil.copyfile(previous, path)
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=OFF")  # a file that is not published yet needs no journal
        self._connection.execute("PRAGMA synchronous=OFF")
        if previous is None:
            self._connection.executescript(SCHEMA)
        self._connection.execute("BEGIN")

    def __enter__(self) -> CatalogueWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self._connection.execute("COMMIT")
        self._connection.close()

    def next_row(self, table: str) -> int:
        """Give the first row of a table that was never used, not even by what has left it."""
        found = self._connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
        return next_row(found.fetchall())

    def remove_pages(self, rows: Iterable[int]) -> None:
        for row in rows:
            self._connection.execute(
                "DELETE FROM windows WHERE chunk IN (SELECT row FROM chunks WHERE page = ?)", (row,)
            )
            self._connection.execute("DELETE FROM chunks WHERE page = ?", (row,))
            self._connection.execute("DELETE FROM dates WHERE page = ?", (row,))
            self._connection.execute("DELETE FROM pages WHERE row = ?", (row,))

    def add_page(self, row: int, prepared: PreparedPage) -> None:
        page = prepared.page
        values = (
            row,
            page.doc_id,
            page.source_path,
            page.title,
            page.product,
            page.kind,
            str(page.status),
            page.href,
            page.updated.isoformat() if page.updated else None,
            page.language,
            json.dumps(page.tags),
            page.author,
            page.project,
            page.chapter,
            self._keyset(page.keys),
            prepared.block,
            prepared.fingerprint,
            json.dumps(prepared.links),
            prepared.resolved,
            json.dumps([(fault.path, fault.error) for fault in prepared.faults]),
            prepared.text,
            prepared.rendered,
        )
        self._connection.execute(f"INSERT INTO pages VALUES ({','.join('?' * _PAGE_COLUMNS)})", values)
        self._add_dates(row, prepared.dates, revised=False)
        self._add_dates(row, [day(page.updated)] if page.updated else [], revised=True)

    def add_chunk(self, row: int, page: int, ordinal: int, prepared: PreparedPage) -> None:
        draft = prepared.drafts[ordinal]
        words = chunk_words(f"{prepared.embedded[ordinal]}\n{draft.text}", prepared.page.language)
        values = (row, page, ordinal, draft.heading, draft.text, draft.start, draft.end, words)
        self._connection.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def add_window(self, row: int, chunk: int, text_hash: bytes) -> None:
        self._connection.execute("INSERT INTO windows VALUES (?, ?, ?)", (row, chunk, text_hash))

    def window_rows(self) -> Sequence[int]:
        return [row for (row,) in self._connection.execute("SELECT row FROM windows ORDER BY row")]

    def counts(self) -> tuple[int, int]:
        [[pages, chunks]] = self._connection.execute(
            "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM chunks)"
        )
        return int(pages), int(chunks)

    def languages(self) -> tuple[str, ...]:
        """Give the languages whose stems the pages are indexed by."""
        found = self._connection.execute("SELECT DISTINCT language FROM pages")
        return tuple(sorted({stem_language(language) for (language,) in found}))

    def _add_dates(self, row: int, periods: Iterable[Period], *, revised: bool) -> None:
        lines = [(row, period.first.toordinal(), period.last.toordinal(), revised) for period in periods]
        self._connection.executemany("INSERT OR IGNORE INTO dates VALUES (?, ?, ?, ?)", lines)

    def _keyset(self, keys: frozenset[str]) -> int:
        written = json.dumps(sorted(keys))
        self._connection.execute("INSERT OR IGNORE INTO keysets (keys) VALUES (?)", (written,))
        [[number]] = self._connection.execute("SELECT id FROM keysets WHERE keys = ?", (written,))
        return int(number)


def chunk_words(text: str, language: str) -> str:
    """Give the words of a chunk, as read and as written, and their stems, each once and between spaces."""
    atoms = {token for token in tokens(text) if is_atom(token)}
    stems = {stem(atom, stem_language(language)) for atom in atoms}
    return f" {' '.join(sorted(atoms | stems))} "
