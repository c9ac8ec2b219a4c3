"""The turn log never makes an answer wait or fail, and loses as little as it can."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, make_url
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.messages import TurnRecord
from bot.ports import TurnLog
from storage.migrations import migrate
from storage.telemetry import read_turns
from storage.turn_log import BoundedTurnLog
from storage.turn_queue import TurnQueue
from storage.turn_writer import TurnSink, TurnWriter
from tests.storage.databases import held, sqlite_locked
from tests.storage.processes import Processes
from tests.storage.turns import make_turn

PATIENCE_SECONDS = 30


class Warnings:
    """The warnings the log gave, and a way to wait for one."""

    def __init__(self) -> None:
        self.given: list[EventDict] = []
        self.came = threading.Event()

    def note(self, _logger: object, _method: str, event: EventDict) -> EventDict:
        self.came.set()
        return event

    def wait(self) -> None:
        assert self.came.wait(PATIENCE_SECONDS)


@pytest.fixture
def warnings() -> Iterator[Warnings]:
    warnings = Warnings()
    with capture_logs(processors=[warnings.note]) as warnings.given:
        yield warnings


@contextmanager
def opened(database: str | Path, home: Path, **options: float) -> Iterator[BoundedTurnLog]:
    """A log that is quick to try again; closed at the end, and its thread waited for."""
    turn_log = BoundedTurnLog(database, home / "user.key", retry_seconds=0.01, **options)  # type: ignore[arg-type]
    yield turn_log
    turn_log.close(PATIENCE_SECONDS)


def stored(engine: Engine) -> list[str]:
    return [turn.question for turn in reversed(read_turns(engine, 10_000))]


def test_it_is_a_turn_log(tmp_path: Path) -> None:
    turn_log: TurnLog = BoundedTurnLog(tmp_path / "oraculo.db", tmp_path / "user.key")
    assert turn_log is not None


def test_what_is_recorded_is_stored_by_the_time_it_is_closed(database: str, empty: Engine, tmp_path: Path) -> None:
    questions = [f"q{number}" for number in range(250)]
    with opened(database, tmp_path) as turn_log:
        for question in questions:
            turn_log.record(make_turn(question))
    assert stored(empty) == questions
    assert turn_log.lost == 0


def test_a_log_nobody_used_makes_no_database(tmp_path: Path) -> None:
    with opened(tmp_path / "oraculo.db", tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_turns_from_many_threads_are_all_stored(database: str, empty: Engine, tmp_path: Path) -> None:
    questions = [f"q{number}" for number in range(200)]
    with opened(database, tmp_path) as turn_log, ThreadPoolExecutor(8) as threads:
        list(threads.map(turn_log.record, map(make_turn, questions)))
    assert sorted(stored(empty)) == sorted(questions)


def test_recording_does_not_wait_for_a_held_database_and_nothing_is_lost(
    database: str, engine: Engine, tmp_path: Path
) -> None:
    # The same thread holds the database and records: were one to wait for the other, this would never end.
    with opened(database, tmp_path) as turn_log, held(database):
        for number in range(5):
            turn_log.record(make_turn(f"q{number}"))
    assert stored(engine) == [f"q{number}" for number in range(5)]


def test_recording_does_not_wait_for_a_file_locked_before_it_was_ever_used(tmp_path: Path, warnings: Warnings) -> None:
    file = tmp_path / "oraculo.db"
    with opened(f"sqlite:///{file}?timeout=0.01", tmp_path) as turn_log:
        with sqlite_locked(file):
            turn_log.record(make_turn("first"))
            warnings.wait()
        turn_log.record(make_turn("second"))
    assert turn_log.lost == 0
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT question FROM turns ORDER BY id").fetchall() == [("first",), ("second",)]


def test_a_full_line_loses_the_turns_that_do_not_fit_and_counts_them(
    database: str, engine: Engine, tmp_path: Path, warnings: Warnings
) -> None:
    with opened(database, tmp_path, capacity=3) as turn_log, held(database):
        for number in range(10):
            turn_log.record(make_turn(f"q{number}"))
        assert turn_log.lost == 7
    assert stored(engine) == ["q0", "q1", "q2"]
    assert [warning["lost"] for warning in warnings.given] == [7]


@pytest.mark.usefixtures("engine")
def test_closing_gives_up_on_a_database_that_does_not_answer(database: str, tmp_path: Path, warnings: Warnings) -> None:
    turn_log = BoundedTurnLog(database, tmp_path / "user.key")
    with held(database):
        for number in range(3):
            turn_log.record(make_turn(f"q{number}"))
        # The database is held until after this line.
        turn_log.close(timeout_seconds=0.01)
        assert turn_log.lost == 3
    assert [(warning["event"], warning["lost"]) for warning in warnings.given] == [("telemetry is not being stored", 3)]


def test_a_turn_after_the_end_is_lost_without_a_word(tmp_path: Path) -> None:
    with opened(tmp_path / "oraculo.db", tmp_path) as turn_log:
        pass
    turn_log.record(make_turn())
    turn_log.close()
    assert turn_log.lost == 1


def test_it_can_be_closed_twice(database: str, empty: Engine, tmp_path: Path) -> None:
    with opened(database, tmp_path) as turn_log:
        turn_log.record(make_turn("once"))
        turn_log.close()
    assert stored(empty) == ["once"]


@pytest.mark.parametrize("trouble", ["a folder in its place", "not a database", "a wrong url", "no key"])
def test_a_database_that_can_never_be_used_costs_only_its_rows(
    tmp_path: Path, warnings: Warnings, trouble: str
) -> None:
    database: str | Path = tmp_path / "oraculo.db"
    match trouble:
        case "a folder in its place":
            (tmp_path / "oraculo.db").mkdir()
        case "not a database":
            (tmp_path / "oraculo.db").write_text("hello " * 1000)
        case "a wrong url":
            database = "mysql://user:secret@host/oraculo"
        case _:
            (tmp_path / "user.key").write_text("short")
    with opened(database, tmp_path) as turn_log:
        turn_log.record(make_turn("lost"))
        warnings.wait()
        turn_log.record(make_turn("lost too"))
    assert turn_log.lost == 2
    [warning] = warnings.given
    assert warning["log_level"] == "warning"
    assert "secret" not in warning["reason"]
    assert "\n" not in warning["reason"]


def test_whatever_keeps_the_database_from_opening_loses_no_turn_and_is_not_tried_without_a_pause(
    warnings: Warnings,
) -> None:
    private = "a question somebody asked"
    queue, kept, faults = TurnQueue(100), KeptTurns(), iter([ImportError(private), RuntimeError(private)])
    tried = 0

    def open_sink() -> TurnSink:
        nonlocal tried
        tried += 1
        fault = next(faults, None)
        if fault is not None:
            raise fault
        return kept

    for number in range(5):
        queue.put(make_turn(f"q{number}"))
    writer = TurnWriter(queue, open_sink, retry_seconds=0.01)
    thread = threading.Thread(target=writer.run, daemon=True)
    thread.start()
    assert kept.came.wait(PATIENCE_SECONDS)
    queue.close()
    thread.join(PATIENCE_SECONDS)
    assert [turn.question for turn in kept.turns] == [f"q{number}" for number in range(5)]
    assert (tried, queue.lost) == (3, 0)
    [warning] = warnings.given
    assert warning["reason"] == "the database cannot be opened (ImportError)"


def test_a_turn_that_cannot_be_written_is_lost_without_telling_what_it_holds(warnings: Warnings) -> None:
    queue = TurnQueue(100)
    queue.put(make_turn("a question somebody asked"))
    queue.close()
    TurnWriter(queue, QuotingSink).run()
    assert queue.lost == 1
    [warning] = warnings.given
    assert warning["reason"] == "a turn could not be written (ValueError)"


class KeptTurns:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.turns: list[TurnRecord] = []
        self.came = threading.Event()

    def write(self, turns: Sequence[TurnRecord]) -> None:
        self.turns += turns
        self.came.set()

    def close(self) -> None: ...


class QuotingSink:
    """A sink that raises what quotes the turn."""

    def write(self, turns: Sequence[TurnRecord]) -> None:
        raise ValueError(turns[0].question)

    def close(self) -> None: ...


def test_a_database_that_comes_back_gets_the_turns_that_waited(
    database: str, engine: Engine, tmp_path: Path, warnings: Warnings
) -> None:
    with opened(database, tmp_path) as turn_log:
        turn_log.record(make_turn("before"))
        while stored(engine) != ["before"]:
            pass  # each look asks the database
        with away(database, engine):
            turn_log.record(make_turn("while away"))
            warnings.wait()
        turn_log.record(make_turn("after"))
    assert turn_log.lost == 0
    # A deleted file takes with it what it held.
    assert stored(engine)[-2:] == ["while away", "after"]


@contextmanager
def away(database: str, engine: Engine) -> Iterator[None]:
    """Take the database away: the file's place is taken, or the server turns everybody out. Then give it back."""
    if database.startswith("sqlite"):
        file = Path(str(make_url(database).database))
        for companion in file.parent.glob("oraculo.db*"):
            companion.unlink(missing_ok=True)
        file.mkdir()
        yield
        file.rmdir()
        return
    name = make_url(database).database
    with closing(
        psycopg.connect(
            make_url(database).set(database="postgres").render_as_string(hide_password=False), autocommit=True
        )
    ) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        engine.dispose()
        yield
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def test_one_turn_the_database_refuses_does_not_take_the_others_with_it(
    database: str, engine: Engine, tmp_path: Path, warnings: Warnings
) -> None:
    with opened(database, tmp_path) as turn_log, held(database):
        for number in range(10):
            turn_log.record(make_turn(f"q{number}", prompt_tokens=10**30 if number == 4 else 1))
    assert stored(engine) == [f"q{number}" for number in range(10) if number != 4]
    assert turn_log.lost == 1
    assert "does not take" in warnings.given[0]["reason"]


def test_a_thing_that_is_not_a_turn_does_not_stop_the_log(
    database: str, engine: Engine, tmp_path: Path, warnings: Warnings
) -> None:
    with opened(database, tmp_path) as turn_log, held(database):
        turn_log.record(make_turn("before"))
        turn_log.record("not a turn")  # type: ignore[arg-type]  # the mistake is the point
        turn_log.record(make_turn("after"))
    assert stored(engine) == ["before", "after"]
    assert turn_log.lost == 1
    assert len(warnings.given) == 1


def test_the_warning_comes_at_most_once_a_minute(tmp_path: Path, warnings: Warnings) -> None:
    (tmp_path / "oraculo.db").mkdir()
    times = iter([0.0, 1.0, 59.9, 60.0, 61.0, 119.9])
    tried = threading.Event()

    def monotonic() -> float:
        now = next(times, None)
        if now is None:
            tried.set()
            return 119.9
        return now

    with opened(tmp_path / "oraculo.db", tmp_path, monotonic=monotonic) as turn_log:  # type: ignore[arg-type]
        turn_log.record(make_turn())
        assert tried.wait(PATIENCE_SECONDS)
    assert len(warnings.given) == 2


def test_a_program_that_ends_without_closing_the_log_stores_its_turns(
    database: str, empty: Engine, tmp_path: Path, processes: Processes
) -> None:
    contender = processes.start("end-without-closing", database, str(tmp_path / "user.key"))
    contender.go()
    assert contender.end() == 0
    assert stored(empty) == [f"turn {number}" for number in range(5)]


def test_a_forked_child_stores_its_own_turns_and_not_its_parents(
    database: str, empty: Engine, tmp_path: Path, processes: Processes
) -> None:
    contender = processes.start("fork", database, str(tmp_path / "user.key"), "3")
    contender.go()
    assert contender.hear() == [0, 0, 0]
    assert sorted(stored(empty)) == [f"{who} {number}" for who in ("child", "parent") for number in range(3)]


def test_a_program_killed_in_the_middle_of_writing_leaves_whole_batches_and_a_database_to_use(
    database: str, engine: Engine, tmp_path: Path, processes: Processes
) -> None:
    writer = processes.start("store-without-end", database, str(tmp_path / "user.key"), "7")
    writer.go()
    said = [writer.hear() for _ in range(15)][-1]
    writer.kill()
    questions = stored(engine)
    assert len(questions) >= said * 7
    assert len(questions) % 7 == 0
    if database.startswith("sqlite"):
        with closing(sqlite3.connect(str(make_url(database).database))) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    migrate(engine)
    with opened(database, tmp_path) as turn_log:
        turn_log.record(make_turn("afterwards"))
    assert len(stored(engine)) == len(questions) + 1
