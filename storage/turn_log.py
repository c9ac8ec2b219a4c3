"""Telemetry off the answer's path: a turn is put in line at once, and a thread stores it when the database lets it.

The database is opened, migrated and written on that thread alone, and SQLAlchemy is imported there: nothing a database
does or fails to do reaches an answer. Turns wait in memory while it is away, up to the line's capacity.
"""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from types import TracebackType
from typing import Self
from weakref import WeakSet

from bot.messages import TurnRecord
from storage.turn_queue import TurnQueue
from storage.turn_writer import FIRST_PAUSE_SECONDS, TurnSink, TurnWriter

# An attempt that takes longer waits for another program, and waits where a fork does no harm.
FORK_PATIENCE_SECONDS = 1.0
CAPACITY_TURNS = 1000  # a few megabytes, and hours of a busy team's questions


class BoundedTurnLog:
    """A TurnLog that stores turns in a database (a URL, or a SQLite file's path) as long as it can.

    `key_file` holds the key that hashes users. The thread starts with the first turn; `close` stores what is in line,
    and so does the end of the program.
    """

    def __init__(
        self,
        database: str | Path,
        key_file: Path,
        *,
        capacity: int = CAPACITY_TURNS,
        retry_seconds: float = FIRST_PAUSE_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._key_file = key_file
        self._capacity = capacity
        self._retry_seconds = retry_seconds
        self._monotonic = monotonic
        self.begin_anew()
        _LOGS.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def lost(self) -> int:
        """How many turns were not stored and never will be."""
        return self._queue.lost

    def record(self, turn: TurnRecord) -> None:
        """Put a turn in line; it is lost, and counted, when the line is full or the log closed."""
        self._queue.put(turn)
        if self._thread is None:
            self._start()

    def close(self, timeout_seconds: float = 5.0) -> None:
        """Store what is in line and stop; what the database does not take in time is lost."""
        self._queue.close()
        atexit.unregister(self.close)
        if self._thread is not None:
            self._thread.join(timeout_seconds)
        self._queue.abandon()
        self._writer.warn_of_losses("the database did not take the last turns in time")

    def begin_anew(self) -> None:
        """Start with an empty line and no thread, as a forked child must: the parent's are not its own."""
        self._queue = TurnQueue(self._capacity)
        self._writer = TurnWriter(
            self._queue, self._open_sink, retry_seconds=self._retry_seconds, monotonic=self._monotonic
        )
        self._starting = Lock()
        self._held = False
        self._thread: Thread | None = None

    def hold_still(self) -> None:
        """Let no attempt to write be under way, unless it hangs; until `go_on`."""
        self._held = self._writer.attempt.acquire(timeout=FORK_PATIENCE_SECONDS)

    def go_on(self) -> None:
        if self._held:
            self._writer.attempt.release()

    def _start(self) -> None:
        with self._starting:
            if self._thread is not None or self._queue.closing:
                return
            # A daemon, so that a database that never answers cannot keep the program from ending.
            thread = Thread(target=self._writer.run, name="turn-log", daemon=True)
            # When there is no thread to be had the turn stays in line, and the next one tries again.
            with suppress(RuntimeError):
                thread.start()
                self._thread = thread
                atexit.register(self.close)

    def _open_sink(self) -> TurnSink:
        # SQLAlchemy loads here, off the answer's path.
        from storage.turn_store import open_turn_store

        return open_turn_store(self._database, self._key_file)


_LOGS: WeakSet[BoundedTurnLog] = WeakSet()


def _for_each_log(act: Callable[[BoundedTurnLog], None]) -> Callable[[], None]:
    def act_on_all() -> None:
        for turn_log in list(_LOGS):
            act(turn_log)

    return act_on_all


# A child forked in the middle of an attempt would inherit half an import, or a lock of SQLite's own, for good.
os.register_at_fork(
    before=_for_each_log(BoundedTurnLog.hold_still),
    after_in_parent=_for_each_log(BoundedTurnLog.go_on),
    after_in_child=_for_each_log(BoundedTurnLog.begin_anew),
)
