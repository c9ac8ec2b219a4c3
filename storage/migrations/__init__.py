"""Bringing a database to the shape this program knows, once, however many processes start together.

A new migration is a file in versions/ and its number at the end of REVISIONS.
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum

from sqlalchemy import Connection, Engine, inspect, select, table, text

from bot.errors import StorageUnavailable
from storage.engine import sqlite_file
from storage.faults import DatabaseBusy, place, storage_faults
from storage.migrations.lock import LOCK_TIMEOUT_SECONDS, alone

REVISIONS = ("0001",)
"""Every revision, oldest first; kept here too so that a current database costs no import of alembic (0.2 s)."""
HEAD = REVISIONS[-1]


class Schema(Enum):
    """How a database's tables stand to this program."""

    EMPTY = "empty"
    BEHIND = "behind"
    CURRENT = "current"


def schema_of(engine: Engine) -> Schema:
    """Tell how the database stands, changing nothing: a SQLite file that is missing is EMPTY and stays missing.

    Raises StorageUnavailable for a database that cannot be read, or that a newer version of the program made.
    """
    file = sqlite_file(engine)
    if file is not None and not file.exists():
        return Schema.EMPTY
    with storage_faults(engine), engine.connect() as connection:
        return _schema(connection)


def migrate(engine: Engine, *, lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> None:
    """Bring the database up to date, making it if need be; a current one is only read.

    Waits for another process that is doing the same. A crash half way leaves the database as it was. Raises
    StorageUnavailable as `schema_of` does, and when the database cannot be written.
    """
    # Busy: another process may be making it this very moment.
    with suppress(DatabaseBusy):
        if schema_of(engine) is Schema.CURRENT:
            return
    with storage_faults(engine), alone(engine, lock_timeout_seconds) as connection:
        if _schema(connection) is not Schema.CURRENT:
            _upgrade(connection)


def _schema(connection: Connection) -> Schema:
    if not inspect(connection).has_table("alembic_version"):
        return Schema.EMPTY
    revision = connection.scalar(select(text("version_num")).select_from(table("alembic_version")))
    if revision is None:
        return Schema.EMPTY
    if revision not in REVISIONS:
        raise StorageUnavailable(
            f"{place(connection.engine.url)} was made by a newer version of Oráculo (revision {revision}, "
            f"this one knows {HEAD}); update the program, or name another database in storage.url"
        )
    return Schema.CURRENT if revision == HEAD else Schema.BEHIND


def _upgrade(connection: Connection) -> None:
    # Alembic takes 0.2 s to import, and few runs have anything to migrate.
    from alembic import command

    from storage.migrations.configuration import alembic_config

    command.upgrade(alembic_config(connection), HEAD)
