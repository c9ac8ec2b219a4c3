"""Opening the database: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import Connection as SQLiteConnection
from typing import Any, TypeAlias

from sqlalchemy import URL, Connection, Dialect, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from retrieval.errors import ConfigurationError
from storage.faults import place

BUSY_TIMEOUT_SECONDS = 5.0
POSTGRESQL_DEFAULTS = {
    "application_name": "oraculo",
    # Without these a machine that fell off the network holds its callers for many minutes.
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
}
Database: TypeAlias = Engine
"""What commands are given to read and migrate; its library stays in this package."""

BEGIN = "sqlite_begin"
"""The execution option that says how a SQLite transaction begins; PostgreSQL never looks at it."""


def open_database(database: str | Path, *, busy_timeout_seconds: float = BUSY_TIMEOUT_SECONDS) -> Engine:
    """Make an engine for a SQLAlchemy URL, or for a SQLite file named by its path.

    Nothing is opened until the engine is used, and a SQLite file is made by `storage.migrations.migrate` alone.
    Statements wait `busy_timeout_seconds` for what another program holds. Whoever opens an engine disposes of it.
    Raises ConfigurationError when the URL cannot be used.
    """
    url = URL.create("sqlite", database=str(database)) if isinstance(database, Path) else _parsed(database)
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, busy_timeout_seconds)
    return _postgresql(url, busy_timeout_seconds)


def writing(engine: Engine) -> Engine:
    """Give the engine for transactions that write: on SQLite they take the write lock at once, or wait for it.

    A SQLite transaction that reads first and writes later fails without waiting when another wrote in between.
    """
    return engine.execution_options(**{BEGIN: "BEGIN IMMEDIATE"})


def without_transactions(engine: Engine) -> Engine:
    """Give the engine for SQLite's pragmas that refuse to run inside a transaction."""
    return engine.execution_options(**{BEGIN: None})


def sqlite_file(engine: Engine) -> Path | None:
    """Tell which file holds the database; None for PostgreSQL."""
    is_sqlite = engine.dialect.name == "sqlite"
    return Path(engine.url.database) if is_sqlite and engine.url.database else None


def _parsed(text: str) -> URL:
    try:
        url = make_url(text)
        backend = url.get_backend_name()
    except (ArgumentError, ValueError):
        # The library's message may quote the URL, and the URL may hold a password.
        backend = ""
    if backend == "postgres":
        raise ConfigurationError("storage.url starts with postgres://; write postgresql://")
    if backend not in {"sqlite", "postgresql"}:
        raise ConfigurationError(
            "storage.url is not a database Oráculo speaks to; write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
        )
    return url


def _sqlite(url: URL, busy_timeout_seconds: float) -> Engine:
    if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
        raise ConfigurationError(f"storage.url names the driver {url.drivername}; write sqlite:///FILE")
    if url.host or url.database in {None, "", ":memory:"} or str(url.database).startswith("file:"):
        raise ConfigurationError("storage.url names no file; write sqlite:///FILE, or sqlite:////FILE from the root")
    timeout = {} if "timeout" in url.query else {"timeout": busy_timeout_seconds}
    # No pool: a connection kept open would go on writing to a file that was deleted or replaced, without a word.
    try:
        engine = create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=timeout)
    except ValueError as error:
        raise ConfigurationError(
            f"storage.url has an option of a wrong kind ({error}); mend it, or write sqlite:///FILE alone"
        ) from error
    event.listen(engine, "do_connect", _open_existing)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _open_existing(_dialect: Dialect, _record: object, arguments: list[Any], parameters: dict[str, Any]) -> None:
    # SQLite would answer a missing file with an empty one, readable by everybody.
    arguments[0] = f"{Path(arguments[0]).as_uri()}?mode=rw"
    parameters["uri"] = True


def _prepare_sqlite(connection: SQLiteConnection, _record: object) -> None:
    # Python's driver leaves SELECT and CREATE outside its transactions; with None it leaves them all to us.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    how = connection.get_execution_options().get(BEGIN, "BEGIN")
    if how is not None:
        connection.exec_driver_sql(how)


def _postgresql(url: URL, busy_timeout_seconds: float) -> Engine:
    if url.drivername not in {"postgresql", "postgresql+psycopg"}:
        raise ConfigurationError(
            f"storage.url names the driver {url.drivername}; write postgresql://USER:PASSWORD@HOST/NAME"
        )
    defaults = {name: value for name, value in POSTGRESQL_DEFAULTS.items() if name not in url.query}
    try:
        engine = create_engine(
            url.set(drivername="postgresql+psycopg"), pool_pre_ping=True, hide_parameters=True, connect_args=defaults
        )
    except ImportError as error:
        raise ConfigurationError(
            f"{place(url)} needs psycopg, which is not installed; run pip install 'oraculo[postgres]'"
        ) from error

    def limit_waiting(connection: Connection) -> None:
        # For each transaction: a setting of the session would leak through a connection pooler.
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(busy_timeout_seconds * 1000)}")

    event.listen(engine, "begin", limit_waiting)
    return engine
