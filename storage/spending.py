"""What the stored turns have spent: a daily budget counts it besides what its own process spends."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

import structlog

from retrieval.errors import OracleError

if TYPE_CHECKING:
    from sqlalchemy import Select

WAIT_SECONDS = 1.0
"""A budget that cannot be read in this time is taken as untouched: a database holds no answer up for longer."""

Told = SimpleQueue[int | OracleError]

log = structlog.get_logger("storage")


def tokens_since(moment: datetime) -> Select[int]:
    """Select how many tokens were read and written by models from `moment` on."""
    from sqlalchemy import func, select

    from storage.tables import TurnRow

    tokens = func.sum(TurnRow.prompt_tokens + TurnRow.answer_tokens)
    return select(func.coalesce(tokens, 0)).where(TurnRow.created_at >= moment)


def read_tokens_since(database: str | Path, moment: datetime) -> int:
    """Read how many tokens were spent from `moment` on; none where nothing was stored yet.

    Raises StorageUnavailable and ConfigurationError.
    """
    from storage.engine import open_database
    from storage.faults import storage_faults
    from storage.migrations import Schema, schema_of

    engine = open_database(database)
    try:
        if schema_of(engine) is Schema.EMPTY:
            return 0
        with storage_faults(engine), engine.connect() as connection:
            return int(connection.scalar(tokens_since(moment)) or 0)
    finally:
        engine.dispose()


class StoredSpending:
    """Tells what was spent since a moment; waits for it, but no longer than `wait_seconds`, and never raises.

    Whoever runs an event loop asks on a thread of its own.
    """

    def __init__(self, database: str | Path, wait_seconds: float = WAIT_SECONDS) -> None:
        self._database = database
        self._wait_seconds = wait_seconds
        self._begun: dict[datetime, Told] = {}

    def begin(self, moment: datetime) -> None:
        """Start reading what was spent since `moment`, so that whoever asks for it later need not wait."""
        self._begun[moment] = self._reading(moment)

    def __call__(self, moment: datetime) -> int:
        told = self._begun.pop(moment, None) or self._reading(moment)
        try:
            spent = told.get(timeout=self._wait_seconds)
        except Empty:
            spent = OracleError("the database did not answer in time")
        if isinstance(spent, OracleError):
            log.warning("what was spent before is not counted", reason=str(spent))
            return 0
        return spent

    def _reading(self, moment: datetime) -> Told:
        told: Told = SimpleQueue()
        # A daemon, so that a database that never answers cannot keep the program from ending.
        Thread(target=self._read, args=(moment, told), name="spending", daemon=True).start()
        return told

    def _read(self, moment: datetime, told: Told) -> None:
        try:
            told.put(read_tokens_since(self._database, moment))
        except OracleError as error:
            told.put(error)
        except Exception as error:  # noqa: BLE001 - the thread's outermost edge: whoever waits is told at once
            told.put(OracleError(f"the database cannot be read ({type(error).__name__})"))
