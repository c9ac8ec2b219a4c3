"""What is said when an index cannot be written: one line, with the mend."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from retrieval.errors import IngestFailed, one_line

_NO_ROOM = (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # numpy tells no number, and usearch nothing
_NO_ACCESS = (errno.EACCES, errno.EPERM, errno.EROFS)
_EXTENDED = 0xFF  # the lower byte of SQLite's error code is the kind of error

MAKE_ROOM = "make room on its disk"
GIVE_ACCESS = "give this user access to it"
_BY_KIND = {
    sqlite3.SQLITE_FULL: MAKE_ROOM,
    sqlite3.SQLITE_IOERR: "make room on its disk, or mend the disk",
    sqlite3.SQLITE_READONLY: GIVE_ACCESS,
    sqlite3.SQLITE_CANTOPEN: GIVE_ACCESS,
    sqlite3.SQLITE_PERM: GIVE_ACCESS,
    sqlite3.SQLITE_BUSY: "wait until no other program works on it",
    sqlite3.SQLITE_LOCKED: "wait until no other program works on it",
}
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def explained(place: Path) -> Iterator[None]:
    """Turn what the system, SQLite, Tantivy or usearch says of a write to `place` into IngestFailed."""
    try:
        yield
    except sqlite3.Error as error:
        mend = _BY_KIND.get(kind_of(error), "move it away, and it is made anew")
        raise _failed(place, error, mend) from error
    except OSError as error:
        raise _failed(error.filename or place, error, _mend(error)) from error


def kind_of(error: sqlite3.Error) -> int:
    """Give the kind of an error of SQLite, such as SQLITE_FULL; 0 for a misuse that Python itself found."""
    return getattr(error, "sqlite_errorcode", 0) & _EXTENDED


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether the file itself is at fault, and not the disk, the rights or another program."""
    return kind_of(error) in _DAMAGED


def _mend(error: OSError) -> str:
    if error.errno in _NO_ACCESS:
        return GIVE_ACCESS
    return MAKE_ROOM if error.errno in _NO_ROOM else "mend that"


def _failed(place: object, error: Exception, mend: str) -> IngestFailed:
    reason = (isinstance(error, OSError) and error.strerror) or one_line(error)
    return IngestFailed(
        f"{place} cannot be written ({reason}); {mend} and run `oraculo ingest` again (what was embedded is kept)"
    )
