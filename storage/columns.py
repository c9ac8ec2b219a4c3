"""Column types that read back the same from SQLite and from PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Integer, String, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB

# SQLite numbers rows by itself only in a column whose type is exactly INTEGER.
RowNumber = BigInteger().with_variant(Integer(), "sqlite")
Document = JSON().with_variant(JSONB(), "postgresql")


def storable(text: str, limit_characters: int | None = None) -> str:
    """Give the nearest text every database takes: no NUL, no lone surrogate, at most `limit_characters`.

    Two surrogates that make a character together become that character.
    """
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return paired.replace("\0", "")[:limit_characters]


class StoredText(TypeDecorator[str]):
    """Text made storable on its way in, cut to the column's length where it has one."""

    impl = String
    cache_ok = True

    def __init__(self, limit_characters: int | None = None) -> None:
        super().__init__(limit_characters)
        self.limit_characters = limit_characters

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the library's signature
        return None if value is None else storable(value, self.limit_characters)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, stored in UTC and read back aware; a time without a zone is refused (ValueError)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        # SQLite gives the time back without its zone, PostgreSQL in the connection's zone.
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
