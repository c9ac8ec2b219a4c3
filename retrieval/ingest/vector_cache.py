"""Vectors by a hash of what was embedded, kept on the disk, so that no text is embedded twice, crash or not."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np

from retrieval.ingest.writing import explained, is_damage
from retrieval.private import private_file
from retrieval.types import Vectors

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, hash)
) WITHOUT ROWID
"""
_ASKED_AT_ONCE = 500  # SQLite takes a bounded number of parameters


def text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


class VectorCache:
    """The vectors one model gave. Every `put` is on the disk when it returns.

    Raises IngestFailed when the file cannot be read or written.
    """

    def __init__(self, path: Path, embedder: str, *, wait_seconds: float = 5.0) -> None:
        self._path = path
        self._embedder = embedder
        with explained(path):
            self._connection = _opened(path, wait_seconds)

    def __enter__(self) -> VectorCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    def get(self, hashes: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Give the vectors that are known, by hash."""
        found: dict[bytes, Vectors] = {}
        wanted = list(dict.fromkeys(hashes))
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            some = wanted[start : start + _ASKED_AT_ONCE]
            marks = ",".join("?" * len(some))
            sql = f"SELECT hash, vector FROM vectors WHERE embedder = ? AND hash IN ({marks})"
            with explained(self._path):
                rows = self._connection.execute(sql, [self._embedder, *some]).fetchall()
            found.update((key, np.frombuffer(vector, np.float32)) for key, vector in rows)
        return found

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        rows = [(self._embedder, key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items()]
        with explained(self._path), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def keep_only(self, hashes: Iterable[bytes]) -> None:
        """Drop this model's vectors of texts that no generation needs, once they are more than those needed."""
        needed = set(hashes)
        with explained(self._path), self._connection:
            sql = "SELECT count(*) FROM vectors WHERE embedder = ?"
            [[held]] = self._connection.execute(sql, (self._embedder,))
            if held <= 2 * len(needed):
                return
            self._connection.execute("CREATE TEMP TABLE needed (hash BLOB PRIMARY KEY) WITHOUT ROWID")
            self._connection.executemany("INSERT INTO needed VALUES (?)", ((key,) for key in needed))
            sql = "DELETE FROM vectors WHERE embedder = ? AND hash NOT IN (SELECT hash FROM needed)"
            self._connection.execute(sql, (self._embedder,))
            self._connection.execute("DROP TABLE needed")


def _opened(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """Open the cache, or begin anew beside it when the file is no database: its texts can be embedded again."""
    try:
        return _connected(path, wait_seconds)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
    path.replace(path.with_name(f"{path.name}.damaged"))
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return _connected(path, wait_seconds)


def _connected(path: Path, wait_seconds: float) -> sqlite3.Connection:
    private_file(path)
    connection = sqlite3.connect(path, timeout=wait_seconds)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
