"""The catalogue of a generation: a read-only SQLite file with its pages, their chunks and the windows embedded.

Rows are stable while a generation grows out of the one before: a page that did not change keeps its row, its chunks'
rows and its windows' rows, which are the keys of the full-text index and of the vectors. A row that left is never given
out again (AUTOINCREMENT): the graph of vectors goes on holding it.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.dates.stretches import Period
from retrieval.types import Chunk, Filters, Page, Status

T = TypeVar("T", np.bool_, np.int32)

SCHEMA = """
CREATE TABLE keysets (id INTEGER PRIMARY KEY, keys TEXT NOT NULL UNIQUE);
CREATE TABLE pages (
    row INTEGER PRIMARY KEY AUTOINCREMENT, doc_id TEXT NOT NULL UNIQUE, source_path TEXT NOT NULL, title TEXT NOT NULL,
    product TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, href TEXT NOT NULL, updated TEXT,
    language TEXT NOT NULL, tags TEXT NOT NULL, author TEXT NOT NULL, project TEXT NOT NULL, chapter TEXT NOT NULL,
    keyset INTEGER NOT NULL REFERENCES keysets, block INTEGER NOT NULL,
    fingerprint TEXT NOT NULL, links TEXT NOT NULL, resolved TEXT NOT NULL, faults TEXT NOT NULL,
    text TEXT NOT NULL, rendered TEXT NOT NULL
);
CREATE TABLE chunks (
    row INTEGER PRIMARY KEY AUTOINCREMENT, page INTEGER NOT NULL REFERENCES pages, ordinal INTEGER NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    words TEXT NOT NULL -- its folded words and their stems, each between spaces: what it holds, at a glance
);
CREATE INDEX chunks_by_page ON chunks (page, ordinal);
CREATE TABLE windows (
    row INTEGER PRIMARY KEY AUTOINCREMENT, chunk INTEGER NOT NULL REFERENCES chunks, hash BLOB NOT NULL
);
CREATE INDEX windows_by_chunk ON windows (chunk);
CREATE TABLE dates ( -- the stretches of days a page tells of, as ordinals, both ends included
    page INTEGER NOT NULL REFERENCES pages, first INTEGER NOT NULL, last INTEGER NOT NULL,
    revised INTEGER NOT NULL, -- 1: only the day the page was updated, 0: a date it speaks of
    PRIMARY KEY (page, first, last, revised)
) WITHOUT ROWID;
"""
MAPPED_BYTES = 1 << 30  # read in place: long texts come out twice as fast as through SQLite's own cache
PAGES_KEPT = 20_000  # read pages stay in memory, about a kilobyte each
_PAGE_COLUMNS = (
    "row, doc_id, source_path, title, product, kind, status, href, updated, language,"
    " tags, author, project, chapter, keyset"
)


@dataclass(frozen=True, slots=True)
class Columns:
    """What is asked of every page at every question, as arrays over page rows (length: highest row + 1)."""

    alive: NDArray[np.bool_]
    keyset: NDArray[np.int32]
    hidden: NDArray[np.bool_]
    block: NDArray[np.int32]
    automatic: NDArray[np.bool_]
    product: NDArray[np.int32]
    product_names: Sequence[str]
    language: NDArray[np.int32]
    language_names: Sequence[str]
    doc_ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class PageDate:
    """A stretch of days that a page tells of; `revised`: it is only the day on which the page was updated."""

    page: int
    days: int
    revised: bool


@dataclass(frozen=True, slots=True)
class Known:
    """A page as the next ingest compares it: its fingerprint, its wikilinks, and a hash of what they resolved to."""

    row: int
    doc_id: str
    title: str
    keys: frozenset[str]
    block: int
    fingerprint: str
    links: tuple[str, ...]
    resolved: str
    faults: tuple[tuple[str, str], ...]


class Catalogue:
    """Reads one catalogue file. Several threads share its one connection, in turn.

    The file is opened at once, so that a generation pruned while it is read stays whole for its reader.
    """

    def __init__(self, path: Path) -> None:
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
        self._connection.create_function("casefold", 1, lambda text: str(text).casefold(), deterministic=True)
        self._lock = threading.Lock()
        self._pages: dict[int, Page] = {}

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, parameters).fetchall()

    @cached_property
    def columns(self) -> Columns:
        found = self._rows("SELECT row, keyset, block, status, kind, product, language, doc_id FROM pages ORDER BY row")
        rows, keysets, blocks, statuses, kinds, products, languages, doc_ids = (
            zip(*found, strict=True) if found else ((),) * 8
        )
        product_names, language_names = sorted(set(products)), sorted(set(languages))
        size = 1 + max((int(row) for row in rows), default=-1)
        index = np.array(rows, np.intp)
        by_row = dict(zip(rows, doc_ids, strict=True))

        def column(values: Sequence[object], kind: type[T]) -> NDArray[T]:
            filled = np.zeros(size, kind)
            filled[index] = np.array(values, kind)
            return filled

        return Columns(
            alive=column([True] * len(rows), np.bool_),
            keyset=column(keysets, np.int32),
            hidden=column([Status(str(status)).hidden for status in statuses], np.bool_),
            block=column(blocks, np.int32),
            automatic=column([kind == "auto" for kind in kinds], np.bool_),
            product=column([product_names.index(product) for product in products], np.int32),
            product_names=product_names,
            language=column([language_names.index(language) for language in languages], np.int32),
            language_names=language_names,
            doc_ids=[by_row.get(row, "") for row in range(size)],
        )

    @cached_property
    def keysets(self) -> Mapping[int, frozenset[str]]:
        return {int(row): frozenset(json.loads(str(keys))) for row, keys in self._rows("SELECT id, keys FROM keysets")}

    @cached_property
    def chunk_pages(self) -> NDArray[np.int32]:
        """The page row of every chunk row; -1 where there is none."""
        return _array(self._rows("SELECT row, page FROM chunks"))

    @cached_property
    def window_chunks(self) -> NDArray[np.int32]:
        """The chunk row of every window row; -1 where there is none."""
        return _array(self._rows("SELECT row, chunk FROM windows"))

    def windows_ever(self) -> int:
        """Count the window rows given out since the catalogue began, dead ones too."""
        return next_row(self._rows("SELECT seq FROM sqlite_sequence WHERE name = 'windows'"))

    def window_hashes(self) -> list[bytes]:
        """Give the hash of the text of every window."""
        return [text_hash for (text_hash,) in self._rows("SELECT hash FROM windows")]

    @cached_property
    def chunk_windows(self) -> Mapping[int, tuple[int, ...]]:
        """The window rows of every chunk row."""
        windows: dict[int, list[int]] = {}
        for row, chunk in enumerate(self.window_chunks.tolist()):
            if chunk >= 0:
                windows.setdefault(chunk, []).append(row)
        return {chunk: tuple(rows) for chunk, rows in windows.items()}

    @cached_property
    def page_chunks(self) -> Mapping[int, tuple[int, ...]]:
        """The chunk rows of every page row, in reading order."""
        chunks: dict[int, list[int]] = {}
        for row, page in self._rows("SELECT row, page FROM chunks ORDER BY page, ordinal"):
            chunks.setdefault(int(page), []).append(int(row))
        return {page: tuple(rows) for page, rows in chunks.items()}

    def filtered_rows(self, filters: Filters) -> NDArray[np.intp]:
        """Give the rows of the pages that meet every condition."""
        conditions = list(_conditions(filters))
        where = " AND ".join(sql for sql, _ in conditions) or "1"
        found = self._rows(
            f"SELECT row FROM pages WHERE {where}", [value for _, values in conditions for value in values]
        )
        return np.array([row for (row,) in found], np.intp)

    def pages(self, rows: Iterable[int]) -> dict[int, Page]:
        """Give pages by row. Those read before are kept; a thread that empties the kept ones takes them from nobody."""
        if len(self._pages) > PAGES_KEPT:
            self._pages = {}
        kept, wanted = self._pages, set(rows)
        unknown = sorted(row for row in wanted if row not in kept)
        if unknown:
            found = self._rows(f"SELECT {_PAGE_COLUMNS} FROM pages WHERE row IN ({_marks(unknown)})", unknown)
            kept.update({line[0]: self._page(line) for line in found})
        return {row: kept[row] for row in wanted if row in kept}

    def _page(self, line: Sequence[Any]) -> Page:
        return Page(
            doc_id=line[1],
            source_path=line[2],
            title=line[3],
            product=line[4],
            kind=line[5],
            status=Status(line[6]),
            href=line[7],
            updated=date.fromisoformat(line[8]) if line[8] is not None else None,
            language=line[9],
            tags=tuple(json.loads(line[10])),
            author=line[11],
            project=line[12],
            chapter=line[13],
            keys=self.keysets[line[14]],
        )

    def chunks(self, rows: Iterable[int]) -> tuple[dict[int, Chunk], dict[int, str]]:
        """Give chunks, and the words each one holds between spaces, by row."""
        wanted = sorted(set(rows))
        sql = f'SELECT row, ordinal, heading, text, start, "end", words FROM chunks WHERE row IN ({_marks(wanted)})'
        found = self._rows(sql, wanted)
        return {line[0]: Chunk(*line[:6]) for line in found}, {line[0]: line[6] for line in found}

    def words(self, rows: Iterable[int]) -> dict[int, str]:
        """Give the words of chunks, each between spaces: `" mexico " in words` tells whether a chunk holds it."""
        wanted = sorted(set(rows))
        found = self._rows(f"SELECT row, words FROM chunks WHERE row IN ({_marks(wanted)})", wanted)
        return {int(row): str(words) for row, words in found}

    def rendered(self, rows: Iterable[int]) -> dict[int, str]:
        """Give what a person reads of pages, by row."""
        wanted = sorted(set(rows))
        return dict(self._rows(f"SELECT row, rendered FROM pages WHERE row IN ({_marks(wanted)})", wanted))

    def dates_within(self, rows: Iterable[int], period: Period) -> list[PageDate]:
        """Give the dates of some pages that share a day with a period."""
        wanted = sorted(set(rows))
        sql = (
            "SELECT page, last - first + 1, revised FROM dates"
            f" WHERE page IN ({_marks(wanted)}) AND first <= ? AND last >= ?"
        )
        found = self._rows(sql, [*wanted, period.last.toordinal(), period.first.toordinal()])
        return [PageDate(page, days, bool(revised)) for page, days, revised in found]

    def page_text(self, doc_id: str) -> str | None:
        found = self._rows("SELECT text FROM pages WHERE doc_id = ?", (doc_id,))
        return str(found[0][0]) if found else None

    def known(self) -> dict[str, Known]:
        """Give every page as the next ingest compares it, by doc_id, in row order."""
        sql = (
            "SELECT row, doc_id, title, (SELECT keys FROM keysets WHERE id = keyset),"
            " block, fingerprint, links, resolved, faults FROM pages ORDER BY row"
        )
        return {
            doc_id: Known(
                row=row,
                doc_id=doc_id,
                title=title,
                keys=frozenset(json.loads(keys)),
                block=block,
                fingerprint=fingerprint,
                links=tuple(json.loads(links)),
                resolved=resolved,
                faults=tuple((path, error) for path, error in json.loads(faults)),
            )
            for row, doc_id, title, keys, block, fingerprint, links, resolved, faults in self._rows(sql)
        }

    def counts(self) -> tuple[int, int]:
        """Count pages and chunks."""
        pages, chunks = self._rows("SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM chunks)")[0]
        return int(pages), int(chunks)


def next_row(sequence: Sequence[tuple[Any, ...]]) -> int:
    """Read a table's line of sqlite_sequence, which is missing until the first row is written."""
    return int(sequence[0][0]) + 1 if sequence else 0


def _conditions(filters: Filters) -> Iterator[tuple[str, Sequence[object]]]:
    for column, values in (("product", filters.products), ("kind", filters.kinds), ("status", filters.statuses)):
        if values:
            folded = sorted(str(value).casefold() for value in values)
            yield f"casefold({column}) IN ({_marks(folded)})", folded
    if filters.tags:
        folded = sorted(tag.casefold() for tag in filters.tags)
        yield f"EXISTS (SELECT 1 FROM json_each(tags) WHERE casefold(value) IN ({_marks(folded)}))", folded
    if filters.author:
        yield "casefold(author) = ?", (filters.author.casefold(),)
    if filters.since is not None:
        yield "updated >= ?", (filters.since.isoformat(),)
    if filters.until is not None:
        yield "updated <= ?", (filters.until.isoformat(),)


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _array(pairs: Sequence[tuple[object, ...]]) -> NDArray[np.int32]:
    if not pairs:
        return np.zeros(0, np.int32)
    table = np.array(pairs, np.int32)
    filled = np.full(int(table[:, 0].max()) + 1, -1, np.int32)
    filled[table[:, 0]] = table[:, 1]
    return filled
