"""What a waiting user has been told so far; a broken screen never costs the answer."""

from __future__ import annotations

import structlog

from bot.messages import Stage
from bot.ports import Progress

log = structlog.get_logger(__name__)


class Telling:
    """Passes stages and pieces of the answer on to a Progress, and keeps what was said.

    A Progress that fails is logged once and left alone: the whole answer comes at the end anyway.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress: Progress | None = progress
        self.said = ""

    async def stage(self, stage: Stage) -> None:
        if self._progress is not None:
            try:
                await self._progress.stage(stage)
            except Exception as error:  # noqa: BLE001  # whatever an adapter does, the question goes on
                self._give_up(error)

    async def say(self, piece: str) -> None:
        self.said += piece
        if self._progress is not None:
            try:
                await self._progress.say(piece)
            except Exception as error:  # noqa: BLE001  # the same
                self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        log.warning("progress cannot be shown", error=type(error).__name__)
        self._progress = None
