"""What answering needs of the outside, and one question on its way through it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.messages import Question
from bot.ports import Clock, LanguageModel, Reranker, Texts, TurnLog
from bot.telling import Telling
from retrieval import Generation
from retrieval.stopwatch import Stopwatch


def unguessable_word() -> str:
    """Give a word that nobody who writes in the wiki can know."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Services:
    """What answering needs. `index` gives the generation that serves now; without `model`, answers quote the pages.

    `reranker` orders the passages before the first `top_k` are taken; without one they keep the order of the search.
    `floor` is on the calibrated relevance, 0..1. `fence` gives an unguessable word; `elapsed_seconds` is a clock that
    only goes forward.
    """

    index: Callable[[], Generation]
    model: LanguageModel | None
    turn_log: TurnLog
    texts: Texts
    clock: Clock
    reranker: Reranker | None = None
    floor: float = 0.4
    top_k: int = 8
    fence: Callable[[], str] = unguessable_word
    elapsed_seconds: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class Turn:
    """One question on its way, with what goes along."""

    question: Question
    services: Services
    telling: Telling
    watch: Stopwatch
