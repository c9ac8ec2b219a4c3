"""The bounded line of turns between the answers, which never wait, and the one thread that writes."""

from __future__ import annotations

from collections import deque
from itertools import islice
from threading import Condition

from bot.messages import TurnRecord


class TurnQueue:
    """First in, first out. A turn stays in line until it is stored, so memory holds `capacity` turns and no more."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._turns: deque[TurnRecord] = deque()
        self._changed = Condition()
        self._closing = False
        self._lost = 0

    @property
    def closing(self) -> bool:
        return self._closing

    @property
    def lost(self) -> int:
        """How many turns will never be stored."""
        return self._lost

    @property
    def waiting(self) -> int:
        return len(self._turns)

    def put(self, turn: TurnRecord) -> None:
        """Add a turn, or lose it when the line is full or closed; at once either way."""
        with self._changed:
            if self._closing or len(self._turns) >= self._capacity:
                self._lost += 1
                return
            self._turns.append(turn)
            self._changed.notify_all()

    def first(self, limit: int) -> list[TurnRecord]:
        """Give the oldest turns, which stay in line; wait for one. Empty only when closed and drained."""
        with self._changed:
            self._changed.wait_for(lambda: self._turns or self._closing)
            return list(islice(self._turns, limit))

    def forget(self, count: int, *, lost: int = 0) -> None:
        """Take the oldest `count` turns out of line, `lost` of them never stored."""
        with self._changed:
            self._lost += lost
            for _ in range(min(count, len(self._turns))):
                self._turns.popleft()

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until the line is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing, seconds)

    def close(self) -> None:
        """Take no more turns; what is in line may still be written."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Lose what is still in line."""
        with self._changed:
            self._lost += len(self._turns)
            self._turns.clear()
