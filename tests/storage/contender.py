"""Run as a process by tests: `contender.py ACTION ARGUMENTS`. Says "ready", waits for a line, and acts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bot.messages import MessageKey, TurnRecord
from retrieval.errors import OracleError
from storage.claims import DatabaseClaims
from storage.engine import open_database, writing
from storage.migrations import migrate
from storage.tables import ClaimRow
from storage.turn_log import BoundedTurnLog
from storage.turn_store import open_turn_store
from storage.user_hash import load_key


def say(what: Any) -> None:
    print(json.dumps(what), flush=True)


def wait() -> None:
    sys.stdin.readline()


def turn(question: str) -> TurnRecord:
    return TurnRecord(
        created_at=datetime.now(UTC),
        question=question,
        mode="oracle",
        route="oracle",
        outcome="answered",
        platform="console",
        workspace="",
        channel="",
        channel_kind="terminal",
        thread="",
        user="u",
        sources_count=1,
        top_relevance=0.5,
        duration_ms=1.0,
        stages_ms={},
        generation="g",
        model="",
        prompt_tokens=0,
        answer_tokens=0,
        sources=[("a.md", 1, "both")],
    )


def run_migration(database: str) -> None:
    """Say "migrated", or the error."""
    engine = open_database(database)
    try:
        migrate(engine)
        say("migrated")
    except OracleError as error:
        say(str(error))
    engine.dispose()


def migrate_half(database: str) -> None:
    """Say "half way" with the tables made and the transaction open, and wait."""
    # Slow to import, and the other actions do without.
    from alembic import command

    from storage.migrations.configuration import alembic_config

    engine = open_database(database)
    with writing(engine).begin() as connection:
        command.upgrade(alembic_config(connection), "head")
        say("half way")
        wait()


def make_key(path: str) -> None:
    """Say the key, in hexadecimal."""
    say(load_key(Path(path)).hex())


def claim(database: str, messages: str) -> None:
    """Say which of the messages (numbers from 0) this process was given."""
    engine = open_database(database)
    claims = DatabaseClaims(engine, lambda: datetime.now(UTC))
    say([number for number in range(int(messages)) if claims.claim(MessageKey("slack", "T1", "C1", str(number)))])
    engine.dispose()


def store_without_end(database: str, key_file: str, batch: str) -> None:
    """Store batches until killed, saying how many are stored."""
    store = open_turn_store(database, Path(key_file))
    stored = 0
    while True:
        store.write([turn(f"{stored}.{number}") for number in range(int(batch))])
        stored += 1
        say(stored)


def hold(database: str) -> None:
    """Say "holding" with an uncommitted claim in an open transaction, and wait."""
    engine = open_database(database)
    with writing(engine).begin() as connection:
        connection.execute(
            insert(ClaimRow).values(
                platform="slack", workspace="T1", channel="C1", message="1", claimed_at=datetime.now(UTC)
            )
        )
        say("holding")
        wait()


def end_without_closing(database: str, key_file: str) -> None:
    """Record turns and end."""
    turn_log = BoundedTurnLog(database, Path(key_file))
    for number in range(5):
        turn_log.record(turn(f"turn {number}"))


def fork(database: str, key_file: str, children: str) -> None:
    """Record turns in a process and in children forked while its thread is at work; say the children's exit codes."""
    turn_log = BoundedTurnLog(database, Path(key_file))
    ends = []
    for number in range(int(children)):
        turn_log.record(turn(f"parent {number}"))
        child = os.fork()
        if child == 0:
            turn_log.record(turn(f"child {number}"))
            turn_log.close()
            os._exit(turn_log.lost)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    turn_log.close()
    say(ends)


def without_rights(database: str) -> None:
    """Try to migrate, and to read, as a user for whom file modes count."""
    if os.geteuid() == 0:
        os.setegid(65534)
        os.seteuid(65534)
    run_migration(database)


ACTIONS: dict[str, Callable[..., None]] = {
    "migrate": run_migration,
    "migrate-half": migrate_half,
    "key": make_key,
    "claim": claim,
    "store-without-end": store_without_end,
    "hold": hold,
    "end-without-closing": end_without_closing,
    "fork": fork,
    "without-rights": without_rights,
}

if __name__ == "__main__":
    say("ready")
    wait()
    ACTIONS[sys.argv[1]](*sys.argv[2:])
