"""Folders and files that only their owner may open, whatever the umask says: pages of a wiki may be private."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWNERS_FOLDER, OWNERS_FILE = 0o700, 0o600


def private_folder(folder: Path) -> None:
    """Make a folder for its owner alone. One that is there keeps its mode: other things may stand in it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(OWNERS_FOLDER)
    except FileExistsError:
        if not folder.is_dir():
            raise
    else:
        folder.chmod(OWNERS_FOLDER)


def private_file(path: Path) -> None:
    """Make a file for its owner alone before anything is written to it; one that is there is closed to others."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNERS_FILE))
    close_to_others(path)


def close_to_others(path: Path) -> None:
    """Take group's and others' rights away from a file, or a folder and all it holds; what is not ours stays."""
    for each in [path, *path.rglob("*")]:
        with suppress(OSError):
            each.chmod(OWNERS_FOLDER if each.is_dir() else OWNERS_FILE)
