"""What alembic needs to know, given in code: there is no alembic.ini to lose or to disagree with storage.url."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from sqlalchemy import Connection


def alembic_config(connection: Connection) -> Config:
    """Point alembic at the migrations beside this file and at a connection inside the caller's transaction."""
    config = Config()
    # Alembic reads % as an interpolation, and the folder's name is not ours to choose.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
