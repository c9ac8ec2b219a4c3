"""The cache of vectors: what it keeps, what it lets go, and what it does with a file it cannot use."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import IngestFailed
from retrieval.ingest.vector_cache import VectorCache, text_hash
from retrieval.types import Vectors


def vectors_of(texts: Sequence[str]) -> dict[bytes, Vectors]:
    return {text_hash(text): np.full(4, len(text), np.float32) for text in texts}


def held(path: Path) -> int:
    with VectorCache(path, "model") as cache:
        return len(cache.get([text_hash(str(number)) for number in range(100)]))


def test_what_was_put_is_there_for_the_same_model_alone(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "v.sqlite", "model") as cache:
        cache.put(vectors_of(["1", "2"]))
    assert held(tmp_path / "v.sqlite") == 2
    with VectorCache(tmp_path / "v.sqlite", "another") as cache:
        assert cache.get([text_hash("1")]) == {}


def test_a_file_that_is_no_database_is_put_aside_and_the_cache_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"this is no database" * 500)
    with VectorCache(path, "model") as cache:
        cache.put(vectors_of(["1"]))
    assert held(path) == 1
    assert (tmp_path / "v.sqlite.damaged").read_bytes().startswith(b"this is no database")


def test_a_locked_cache_is_kept_and_the_error_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    with VectorCache(path, "model") as cache:
        cache.put(vectors_of(["1"]))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("DELETE FROM vectors WHERE embedder = 'nobody'")
    with pytest.raises(IngestFailed, match=r"^\S+v.sqlite cannot be written \(database is locked\); wait"):
        VectorCache(path, "model", wait_seconds=0.05)
    other.execute("ROLLBACK")
    other.close()
    assert held(path) == 1
    assert not (tmp_path / "v.sqlite.damaged").exists()


def test_a_full_disk_while_vectors_are_put_keeps_the_ones_before(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    with VectorCache(path, "model") as cache:
        cache.put(vectors_of(["1"]))
        [[pages]] = cache._connection.execute("PRAGMA page_count")
        cache._connection.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(IngestFailed, match=r"full.*make room on its disk"):
            cache.put({text_hash(str(number)): np.zeros(2000, np.float32) for number in range(10, 20)})
    assert held(path) == 1


def test_damage_inside_the_file_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    with VectorCache(path, "model") as cache:
        cache.put({text_hash(str(number)): np.zeros(384, np.float32) for number in range(100)})
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xff" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    with VectorCache(path, "model") as cache, pytest.raises(IngestFailed, match=r"^[^\n]+ move it away[^\n]+$"):
        cache.get([text_hash(str(number)) for number in range(100)])


def test_a_folder_where_the_file_should_be_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "v.sqlite").mkdir()
    with pytest.raises(IngestFailed, match=r"v.sqlite cannot be written \(Is a directory\); mend that"):
        VectorCache(tmp_path / "v.sqlite", "model")


def test_vectors_nobody_needs_go_once_they_are_more_than_those_needed(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "v.sqlite", "model") as cache:
        cache.put(vectors_of([str(number) for number in range(10)]))
        cache.keep_only(text_hash(str(number)) for number in [*range(5), *range(5)])
        assert len(cache.get([text_hash(str(number)) for number in range(10)])) == 10
        cache.keep_only(text_hash(str(number)) for number in range(4))
        assert set(cache.get([text_hash(str(number)) for number in range(10)])) == {text_hash(c) for c in "0123"}
        cache.keep_only(())
        cache.put(vectors_of(["1"]))  # nothing is left open
    assert held(tmp_path / "v.sqlite") == 1
