"""What importing storage costs: nothing that is not used."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "not_loaded"),
    [
        ("storage.turn_log", ["sqlalchemy", "alembic", "psycopg"]),
        ("storage.user_hash", ["sqlalchemy", "alembic", "psycopg"]),
        ("storage.telemetry", ["alembic", "psycopg"]),
        ("storage.claims", ["alembic", "psycopg"]),
        ("storage.migrations", ["alembic", "psycopg"]),
    ],
)
def test_importing_a_module_loads_only_what_it_uses(module: str, not_loaded: list[str]) -> None:
    program = f"import sys, {module}; print([name for name in {not_loaded} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_current_database_is_migrated_without_alembic(tmp_path: object) -> None:
    program = (
        "import sys; from storage.engine import open_database; from storage.migrations import migrate;"
        f"migrate(open_database('sqlite:///{tmp_path}/o.db')); print('alembic' in sys.modules)"
    )
    said = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
        for _ in range(2)
    ]
    assert said == ["True", "False"]
