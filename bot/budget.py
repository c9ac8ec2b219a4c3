"""A daily limit on the model's tokens, by the day in UTC."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import UTC, date, datetime

from bot.errors import BudgetSpent
from bot.messages import Usage
from bot.ports import Clock, Delta, LanguageModel, Prompt

CHARACTERS_A_TOKEN = 4  # a low estimate for Spanish, so a high count of tokens: used only where none is told

SpentSince = Callable[[datetime], int]
"""Tells how many tokens were spent since a moment, by whoever else: other processes, and this one before a restart.

It may wait for a database: it is called on a thread.
"""


def nothing_before(_: datetime) -> int:
    return 0


class DailyBudget:
    """Counts the tokens of a day, on one event loop. What was spent before the day's first call is asked for once."""

    def __init__(self, limit_tokens: int, clock: Clock, spent_since: SpentSince = nothing_before) -> None:
        self.limit_tokens = limit_tokens
        self._clock = clock
        self._spent_since = spent_since
        self._day: date | None = None
        self._asking = threading.Lock()
        self.spent_tokens = 0
        """How many tokens were spent on the day of the last call."""

    async def set_aside(self, tokens: int) -> None:
        """Count tokens about to be spent. Raises BudgetSpent, and counts none, when they do not fit into the day."""
        today = self._clock().astimezone(UTC).date()
        if today != self._day:
            await asyncio.to_thread(self._begin, today)
        # Nothing is awaited from here on: questions asked at once do not all pass the check.
        if self.spent_tokens + tokens > self.limit_tokens:
            raise BudgetSpent(
                f"the day's {self.limit_tokens} tokens are spent (model.daily_budget); they start anew at 00:00 UTC"
            )

        self.spent_tokens += tokens

    def spend(self, tokens: int) -> None:
        """Count tokens, also beyond the limit; a negative number gives back what was set aside."""
        self.spent_tokens = max(0, self.spent_tokens + tokens)

    def _begin(self, today: date) -> None:
        """Start the day's count, unless another question just did."""
        with self._asking:
            if self._day is not None and today <= self._day:
                return
            self.spent_tokens = self._spent_since(datetime(today.year, today.month, today.day, tzinfo=UTC))
            self._day = today


class BudgetedModel:
    """A language model that is not called once the day's tokens are spent."""

    def __init__(self, model: LanguageModel, budget: DailyBudget) -> None:
        self._model = model
        self._budget = budget

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        """Stream the model's answer and count it, whatever its end. Raises BudgetSpent instead of calling."""
        asked = (len(prompt.system) + len(prompt.user)) // CHARACTERS_A_TOKEN
        await self._budget.set_aside(asked)
        said_characters = 0
        told: Usage | None = None
        try:
            async with aclosing(self._model.stream(prompt)) as deltas:
                async for delta in deltas:
                    said_characters += len(delta.text)
                    told = delta.usage or told
                    yield delta
        finally:
            self._budget.spend(_cost(told, asked, said_characters) - asked)


def _cost(told: Usage | None, asked: int, said_characters: int) -> int:
    """Give what the model told, or an estimate for an answer that ended before it could; a call that failed is free."""
    if told is not None:
        return told.prompt_tokens + told.answer_tokens
    return asked + said_characters // CHARACTERS_A_TOKEN if said_characters else 0
