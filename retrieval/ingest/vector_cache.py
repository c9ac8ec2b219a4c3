"""Vectors by a hash of what was embedded, kept on the disk, so that no text is embedded twice, crash or not."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np

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
    """The vectors one model gave. Every `put` is on the disk when it returns."""

    def __init__(self, path: Path, embedder: str) -> None:
        self._embedder = embedder
        self._connection = _opened(path)

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
            rows = self._connection.execute(sql, [self._embedder, *some])
            found.update((key, np.frombuffer(vector, np.float32)) for key, vector in rows)
        return found

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        rows = [(self._embedder, key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items()]
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def keep_only(self, hashes: Iterable[bytes]) -> None:
        """Drop this model's vectors of texts that no generation needs, when they are most of the file."""
        with self._connection:
            self._connection.execute("CREATE TEMP TABLE needed (hash BLOB PRIMARY KEY)")
            self._connection.executemany("INSERT OR IGNORE INTO needed VALUES (?)", ((key,) for key in hashes))
            needed, held = self._connection.execute(
                "SELECT (SELECT count(*) FROM needed), (SELECT count(*) FROM vectors WHERE embedder = ?)",
                (self._embedder,),
            ).fetchone()
            if held > 2 * needed:
                sql = "DELETE FROM vectors WHERE embedder = ? AND hash NOT IN (SELECT hash FROM needed)"
                self._connection.execute(sql, (self._embedder,))
            self._connection.execute("DROP TABLE needed")


def _opened(path: Path) -> sqlite3.Connection:
    """Open the cache, or begin anew when the file is not one: what it held can be embedded again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(_SCHEMA)
    except sqlite3.DatabaseError:
        connection.close()
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return _opened(path)
    return connection
