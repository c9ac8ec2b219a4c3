"""Opening a database: what it is like when open, and one clear line when it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from retrieval.errors import ConfigurationError
from storage.engine import open_database
from storage.migrations import migrate


def test_opening_touches_nothing(tmp_path: Path) -> None:
    open_database(tmp_path / "home" / "oraculo.db").dispose()
    assert list(tmp_path.iterdir()) == []


def test_sqlite_is_in_wal_with_foreign_keys_and_a_busy_timeout(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "oraculo.db")
    migrate(engine)
    with engine.connect() as connection:
        answers = [
            connection.scalar(text(f"PRAGMA {name}")) for name in ("journal_mode", "foreign_keys", "busy_timeout")
        ]
    assert answers == ["wal", 1, 5000]


def test_the_url_may_set_its_own_busy_timeout(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'oraculo.db'}?timeout=0.25")
    migrate(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("PRAGMA busy_timeout")) == 250


def test_any_file_name_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mi casa ñ" / "50% a?b#c&d.db"
    migrate(open_database(file))
    assert file.is_file()


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_through_psycopg_3(scheme: str) -> None:
    engine = open_database(f"{scheme}://user:secret@db.example.org/oraculo")
    assert engine.dialect.driver == "psycopg"


@pytest.mark.parametrize(
    ("url", "mend"),
    [
        ("", "write sqlite:///FILE or postgresql://"),
        ("oraculo.db", "write sqlite:///FILE or postgresql://"),
        ("mysql://user:secret@host/oraculo", "write sqlite:///FILE or postgresql://"),
        ("postgresql://user:secret@host:port/oraculo", "write sqlite:///FILE or postgresql://"),
        ("postgres://user:secret@host/oraculo", "write postgresql://"),
        ("postgresql+asyncpg://user:secret@host/oraculo", "write postgresql://USER:PASSWORD@HOST/NAME"),
        ("sqlite+aiosqlite:///oraculo.db", "write sqlite:///FILE"),
        ("sqlite://", "write sqlite:///FILE"),
        ("sqlite:///:memory:", "write sqlite:///FILE"),
        ("sqlite:///file:oraculo.db?uri=true", "write sqlite:///FILE"),
        ("sqlite://host/oraculo.db", "write sqlite:///FILE"),
        ("sqlite:///oraculo.db?timeout=soon", "write sqlite:///FILE"),
        ("sqlite:///oraculo.db?check_same_thread=perhaps", "write sqlite:///FILE"),
    ],
)
def test_a_url_that_cannot_be_used_is_one_line_with_the_mend_and_no_secret(url: str, mend: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        open_database(url)
    message = str(raised.value)
    assert "storage.url" in message
    assert mend in message
    assert "\n" not in message
    assert "secret" not in message
