"""Claims: each message is answered once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from bot.errors import StorageUnavailable
from bot.messages import MessageKey, Outcome
from bot.ports import Claims
from storage.claims import DatabaseClaims
from storage.engine import open_database, sqlite_file
from storage.migrations import Schema, schema_of
from storage.tables import ClaimRow
from tests.storage.databases import held
from tests.storage.processes import Processes

MESSAGE = MessageKey("slack", "T1", "C1", "1700000000.000100")
ANSWER = MessageKey("slack", "T1", "C1", "1700000000.000200")


class Watch:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def claims(engine: Engine, watch: Watch) -> Claims:
    return DatabaseClaims(engine, watch)


def rows(engine: Engine) -> list[ClaimRow]:
    with Session(engine) as session:
        return list(session.scalars(select(ClaimRow)))


def test_a_message_is_given_once(claims: Claims) -> None:
    assert [claims.claim(MESSAGE), claims.claim(MESSAGE)] == [True, False]


def test_a_finished_message_is_not_given_again(claims: Claims) -> None:
    claims.claim(MESSAGE)
    claims.finish(MESSAGE, Outcome.ANSWERED, ANSWER)
    assert not claims.claim(MESSAGE)


@pytest.mark.parametrize("part", ["platform", "workspace", "channel", "message"])
def test_messages_that_differ_in_one_part_are_two(claims: Claims, part: str) -> None:
    other = {name: getattr(MESSAGE, name) for name in MESSAGE.__slots__} | {part: "other"}
    assert claims.claim(MESSAGE)
    assert claims.claim(MessageKey(**other))


def test_a_claim_outlives_the_program(database: str, claims: Claims) -> None:
    claims.claim(MESSAGE)
    later = open_database(database)
    assert not DatabaseClaims(later, lambda: datetime.now(UTC)).claim(MESSAGE)
    later.dispose()


def test_unfinished_messages_are_the_old_ones_that_have_not_ended_oldest_first(claims: Claims, watch: Watch) -> None:
    second, first, ended, young = (MessageKey("slack", "T1", "C1", name) for name in ("a", "b", "c", "d"))
    begun = watch.now
    for minute, message in enumerate((first, second, ended, young)):
        watch.now = begun + timedelta(minutes=minute)
        claims.claim(message)
    claims.finish(ended, Outcome.FAILED, None)
    assert claims.unfinished(begun + timedelta(minutes=3)) == [first, second]


def test_the_answer_is_found_by_its_question(claims: Claims) -> None:
    claims.claim(MESSAGE)
    assert claims.answer_to(MESSAGE) is None
    claims.finish(MESSAGE, Outcome.ANSWERED, ANSWER)
    assert claims.answer_to(MESSAGE) == ANSWER


def test_a_message_that_ended_without_an_answer_has_none(claims: Claims) -> None:
    claims.claim(MESSAGE)
    claims.finish(MESSAGE, Outcome.FAILED, None)
    assert claims.answer_to(MESSAGE) is None
    assert claims.answer_to(ANSWER) is None


def test_the_first_end_stands(claims: Claims, engine: Engine, watch: Watch) -> None:
    claims.claim(MESSAGE)
    watch.now = ended = watch.now + timedelta(seconds=2)
    claims.finish(MESSAGE, Outcome.ANSWERED, ANSWER)
    watch.now += timedelta(hours=1)
    claims.finish(MESSAGE, Outcome.FAILED, None)
    [row] = rows(engine)
    assert (row.finished_at, row.outcome) == (ended, "answered")
    assert claims.answer_to(MESSAGE) == ANSWER


def test_an_end_whose_claim_is_gone_still_keeps_the_message_from_being_answered_again(claims: Claims) -> None:
    claims.finish(MESSAGE, Outcome.ANSWERED, ANSWER)
    assert not claims.claim(MESSAGE)
    assert claims.answer_to(MESSAGE) == ANSWER


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_is_stored(claims: Claims, engine: Engine, outcome: Outcome) -> None:
    claims.claim(MESSAGE)
    claims.finish(MESSAGE, outcome, None)
    assert [row.outcome for row in rows(engine)] == [outcome.value]


def test_threads_that_race_for_messages_are_given_each_one_once(claims: Claims) -> None:
    messages = [MessageKey("discord", "G1", "C1", str(number)) for number in range(20)]
    with ThreadPoolExecutor(8) as threads:
        given = list(threads.map(lambda message: (message, claims.claim(message)), messages * 4))
    assert Counter(message for message, mine in given if mine) == Counter(messages)


def test_processes_that_race_for_messages_are_given_each_one_once(
    database: str, engine: Engine, processes: Processes
) -> None:
    given = processes.race(4, "claim", database, "40")
    assert sorted(number for mine in given for number in mine) == list(range(40))
    assert len(rows(engine)) == 40


def test_a_process_killed_in_the_middle_of_a_claim_leaves_the_message_to_others(
    database: str, claims: Claims, processes: Processes
) -> None:
    holder = processes.start("hold", database)
    holder.go()
    assert holder.hear() == "holding"
    holder.kill()
    assert claims.claim(MessageKey("slack", "T1", "C1", "1"))


@pytest.mark.usefixtures("engine")
def test_a_locked_database_is_said_to_be_locked(database: str) -> None:
    impatient = open_database(database, busy_timeout_seconds=0.05)
    claims = DatabaseClaims(impatient, lambda: datetime.now(UTC))
    with held(database), pytest.raises(StorageUnavailable, match="locked by another program"):
        claims.claim(MESSAGE)
    assert claims.claim(MESSAGE)
    impatient.dispose()


def test_a_database_without_tables_is_said_to_need_them(empty: Engine) -> None:
    claims = DatabaseClaims(empty, lambda: datetime.now(UTC))
    with pytest.raises(StorageUnavailable, match="oraculo migrate"):
        claims.claim(MESSAGE)
    assert schema_of(empty) is Schema.EMPTY
    file = sqlite_file(empty)
    assert file is None or not file.exists()
