"""The keyed hash of a user, and its key."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import StorageUnavailable
from storage.user_hash import load_key, user_hash
from tests.storage.processes import Processes


def test_the_hash_is_hmac_sha256() -> None:
    key = bytes(range(32))
    # printf 'slack\0U1' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102...1f
    assert user_hash(key, "slack", "U1") == "3d54c227d204423365d37472a4648ce5e55f17ccbc1c387529de702c47d9446a"


@given(st.text(alphabet=st.characters(), min_size=1), st.binary(min_size=32, max_size=32))
def test_any_user_has_one_hash_for_each_key_and_platform(user: str, key: bytes) -> None:
    assert user_hash(key, "slack", user) == user_hash(key, "slack", user)
    assert user_hash(key, "slack", user) != user_hash(key, "discord", user)
    assert user_hash(key, "slack", user) != user_hash(bytes(32 * [key[0] ^ 1]), "slack", user)


def test_nobody_is_not_hashed() -> None:
    assert user_hash(b"k" * 32, "console", "") == ""


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "home" / "user.key"
    key = load_key(path)
    assert len(key) == 32
    assert load_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["user.key"]


def test_two_homes_have_two_keys(tmp_path: Path) -> None:
    assert load_key(tmp_path / "a") != load_key(tmp_path / "b")


def test_processes_that_race_for_the_key_get_the_same_one(tmp_path: Path, processes: Processes) -> None:
    keys = processes.race(4, "key", str(tmp_path / "home" / "user.key"))
    assert set(keys) == {load_key(tmp_path / "home" / "user.key").hex()}


@pytest.mark.parametrize("content", [b"", b"not hexadecimal", b"ab" * 31, "clave ñ".encode()])
def test_a_file_that_is_not_a_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "user.key"
    path.write_bytes(content)
    with pytest.raises(StorageUnavailable, match=r"is not a key; restore it, or delete it"):
        load_key(path)
    assert path.read_bytes() == content


def test_a_key_that_cannot_be_made_is_one_line_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageUnavailable, match="give this user access"):
        load_key(tmp_path / "file" / "user.key")
