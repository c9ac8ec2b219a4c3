"""What a day has cost so far, from the stored turns."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Engine
from structlog.testing import capture_logs

from storage.engine import sqlite_file
from storage.spending import StoredSpending, read_tokens_since
from storage.turn_store import TurnStore
from tests.storage.turns import ASKED_AT, make_turn


def test_the_tokens_of_the_turns_since_a_moment_are_added_up(engine: Engine) -> None:
    database = engine.url.render_as_string(hide_password=False)
    assert read_tokens_since(database, ASKED_AT) == 0
    TurnStore(engine, b"k" * 32).write(
        [
            make_turn(created_at=ASKED_AT - timedelta(seconds=1), prompt_tokens=10_000, answer_tokens=0),
            make_turn(created_at=ASKED_AT, prompt_tokens=100, answer_tokens=20),
            make_turn(created_at=ASKED_AT + timedelta(hours=1), prompt_tokens=3, answer_tokens=4),
        ]
    )
    assert read_tokens_since(database, ASKED_AT) == 127
    assert StoredSpending(database)(ASKED_AT) == 127


def test_where_nothing_was_stored_nothing_was_spent_and_nothing_is_made(tmp_path: Path) -> None:
    file = tmp_path / "none.sqlite"
    assert StoredSpending(file)(ASKED_AT) == 0
    assert not file.exists()


def test_a_database_that_cannot_be_read_counts_as_nothing_spent(tmp_path: Path) -> None:
    file = tmp_path / "broken.sqlite"
    file.write_bytes(b"this is no database" * 100)
    assert StoredSpending(file)(ASKED_AT) == 0


class Nameless(type(Path())):  # type: ignore[misc]  # the platform's own path
    """A path that raises what no database does."""

    def __str__(self) -> str:
        raise LookupError("who knows")


def test_whatever_keeps_it_from_being_read_is_told_at_once(tmp_path: Path) -> None:
    patient = StoredSpending(Nameless(tmp_path), wait_seconds=3600)
    with capture_logs() as logs:
        assert patient(ASKED_AT) == 0
    (line,) = logs
    assert line["reason"] == "the database cannot be read (LookupError)"


def test_who_asks_again_for_the_same_moment_is_told_again(engine: Engine) -> None:
    spending = StoredSpending(engine.url.render_as_string(hide_password=False))
    TurnStore(engine, b"k" * 32).write([make_turn(created_at=ASKED_AT, prompt_tokens=100, answer_tokens=20)])
    spending.begin(ASKED_AT)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(spending, [ASKED_AT] * 4)) == [120] * 4


def test_a_database_that_is_being_written_is_read_all_the_same(engine: Engine) -> None:
    if sqlite_file(engine) is None:
        return
    with engine.connect() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
        assert StoredSpending(engine.url.render_as_string())(ASKED_AT) == 0
