"""What a database's error means to whoever runs the bot: one line, the fault and the mend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.errors import StorageUnavailable

# The databases tell these faults apart in words only.
MENDS = {
    "locked": "it is locked by another program; try again when that one has finished",
    "lock timeout": "it is locked by another program; try again when that one has finished",
    "not a database": "the file is not a database; move it away and a new one is made",
    "malformed": "the file is damaged; restore a copy, or move it away and a new one is made",
    "readonly": "it cannot be written; give this user write access to the file and its folder",
    "unable to open": "it cannot be opened; run `oraculo migrate` if it is new, or give this user access to its folder",
    "disk I/O error": "the disk cannot be read or written; check the disk and what is mounted there",
    "is full": "the disk is full; make room",
    "no such table": "its tables are missing; run `oraculo migrate`",
    "already exists": "it holds tables of another program; give Oráculo a database of its own in storage.url",
    'relation "': "its tables are missing; run `oraculo migrate`",
}
BUSY = {"locked", "lock timeout"}


class DatabaseBusy(StorageUnavailable):
    """Another program holds the database; the same call may succeed a little later."""


@contextmanager
def storage_faults(engine: Engine) -> Iterator[None]:
    """Turn what the database library raises inside the block into StorageUnavailable."""
    try:
        yield
    except SQLAlchemyError as error:
        raise explained(error, engine.url) from error


def explained(error: SQLAlchemyError, url: URL) -> StorageUnavailable:
    """Say in one line, without secrets or stored text, what failed and how to mend it."""
    reason = _first_line(error)
    for sign, mend in MENDS.items():
        if sign in reason:
            kind = DatabaseBusy if sign in BUSY else StorageUnavailable
            return kind(f"{place(url)}: {mend}")
    return StorageUnavailable(f"{place(url)}: {reason}; check storage.url, and that the database runs")


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
