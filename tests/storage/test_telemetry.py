"""What is stored of a turn, and reading it back."""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, text

from bot.messages import TurnRecord
from storage.columns import storable
from storage.engine import writing
from storage.telemetry import Turn, TurnSource, read_turns
from storage.turn_store import TurnStore
from storage.turn_writer import TurnsRefused
from storage.user_hash import user_hash
from tests.storage.test_columns import odd_text
from tests.storage.turns import ASKED_AT, TURN, make_turn

KEY = b"k" * 32


@pytest.fixture
def store(engine: Engine) -> TurnStore:
    return TurnStore(engine, KEY)


def test_a_turn_is_read_back_as_it_was_recorded(store: TurnStore, engine: Engine) -> None:
    store.write([TURN])
    [turn] = read_turns(engine, 5)
    recorded = asdict(TURN)
    user, sources = recorded.pop("user"), recorded.pop("sources")
    assert {name: value for name, value in asdict(turn).items() if name in recorded} == recorded
    assert turn.user_hash == user_hash(KEY, "slack", user)
    assert turn.sources == tuple(TurnSource(*source) for source in sources)
    assert turn.id > 0


def test_the_users_id_stands_nowhere_in_the_row(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn(user="U-EASY-TO-FIND")])
    assert "U-EASY-TO-FIND" not in repr(read_turns(engine, 1))


def test_a_stored_turn_has_no_room_for_the_answer() -> None:
    names = {field.name for field in fields(Turn)} | {field.name for field in fields(TurnRecord)}
    assert not names & {"answer", "text", "reply"}


def test_a_time_in_any_zone_is_read_back_as_the_same_moment_in_utc(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn(created_at=ASKED_AT.astimezone(timezone(timedelta(hours=-6))))])
    [turn] = read_turns(engine, 1)
    assert turn.created_at == ASKED_AT
    assert turn.created_at.utcoffset() == timedelta(0)


def test_a_time_is_in_utc_whatever_the_connections_zone(store: TurnStore, engine: Engine) -> None:
    if engine.dialect.name == "postgresql":
        with engine.begin() as connection:
            connection.execute(text(f"ALTER DATABASE {engine.url.database} SET timezone = 'Asia/Tokyo'"))
        engine.dispose()
    store.write([TURN])
    [turn] = read_turns(engine, 1)
    assert (turn.created_at, turn.created_at.tzinfo) == (ASKED_AT, UTC)


def test_the_newest_turns_come_first_and_no_more_than_asked(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn(f"q{n}", created_at=ASKED_AT + timedelta(seconds=n)) for n in (1, 3, 2)])
    store.write([make_turn("same moment, later", created_at=ASKED_AT + timedelta(seconds=3))])
    assert [turn.question for turn in read_turns(engine, 3)] == ["same moment, later", "q3", "q2"]


def test_a_question_is_cut_to_500_characters(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn("ñ😀" * 400)])
    [turn] = read_turns(engine, 1)
    assert turn.question == "ñ😀" * 250


@given(questions=st.lists(odd_text, min_size=1, max_size=20))
@settings(
    max_examples=25,
    deadline=None,
    # One database serves all the examples: each reads back only the rows it has just stored.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_question_is_stored_and_read_back(store: TurnStore, engine: Engine, questions: list[str]) -> None:
    store.write([make_turn(question, thread=question) for question in questions])
    turns = read_turns(engine, len(questions))
    assert [turn.question for turn in reversed(turns)] == [storable(question, 500) for question in questions]
    assert [turn.thread for turn in reversed(turns)] == [storable(question) for question in questions]


def test_no_passages_leave_the_relevance_empty(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn(top_relevance=None, sources=(), sources_count=0)])
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM turns WHERE top_relevance IS NULL")) == 1
    [turn] = read_turns(engine, 1)
    assert (turn.top_relevance, turn.sources) == (None, ())


def test_numbers_that_are_none_are_left_out(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn(top_relevance=float("nan"), stages_ms={"exact": 1.0, "dense": float("inf")})])
    [turn] = read_turns(engine, 1)
    assert (turn.top_relevance, turn.stages_ms) == (None, {"exact": 1.0})


def test_two_sources_of_one_rank_are_both_stored(store: TurnStore, engine: Engine) -> None:
    store.write([make_turn(sources=[("b.md", 1, "exact"), ("a.md", 1, "both")])])
    [turn] = read_turns(engine, 1)
    assert [source.doc_id for source in turn.sources] == ["b.md", "a.md"]


@pytest.mark.parametrize(
    "bad",
    [
        {"created_at": datetime(2026, 3, 2)},  # noqa: DTZ001 - a time without its zone is the point
        {"prompt_tokens": 10**30},
        {"outcome": None},
        {"stages_ms": {"exact": "fast"}},
        {"sources": [("a.md",)]},
    ],
)
def test_a_batch_with_a_turn_no_database_takes_is_refused_whole(
    store: TurnStore, engine: Engine, bad: dict[str, object]
) -> None:
    with pytest.raises(TurnsRefused):
        store.write([make_turn("good"), make_turn("bad", **bad)])
    assert read_turns(engine, 5) == ()
    store.write([make_turn("good")])
    assert [turn.question for turn in read_turns(engine, 5)] == ["good"]


def test_an_sql_injection_is_only_a_question(store: TurnStore, engine: Engine) -> None:
    question = "'); DROP TABLE turns; --"
    with writing(engine).begin():
        pass
    store.write([make_turn(question)])
    assert read_turns(engine, 1)[0].question == question
