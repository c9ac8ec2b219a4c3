"""Reading telemetry: functions that give a Select, and the rows as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, Select, select
from sqlalchemy.orm import Session, selectinload

from bot.errors import StorageUnavailable
from storage.faults import place, storage_faults
from storage.migrations import Schema, schema_of
from storage.tables import TurnRow, TurnSourceRow


@dataclass(frozen=True, slots=True)
class TurnSource:
    """A page the answer cited. `retrieval` is how it was found: semantic, exact or both."""

    doc_id: str
    rank: int
    retrieval: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One stored turn. `created_at` is in UTC; `top_relevance` is None when nothing was found."""

    id: int
    created_at: datetime
    question: str
    mode: str
    route: str
    outcome: str
    platform: str
    workspace: str
    channel: str
    channel_kind: str
    thread: str
    sources_count: int
    top_relevance: float | None
    duration_ms: float
    stages_ms: Mapping[str, float]
    generation: str
    model: str
    prompt_tokens: int
    answer_tokens: int
    user_hash: str
    sources: tuple[TurnSource, ...]


def latest_turns(limit: int) -> Select[TurnRow]:
    """Select the last `limit` turns with their sources, newest first."""
    return (
        select(TurnRow)
        .options(selectinload(TurnRow.sources))
        .order_by(TurnRow.created_at.desc(), TurnRow.id.desc())
        .limit(limit)
    )


def read_turns(engine: Engine, limit: int) -> Sequence[Turn]:
    """Read the last `limit` turns, newest first; none where nothing was stored yet.

    Raises StorageUnavailable.
    """
    with storage_faults(engine):
        schema = schema_of(engine)
        if schema is Schema.EMPTY:
            return ()
        if schema is Schema.BEHIND:
            raise StorageUnavailable(f"{place(engine.url)} was made by an older version; run `oraculo migrate`")
        with Session(engine) as session:
            return tuple(_turn(row) for row in session.scalars(latest_turns(limit)))


def _turn(row: TurnRow) -> Turn:
    columns = {column.key: getattr(row, column.key) for column in TurnRow.__table__.columns}
    return Turn(**columns, sources=tuple(map(_source, row.sources)))


def _source(row: TurnSourceRow) -> TurnSource:
    return TurnSource(row.doc_id, row.rank, row.retrieval)
