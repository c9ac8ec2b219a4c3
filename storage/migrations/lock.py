"""One migration at a time: a lock that lasts as long as the transaction that changes the tables."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, func, select

from bot.errors import StorageUnavailable
from storage.engine import sqlite_file, without_transactions, writing
from storage.faults import place

LOCK_TIMEOUT_SECONDS = 60.0
# Any number will do, as long as every version of the program asks for the same one.
POSTGRESQL_LOCK = 0x6F7261_63756C6F


@contextmanager
def alone(engine: Engine, timeout_seconds: float) -> Iterator[Connection]:
    """Hold the one transaction that may change the tables; it is committed when the block ends well."""
    file = sqlite_file(engine)
    with (
        _sqlite_alone(engine, file, timeout_seconds) if file else _postgresql_alone(engine, timeout_seconds)
    ) as connection:
        yield connection


@contextmanager
def _postgresql_alone(engine: Engine, timeout_seconds: float) -> Iterator[Connection]:
    with engine.begin() as connection:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(timeout_seconds * 1000)}")
        connection.execute(select(func.pg_advisory_xact_lock(POSTGRESQL_LOCK)))
        yield connection


@contextmanager
def _sqlite_alone(engine: Engine, file: Path, timeout_seconds: float) -> Iterator[Connection]:
    try:
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        with FileLock(f"{file}.lock", timeout=timeout_seconds, mode=0o600):
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
