"""The keyed hash that stands for a user in telemetry.

The key is a file of the bot's home and not a row of the database: user ids are short and can be tried one by one, so
whoever holds a copy of the database (a backup, a shared server) must not hold the key with it. Deleting the file cuts
what is stored from the people who asked: from then on everyone counts as new. Several machines that share a database
count a user once when they share the file too.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from bot.errors import StorageUnavailable

KEY_BYTES = 32


def user_hash(key: bytes, platform: str, user: str) -> str:
    """Hash a platform's user id with HMAC-SHA256, in hexadecimal; nobody ("") stays nobody."""
    if not user:
        return ""
    identity = f"{platform}\0{user}".encode("utf-8", "surrogatepass")
    return hmac.new(key, identity, hashlib.sha256).hexdigest()


def load_key(path: Path) -> bytes:
    """Read the key, made on first use and readable by its owner alone; processes that race for it get the same one.

    Raises StorageUnavailable when it can be neither read nor made, or is not a key.
    """
    try:
        if not path.exists():
            _make_key(path)
        key = bytes.fromhex(path.read_text("ascii").strip())
    except ValueError:
        key = b""
    except OSError as error:
        raise StorageUnavailable(
            f"{path}: the key that hashes users cannot be read or made ({error.strerror}); "
            "give this user access to the file and its folder"
        ) from error
    if len(key) != KEY_BYTES:
        raise StorageUnavailable(f"{path}: this is not a key; restore it, or delete it and users count as new")
    return key


def _make_key(path: Path) -> None:
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(KEY_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # A link, unlike a rename, never replaces the key another process has just made.
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
