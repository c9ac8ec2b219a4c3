"""An event loop whose time one moves on by hand, so that no test waits for a limit, and none races with it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock runs as always, and jumps when `skip` says so."""

    _skipped_seconds = 0.0

    def time(self) -> float:
        return super().time() + self._skipped_seconds

    def skip(self, seconds: float) -> None:
        """Let this much time have passed."""
        self._skipped_seconds += seconds


def skip(seconds: float) -> None:
    """Let time pass on the running loop, which must be a SkippingLoop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skip(seconds)


def run_with_skips(test: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a SkippingLoop of its own."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(test)
