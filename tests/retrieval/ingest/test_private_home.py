"""What an index holds is its owner's alone, whatever the umask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wikis import Wiki, doc_ids, literal


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[Path]:
    """Give what others may reach: a folder that is closed guards what is in it, and counts all the same."""
    return [path for path in [folder, *folder.rglob("*")] if path.stat().st_mode & 0o077]


@pytest.mark.usefixtures("open_umask")
def test_a_new_home_and_all_that_an_ingest_writes_are_its_owners_alone(wiki: Wiki) -> None:
    wiki.write({"uno.md": "# Uno\n\nManzanas.\n"})
    wiki.graph_from_rows = 1
    wiki.ingest()
    assert wiki.home.stat().st_mode & 0o077 == 0
    assert open_to_others(wiki.home / "index") == [wiki.home / "index" / "CURRENT"]  # a name, in a closed folder
    assert open_to_others(wiki.home / "vectors.sqlite") == []


@pytest.mark.usefixtures("open_umask")
def test_a_home_that_was_open_keeps_its_mode_and_its_index_is_closed(wiki: Wiki) -> None:
    wiki.write({"uno.md": "# Uno\n\nManzanas.\n"})
    wiki.ingest()
    for path in [wiki.home, *wiki.home.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    wiki.ingest()
    assert wiki.home.stat().st_mode & 0o777 == 0o777
    assert open_to_others(wiki.home / "index") == [wiki.home / "index" / "CURRENT"]
    index = wiki.open()
    assert doc_ids(literal(index, "manzanas")) == ["uno.md"]
    index.close()
    wiki.write({"dos.md": "# Dos\n\nPeras.\n"})
    wiki.ingest()
    assert open_to_others(wiki.home / "vectors.sqlite") == []
