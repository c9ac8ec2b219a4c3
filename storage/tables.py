"""The tables. A change here needs a migration beside it; a test compares the two."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Double, ForeignKey, Index, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from bot.messages import QUESTION_LIMIT_CHARACTERS
from storage.columns import Document, RowNumber, StoredText, UtcDateTime

# Names that do not depend on the database, so that a migration can name what it drops.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {str: StoredText(), datetime: UtcDateTime(), float: Double()}  # noqa: RUF012 - the library's name


class TurnRow(Base):
    """One turn. Never the answer's text, and of the user only a keyed hash."""

    __tablename__ = "turns"

    id: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(index=True)
    question: Mapped[str] = mapped_column(StoredText(QUESTION_LIMIT_CHARACTERS))
    mode: Mapped[str]
    route: Mapped[str]
    outcome: Mapped[str]
    platform: Mapped[str]
    workspace: Mapped[str]
    channel: Mapped[str]
    channel_kind: Mapped[str]
    thread: Mapped[str]
    sources_count: Mapped[int]
    top_relevance: Mapped[float | None]
    duration_ms: Mapped[float]
    stages_ms: Mapped[Mapping[str, float]] = mapped_column(Document)
    generation: Mapped[str]
    model: Mapped[str]
    prompt_tokens: Mapped[int]
    answer_tokens: Mapped[int]
    user_hash: Mapped[str]

    sources: Mapped[list[TurnSourceRow]] = relationship(
        cascade="all, delete-orphan", passive_deletes=True, order_by="(TurnSourceRow.rank, TurnSourceRow.id)"
    )


class TurnSourceRow(Base):
    """A page that a turn's answer cited."""

    __tablename__ = "turn_sources"

    id: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    turn_id: Mapped[int] = mapped_column(RowNumber, ForeignKey("turns.id", ondelete="CASCADE"), index=True)
    doc_id: Mapped[str] = mapped_column(index=True)
    rank: Mapped[int]
    retrieval: Mapped[str]


class ClaimRow(Base):
    """A message somebody took on; `finished_at`, `outcome` and the answer's place come when it ends."""

    __tablename__ = "claims"

    platform: Mapped[str] = mapped_column(primary_key=True)
    workspace: Mapped[str] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(primary_key=True)
    message: Mapped[str] = mapped_column(primary_key=True)
    claimed_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    outcome: Mapped[str | None]
    answer_platform: Mapped[str | None]
    answer_workspace: Mapped[str | None]
    answer_channel: Mapped[str | None]
    answer_message: Mapped[str | None]


# Few claims are ever unfinished, so this stays small however many messages there were.
Index(
    None,
    ClaimRow.claimed_at,
    sqlite_where=ClaimRow.finished_at.is_(None),
    postgresql_where=ClaimRow.finished_at.is_(None),
)
