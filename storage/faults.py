"""What a database's error means to whoever runs the bot: one line, the fault and the mend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.errors import StorageUnavailable

# SQLite tells its faults apart in words only; PostgreSQL's own first line says enough.
SQLITE_MENDS = {
    "locked": "it is locked by another program; try again when that one has finished",
    "not a database": "the file is not a database; move it away and a new one is made",
    "malformed": "the file is damaged; restore a copy, or move it away and a new one is made",
    "readonly": "it cannot be written; give this user write access to the file and its folder",
    "unable to open": "it cannot be opened; give this user access to the file and its folder",
    "disk I/O error": "the disk cannot be read or written; check the disk and what is mounted there",
    "is full": "the disk is full; make room",
}
MENDS = {
    "no such table": "its tables are missing; run `oraculo migrate`",
    "already exists": "it holds tables of another program; give Oráculo a database of its own in storage.url",
}


@contextmanager
def storage_faults(engine: Engine) -> Iterator[None]:
    """Turn what the database library raises inside the block into StorageUnavailable."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StorageUnavailable(explain(error, engine.url)) from error


def explain(error: SQLAlchemyError, url: URL) -> str:
    """Say in one line, without secrets or stored text, what failed and how to mend it."""
    reason = _first_line(error)
    mends = SQLITE_MENDS | MENDS if url.get_backend_name() == "sqlite" else MENDS
    for sign, mend in mends.items():
        if sign in reason:
            return f"{place(url)}: {mend}"
    return f"{place(url)}: {reason}; check storage.url, and that the database runs"


def place(url: URL) -> str:
    """Name a database without its user, password or options."""
    if url.get_backend_name() == "sqlite":
        return f"database {url.database}"
    where = f" on {url.host}" if url.host else ""
    return f"PostgreSQL database {url.database or '(unnamed)'}{where}"


def _first_line(error: SQLAlchemyError) -> str:
    # The lines after the first may quote what was being stored, and what was being stored is private.
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(cause).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(cause).__name__
