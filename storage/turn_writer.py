"""The turn log's thread: takes turns from the line and stores them, through a database's bad days."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Protocol

import structlog

from bot.errors import StorageUnavailable
from bot.messages import TurnRecord
from retrieval.errors import OracleError
from storage.turn_queue import TurnQueue

BATCH_TURNS = 100
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
WARNING_INTERVAL_SECONDS = 60.0

log = structlog.get_logger("storage")


class TurnsRefused(OracleError):
    """The database will never take these turns, for what they hold; others it takes."""


class TurnSink(Protocol):
    """Where turns go: all of a batch or none. Raises TurnsRefused, or StorageUnavailable when later may do."""

    def write(self, turns: Sequence[TurnRecord]) -> None: ...
    def close(self) -> None: ...


class TurnWriter:
    """What the thread runs. `open_sink` is called on the thread, and again after every fault.

    `attempt` is held while the database is opened or written.
    """

    def __init__(
        self,
        queue: TurnQueue,
        open_sink: Callable[[], TurnSink],
        *,
        retry_seconds: float = FIRST_PAUSE_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._open_sink = open_sink
        self._retry_seconds = self._pause_seconds = retry_seconds
        self._monotonic = monotonic
        self._sink: TurnSink | None = None
        self.attempt = Lock()
        self._one_by_one = 0
        self._warned_at: float | None = None
        self._lost_told = 0

    def run(self) -> None:
        """Store turns until the line is closed and empty, or closed and the database away."""
        while turns := self._queue.first(1 if self._one_by_one else BATCH_TURNS):
            last_attempt = self._queue.closing
            try:
                with self.attempt:
                    self._store(turns)
            except OracleError as error:
                self.warn(str(error))
                self._close_sink()
                if last_attempt:
                    break
                self._queue.pause(self._pause_seconds)
                self._pause_seconds = min(self._pause_seconds * 2, LONGEST_PAUSE_SECONDS)
            except Exception as error:  # noqa: BLE001 - the thread's outermost edge: one turn is lost, not all to come
                # By its name alone: what it says may quote what was being stored, and that is private.
                self._refused(turns, f"a turn could not be written ({type(error).__name__})")
        self._close_sink()

    def warn(self, reason: str) -> None:
        """Say that telemetry is not being stored, and how much is lost; at most once a minute."""
        now = self._monotonic()
        if self._warned_at is not None and now - self._warned_at < WARNING_INTERVAL_SECONDS:
            return
        self._warned_at = now
        self._lost_told = self._queue.lost
        # Standard error may be closed or a broken pipe; the turns matter more than the warning.
        with suppress(OSError, ValueError):
            log.warning(
                "telemetry is not being stored", reason=reason, waiting=self._queue.waiting, lost=self._lost_told
            )

    def warn_of_losses(self, reason: str) -> None:
        """Warn when turns were lost that no warning has told of."""
        if self._queue.lost > self._lost_told:
            self.warn(reason)

    def _store(self, turns: Sequence[TurnRecord]) -> None:
        if self._sink is None:
            self._sink = self._opened()
        try:
            self._sink.write(turns)
        except TurnsRefused as error:
            self._refused(turns, str(error))
            return
        self._queue.forget(len(turns))
        self._one_by_one = max(0, self._one_by_one - 1)
        self._pause_seconds = self._retry_seconds
        self.warn_of_losses("more turns came than the line holds")

    def _opened(self) -> TurnSink:
        """Open the database. Whatever keeps it from opening keeps every turn from being stored: later may do."""
        try:
            return self._open_sink()
        except OracleError:
            raise
        except Exception as error:
            raise StorageUnavailable(f"the database cannot be opened ({type(error).__name__})") from error

    def _refused(self, turns: Sequence[TurnRecord], reason: str) -> None:
        # One bad turn must not take the others of its batch with it.
        if len(turns) > 1:
            self._one_by_one = len(turns)
            return
        self._one_by_one = max(0, self._one_by_one - 1)
        self._queue.forget(1, lost=1)
        self.warn(reason)

    def _close_sink(self) -> None:
        if self._sink is not None:
            self._sink.close()
            self._sink = None
