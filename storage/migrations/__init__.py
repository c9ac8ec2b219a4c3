"""Bringing a database to the shape this program knows, once, however many processes start together.

A new migration is a file in versions/ and its number at the end of REVISIONS.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, func, inspect, select, table, text

from bot.errors import StorageUnavailable
from storage.engine import sqlite_file, without_transactions, writing
from storage.faults import place, storage_faults

REVISIONS = ("0001",)
"""Every revision, oldest first; kept here too so that a current database costs no import of alembic (0.2 s)."""
HEAD = REVISIONS[-1]

LOCK_TIMEOUT_SECONDS = 60.0
# Any number will do, as long as every version of the program asks for the same one.
POSTGRESQL_LOCK = 0x6F7261_63756C6F


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


def migrate(engine: Engine) -> None:
    """Bring the database up to date, making it if need be; a current one is only read.

    A crash half way leaves it as it was. Raises StorageUnavailable as `schema_of` does, and when it cannot be written.
    """
    try:
        if schema_of(engine) is Schema.CURRENT:
            return
    except StorageUnavailable:
        # It may only be busy: another process is making it this very moment. What is really wrong is met again below.
        pass
    with storage_faults(engine), _alone(engine) as connection:
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
    from alembic import command  # noqa: PLC0415 - it takes 0.2 s to import, and few runs have anything to migrate

    from storage.migrations.configuration import alembic_config  # noqa: PLC0415

    command.upgrade(alembic_config(connection), HEAD)


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """Hold the one transaction that may change the tables; it is committed when the block ends well."""
    file = sqlite_file(engine)
    if file is None:
        with engine.begin() as connection:
            connection.execute(select(func.pg_advisory_xact_lock(POSTGRESQL_LOCK)))
            yield connection
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{file}.lock", timeout=LOCK_TIMEOUT_SECONDS, mode=0o600):
            _prepare_file(engine, file)
            with writing(engine).begin() as connection:
                yield connection
    except Timeout as error:
        raise StorageUnavailable(f"{place(engine.url)}: another process is migrating it; try again later") from error
    except OSError as error:
        raise StorageUnavailable(
            f"{place(engine.url)} cannot be written ({error.strerror}); give this user access to its folder"
        ) from error


def _prepare_file(engine: Engine, file: Path) -> None:
    # Questions are private: a new database is its owner's alone, and SQLite gives its companions the same mode.
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    # The mode is kept in the file. Two processes that set it at once fail without waiting, hence only here.
    with without_transactions(engine).connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
