"""The first tables: turns with their sources, and claims."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Spelt out and not taken from storage.columns: a migration stays what it was when the tables move on.
ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "turns",
        sa.Column("id", ROW_NUMBER, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("question", sa.String(500), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("route", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("channel_kind", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("sources_count", sa.Integer(), nullable=False),
        sa.Column("top_relevance", sa.Double(), nullable=True),
        sa.Column("duration_ms", sa.Double(), nullable=False),
        sa.Column("stages_ms", DOCUMENT, nullable=False),
        sa.Column("generation", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("answer_tokens", sa.Integer(), nullable=False),
        sa.Column("user_hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
    )
    op.create_index("ix_turns_created_at", "turns", ["created_at"])
    op.create_table(
        "turn_sources",
        sa.Column("id", ROW_NUMBER, nullable=False),
        sa.Column("turn_id", ROW_NUMBER, nullable=False),
        sa.Column("doc_id", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("retrieval", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_turn_sources"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_turn_sources_turn_id_turns", ondelete="CASCADE"),
    )
    op.create_index("ix_turn_sources_turn_id", "turn_sources", ["turn_id"])
    op.create_index("ix_turn_sources_doc_id", "turn_sources", ["doc_id"])
    op.create_table(
        "claims",
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("workspace", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("claimed_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("answer_platform", sa.String(), nullable=True),
        sa.Column("answer_workspace", sa.String(), nullable=True),
        sa.Column("answer_channel", sa.String(), nullable=True),
        sa.Column("answer_message", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("platform", "workspace", "channel", "message", name="pk_claims"),
    )
    op.create_index(
        "ix_claims_claimed_at",
        "claims",
        ["claimed_at"],
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("claims")
    op.drop_table("turn_sources")
    op.drop_table("turns")
