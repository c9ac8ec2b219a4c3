"""Getting in the way of a database, as other programs do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import make_url


@contextmanager
def held(database: str) -> Iterator[None]:
    """Hold a migrated database's turns so that nobody else writes them, until the block ends."""
    if database.startswith("sqlite"):
        with sqlite_locked(Path(str(make_url(database).database))):
            yield
        return
    with closing(psycopg.connect(database)) as connection:
        connection.execute("LOCK TABLE turns, claims IN ACCESS EXCLUSIVE MODE")
        yield
        connection.rollback()


@contextmanager
def sqlite_locked(file: Path) -> Iterator[None]:
    """Hold a SQLite file's exclusive lock until the block ends, making the file when there is none."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield
        connection.execute("ROLLBACK")
