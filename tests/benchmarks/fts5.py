"""The yardstick of literal search: SQLite FTS5 over the same pages, as its documentation would have one set it up."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

LIMIT = 30
_SCHEMA = (
    "CREATE VIRTUAL TABLE pages USING fts5(doc_id UNINDEXED, title, body, tokenize='unicode61 remove_diacritics 2')"
)
# `ORDER BY rank` is bm25 by FTS5's own, faster, way.
_RANKED = "SELECT doc_id, title{snippet} FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?"
_SNIPPET = ", snippet(pages, 2, '[', ']', '…', 32)"


class Fts5:
    """A table of title and body. `with_snippets` cuts one for each page listed, as search_pages does."""

    def __init__(self, file: Path, pages: Iterable[tuple[str, str, str]]) -> None:
        """Index pages given as (doc_id, title, whole text)."""
        self._connection = sqlite3.connect(file)
        with self._connection:
            self._connection.execute(_SCHEMA)
            self._connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", pages)
        self._connection.execute("INSERT INTO pages(pages) VALUES ('optimize')")

    def __enter__(self) -> Fts5:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def listed(self, match: str) -> list[tuple[str, ...]]:
        return self._connection.execute(_RANKED.format(snippet=""), (match, LIMIT)).fetchall()

    def with_snippets(self, match: str) -> list[tuple[str, ...]]:
        return self._connection.execute(_RANKED.format(snippet=_SNIPPET), (match, LIMIT)).fetchall()

    def all_with(self, match: str) -> set[str]:
        found = self._connection.execute("SELECT doc_id FROM pages WHERE pages MATCH ?", (match,))
        return {doc_id for (doc_id,) in found}


def words(text: str) -> str:
    """Ask for all the words of a text, each quoted, so that its symbols are no operators."""
    return " ".join(quoted(word) for word in text.split())


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
