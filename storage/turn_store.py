"""Writing turns: the database end of the turn log, used by its writer's thread alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError, StatementError
from sqlalchemy.orm import Session

from bot.messages import TurnRecord
from storage.columns import storable
from storage.engine import open_database, writing
from storage.faults import storage_faults
from storage.migrations import migrate
from storage.tables import TurnRow, TurnSourceRow
from storage.turn_writer import TurnsRefused
from storage.user_hash import load_key, user_hash


class TurnStore:
    """A migrated database that takes turns. Close it when done."""

    def __init__(self, engine: Engine, key: bytes) -> None:
        self._engine = engine
        self._key = key

    def write(self, turns: Sequence[TurnRecord]) -> None:
        """Store all the turns, or none. Raises TurnsRefused, or StorageUnavailable when it may take them later."""
        with storage_faults(self._engine):
            try:
                with Session(writing(self._engine)) as session, session.begin():
                    session.add_all([_row(turn, self._key) for turn in turns])
            except (SQLAlchemyError, ValueError, TypeError, ArithmeticError) as error:
                if isinstance(error, SQLAlchemyError) and not _refusal(error):
                    raise
                raise TurnsRefused(f"the database does not take what a turn holds ({type(error).__name__})") from error

    def close(self) -> None:
        self._engine.dispose()


def open_turn_store(database: str | Path, key_file: Path) -> TurnStore:
    """Open and migrate a database for turns. Raises StorageUnavailable and ConfigurationError."""
    engine = open_database(database)
    try:
        migrate(engine)
        return TurnStore(engine, load_key(key_file))
    except BaseException:
        engine.dispose()
        raise


def _refusal(error: SQLAlchemyError) -> bool:
    if isinstance(error, DBAPIError):
        return isinstance(error, DataError | IntegrityError)
    # A column type refused the value before the database saw it.
    return isinstance(error, StatementError)


def _row(turn: TurnRecord, key: bytes) -> TurnRow:
    return TurnRow(
        created_at=turn.created_at,
        question=turn.question,
        mode=turn.mode,
        route=turn.route,
        outcome=turn.outcome,
        platform=turn.platform,
        workspace=turn.workspace,
        channel=turn.channel,
        channel_kind=turn.channel_kind,
        thread=turn.thread,
        sources_count=turn.sources_count,
        top_relevance=_finite(turn.top_relevance),
        duration_ms=turn.duration_ms,
        stages_ms=_stages(turn.stages_ms),
        generation=turn.generation,
        model=turn.model,
        prompt_tokens=turn.prompt_tokens,
        answer_tokens=turn.answer_tokens,
        user_hash=user_hash(key, turn.platform, turn.user),
        sources=[TurnSourceRow(doc_id=doc_id, rank=rank, retrieval=how) for doc_id, rank, how in turn.sources],
    )


def _finite(number: float | None) -> float | None:
    # The two databases keep "not a number" in different ways, and JSON knows none.
    return number if number is not None and math.isfinite(number) else None


def _stages(stages_ms: Mapping[str, float]) -> dict[str, float]:
    return {storable(stage): ms for stage, ms in stages_ms.items() if math.isfinite(ms)}
