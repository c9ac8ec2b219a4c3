"""The day's tokens."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.budget import BudgetedModel, DailyBudget
from bot.errors import BudgetSpent, ModelUnavailable
from bot.ports import Prompt
from tests.fakes import FakeModel

PROMPT = Prompt(system="s" * 200, user="u" * 200)  # about 100 tokens
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Hand:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


async def ask(model: BudgetedModel) -> str:
    async with aclosing(model.stream(PROMPT)) as deltas:
        return "".join([delta.text async for delta in deltas])


async def test_the_model_is_called_until_the_tokens_are_spent() -> None:
    fake = FakeModel(["Uno.", "Dos.", "Tres."])
    budget = DailyBudget(250, Hand())
    model = BudgetedModel(fake, budget)
    assert await ask(model) == "Uno."  # 120 tokens, as the fake tells
    assert await ask(model) == "Dos."
    with pytest.raises(BudgetSpent, match=r"250 tokens are spent \(model.daily_budget\)"):
        await ask(model)
    assert len(fake.prompts) == 2
    assert budget.spent_tokens == 240


async def test_a_new_day_in_utc_starts_anew() -> None:
    clock = Hand()
    budget = DailyBudget(150, clock)
    model = BudgetedModel(FakeModel(["Uno.", "Dos."]), budget)
    await ask(model)
    clock.now = datetime(2026, 3, 2, 23, 30, tzinfo=timezone(timedelta(hours=-3)))  # the 3rd in UTC
    assert await ask(model) == "Dos."


async def test_what_was_spent_before_a_restart_counts() -> None:
    asked: list[datetime] = []

    def spent_since(moment: datetime) -> int:
        asked.append(moment)
        return 200

    budget = DailyBudget(250, Hand(), spent_since)
    model = BudgetedModel(FakeModel(["Uno."]), budget)
    with pytest.raises(BudgetSpent):
        await ask(model)
    assert budget.spent_tokens == 200
    assert asked == [datetime(2026, 3, 2, tzinfo=UTC)]


async def test_what_was_spent_before_is_asked_for_once_and_never_on_the_event_loop() -> None:
    asked: list[datetime] = []
    loop, begun, loop_ran = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def spent_since(moment: datetime) -> int:
        asked.append(moment)
        loop.call_soon_threadsafe(begun.set)
        assert loop_ran.wait(30)  # on the event loop, nobody could ever set it
        return 200

    fake = FakeModel(["Uno.", "Dos.", "Tres."])
    model = BudgetedModel(fake, DailyBudget(350, Hand(), spent_since))
    questions = [asyncio.create_task(ask(model)) for _ in range(3)]
    await begun.wait()
    loop_ran.set()
    ends = await asyncio.gather(*questions, return_exceptions=True)
    assert len(asked) == 1
    # 200 and 100 set aside: asked at once, only one fits.
    assert [type(end) for end in ends].count(BudgetSpent) == 2
    assert len(fake.prompts) == 1


async def test_a_call_across_midnight_waits_for_no_database_at_its_end() -> None:
    clock, asked = Hand(), list[datetime]()

    def spent_since(moment: datetime) -> int:
        asked.append(moment)
        return 0

    budget = DailyBudget(1_000, clock, spent_since)
    async with aclosing(BudgetedModel(FakeModel(["Uno."]), budget).stream(PROMPT)) as deltas:
        await anext(deltas)
        clock.now += timedelta(days=1)
    assert len(asked) == 1


async def test_a_call_that_fails_at_once_costs_nothing() -> None:
    budget = DailyBudget(250, Hand())
    with pytest.raises(ModelUnavailable):
        await ask(BudgetedModel(FakeModel([ModelUnavailable("no")]), budget))
    assert budget.spent_tokens == 0


async def test_an_answer_left_half_way_is_counted_by_its_length() -> None:
    budget = DailyBudget(1_000, Hand())
    async with aclosing(BudgetedModel(FakeModel([["x" * 400, "y"]]), budget).stream(PROMPT)) as deltas:
        await anext(deltas)
        assert budget.spent_tokens == 100  # set aside while the call runs
    assert budget.spent_tokens == 200
