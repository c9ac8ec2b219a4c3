"""Durable claims: each message is answered once, whoever receives it and however often."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Engine, and_, select
from sqlalchemy.dialects import postgresql, sqlite

from bot.messages import MessageKey, Outcome
from bot.ports import Clock
from storage.engine import writing
from storage.faults import storage_faults
from storage.tables import ClaimRow

KEY = ("platform", "workspace", "channel", "message")
Insert = sqlite.Insert | postgresql.Insert


class DatabaseClaims:
    """Claims in a migrated database, safe between threads, processes and machines.

    Every method waits for the database (call it in a thread) and raises StorageUnavailable.
    """

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def claim(self, message: MessageKey) -> bool:
        """Take a message; False when somebody has it already, finished or not."""
        statement = self._insert(message, claimed_at=self._clock()).on_conflict_do_nothing(index_elements=KEY)
        with storage_faults(self._engine), writing(self._engine).begin() as connection:
            # For an INSERT the count has to be asked for: psycopg forgets it with the cursor.
            return connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount == 1

    def finish(self, message: MessageKey, end: Outcome, answer: MessageKey | None) -> None:
        """Write down how a message ended and where its answer stands; the first end stands.

        A message whose claim is gone (a database put back from a copy) is written down whole: it was answered.
        """
        now = self._clock()
        ending = {"finished_at": now, "outcome": end.value, **_answer_columns(answer)}
        statement = self._insert(message, claimed_at=now, **ending).on_conflict_do_update(
            index_elements=KEY, set_=ending, where=ClaimRow.finished_at.is_(None)
        )
        with storage_faults(self._engine), writing(self._engine).begin() as connection:
            connection.execute(statement)

    def unfinished(self, older_than: datetime) -> Sequence[MessageKey]:
        """List messages claimed before `older_than` that have not ended, oldest first."""
        statement = (
            select(ClaimRow.platform, ClaimRow.workspace, ClaimRow.channel, ClaimRow.message)
            .where(ClaimRow.finished_at.is_(None), ClaimRow.claimed_at < older_than)
            .order_by(ClaimRow.claimed_at, ClaimRow.message)
        )
        with storage_faults(self._engine), self._engine.connect() as connection:
            return [MessageKey(*row) for row in connection.execute(statement)]

    def answer_to(self, message: MessageKey) -> MessageKey | None:
        """Find the answer to a message, to change it or take it back; None when there is none."""
        statement = select(
            ClaimRow.answer_platform, ClaimRow.answer_workspace, ClaimRow.answer_channel, ClaimRow.answer_message
        ).where(_is(message), ClaimRow.answer_message.is_not(None))
        with storage_faults(self._engine), self._engine.connect() as connection:
            row = connection.execute(statement).one_or_none()
        return None if row is None else MessageKey(*(part or "" for part in row))

    def _insert(self, message: MessageKey, **values: Any) -> Insert:
        insert = sqlite.insert if self._engine.dialect.name == "sqlite" else postgresql.insert
        return insert(ClaimRow).values(**{part: getattr(message, part) for part in KEY}, **values)


def _is(message: MessageKey) -> ColumnElement[bool]:
    return and_(*(getattr(ClaimRow, part) == getattr(message, part) for part in KEY))


def _answer_columns(answer: MessageKey | None) -> dict[str, str | None]:
    return {f"answer_{part}": getattr(answer, part) if answer else None for part in KEY}
