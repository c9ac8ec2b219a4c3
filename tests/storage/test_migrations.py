"""Bringing a database up to date: once, whole, and never a newer one."""

from __future__ import annotations

import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event, inspect, select, text
from sqlalchemy.orm import Session

from bot.errors import StorageUnavailable
from bot.messages import MessageKey
from storage import migrations
from storage.claims import DatabaseClaims
from storage.engine import open_database, writing
from storage.migrations import HEAD, REVISIONS, Schema, migrate, schema_of
from storage.migrations.configuration import alembic_config
from storage.migrations.lock import alone
from storage.tables import Base, TurnSourceRow
from storage.telemetry import latest_turns, read_turns
from storage.turn_store import TurnStore
from tests.storage.databases import sqlite_locked
from tests.storage.processes import Processes
from tests.storage.turns import make_turn


def fill(engine: Engine) -> None:
    """Put a row in every table."""
    TurnStore(engine, b"key").write([make_turn()])
    assert DatabaseClaims(engine, lambda: datetime.now(UTC)).claim(MessageKey("slack", "T1", "C1", "1"))


@contextmanager
def reopened(database: str | Path) -> Iterator[Engine]:
    engine = open_database(database, busy_timeout_seconds=0.05)
    yield engine
    engine.dispose()


def test_a_migrated_database_has_exactly_the_tables_of_the_models(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_constraint_and_index_has_the_name_the_models_give_it(engine: Engine) -> None:
    inspector = inspect(engine)
    for table in Base.metadata.sorted_tables:
        assert inspector.get_pk_constraint(table.name)["name"] == table.primary_key.name
        assert {key["name"] for key in inspector.get_foreign_keys(table.name)} == {
            key.name for key in table.foreign_key_constraints
        }
        assert {index["name"] for index in inspector.get_indexes(table.name)} == {index.name for index in table.indexes}


def test_the_revisions_named_in_the_code_are_those_on_disk() -> None:
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert tuple(reversed([step.revision for step in script.walk_revisions()])) == REVISIONS
    assert script.get_heads() == [HEAD]


def test_a_database_goes_down_and_up_again_with_rows_in_every_table(engine: Engine) -> None:
    fill(engine)
    with writing(engine).begin() as connection:
        command.downgrade(alembic_config(connection), "base")
    assert inspect(engine).get_table_names() == ["alembic_version"]
    assert schema_of(engine) is Schema.EMPTY
    migrate(engine)
    assert schema_of(engine) is Schema.CURRENT
    fill(engine)


def test_migrating_again_changes_nothing(engine: Engine) -> None:
    fill(engine)
    before = read_turns(engine, 10)
    migrate(engine)
    assert read_turns(engine, 10) == before


def test_a_current_database_is_only_read(engine: Engine) -> None:
    statements: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
    migrate(engine)
    assert statements
    assert not [
        statement for statement in statements if statement.split()[0] not in {"SELECT", "BEGIN", "SET", "PRAGMA"}
    ]


def test_processes_that_start_together_migrate_once(database: str, processes: Processes) -> None:
    assert processes.race(4, "migrate", database) == ["migrated"] * 4
    with reopened(database) as engine:
        assert schema_of(engine) is Schema.CURRENT
        fill(engine)


def test_a_migration_waits_for_another_one(empty: Engine) -> None:
    with alone(empty, 1), pytest.raises(StorageUnavailable, match=r"another pro\w+"):
        migrate(empty, lock_timeout_seconds=0.01)
    assert schema_of(empty) is Schema.EMPTY
    migrate(empty)


def test_a_process_killed_half_way_leaves_the_database_as_it_was(database: str, processes: Processes) -> None:
    if database.startswith("sqlite"):
        # What migrate itself does before its transaction begins.
        Path(database.removeprefix("sqlite:///")).touch()
    half = processes.start("migrate-half", database)
    half.go()
    assert half.hear() == "half way"
    half.kill()
    with reopened(database) as engine:
        assert inspect(engine).get_table_names() == []
        migrate(engine)
        fill(engine)


def test_a_database_of_a_newer_version_is_refused_in_one_line(engine: Engine) -> None:
    with writing(engine).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for use in (migrate, schema_of, lambda engine: read_turns(engine, 5)):
        with pytest.raises(
            StorageUnavailable, match=r"newer version of Oráculo \(revision 9999.*update the program"
        ) as raised:
            use(engine)
        assert "\n" not in str(raised.value)


def test_a_database_with_tables_of_another_program_is_refused_and_left_alone(empty: Engine, database: str) -> None:
    if database.startswith("sqlite"):
        with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
            connection.execute("CREATE TABLE turns (id INTEGER)")
    else:
        with empty.begin() as other:
            other.execute(text("CREATE TABLE turns (id INTEGER)"))
    with pytest.raises(StorageUnavailable, match="a database of its own"):
        migrate(empty)
    assert inspect(empty).get_table_names() == ["turns"]


def test_a_file_that_is_not_a_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "oraculo.db"
    file.write_text("# Notas\n" * 500)
    with reopened(file) as engine, pytest.raises(StorageUnavailable, match="is not a database; move it away") as raised:
        migrate(engine)
    assert str(file) in str(raised.value)
    assert file.read_text() == "# Notas\n" * 500


def test_a_damaged_database_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "oraculo.db"
    with reopened(file) as engine:
        migrate(engine)
        content = bytearray(file.read_bytes())
        content[100:3000] = b"\xff" * 2900
        file.write_bytes(content)
        with pytest.raises(StorageUnavailable, match="damaged; restore a copy"):
            migrate(engine)


def test_a_folder_in_the_files_place_is_refused_in_one_line(tmp_path: Path) -> None:
    with reopened(tmp_path) as engine, pytest.raises(StorageUnavailable, match="give this user access"):
        migrate(engine)


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(processes: Processes) -> None:
    # Open to every user down to the folder itself, because root has to become another one for modes to count.
    with tempfile.TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        folder = Path(outer) / "home"
        folder.mkdir(mode=0o555)
        contender = processes.start("without-rights", f"sqlite:///{folder / 'oraculo.db'}")
        contender.go()
        message = contender.hear()
    assert "cannot be written (Permission denied); give this user access to its folder" in message


def test_a_server_that_is_not_there_is_one_line_without_the_password(tmp_path: Path) -> None:
    with (
        reopened(f"postgresql://user:secret@/oraculo?host={tmp_path}") as engine,
        pytest.raises(StorageUnavailable, match=r"check storage\.url, and that the database runs") as raised,
    ):
        migrate(engine)
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_locked_new_file_is_said_to_be_locked(tmp_path: Path) -> None:
    file = tmp_path / "oraculo.db"
    locked = pytest.raises(StorageUnavailable, match="locked by another program")
    with sqlite_locked(file), reopened(file) as engine, locked:
        migrate(engine)


def test_a_new_sqlite_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "oraculo.db"
    with reopened(file) as engine:
        migrate(engine)
        with writing(engine).begin():
            modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in tmp_path.iterdir()}
    assert set(modes) >= {"oraculo.db", "oraculo.db-wal"}
    assert set(modes.values()) == {0o600}


def test_looking_at_a_database_does_not_make_one(tmp_path: Path) -> None:
    with reopened(tmp_path / "home" / "oraculo.db") as engine:
        assert schema_of(engine) is Schema.EMPTY
        assert read_turns(engine, 5) == ()
    assert list(tmp_path.iterdir()) == []


def test_deleting_a_turn_deletes_its_sources(engine: Engine) -> None:
    fill(engine)
    with Session(engine) as session, session.begin():
        session.delete(session.scalars(latest_turns(1)).one())
    with Session(engine) as session:
        assert session.scalars(select(TurnSourceRow)).all() == []
