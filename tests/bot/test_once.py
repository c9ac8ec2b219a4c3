"""What is opened once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.once import once
from bot.settings import Settings
from bot.wiring import embedder


def test_threads_that_ask_at_once_get_the_same_thing_made_once() -> None:
    threads = 8
    all_here = threading.Barrier(threads)
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    the_one = once(make)

    def ask(_: int) -> object:
        all_here.wait(30)
        return the_one()

    with ThreadPoolExecutor(threads) as pool:
        given = list(pool.map(ask, range(threads)))
    assert len(made) == 1
    assert set(map(id, given)) == {id(made[0])}


def test_who_asks_while_it_is_being_made_waits_for_it() -> None:
    begun, go_on = threading.Event(), threading.Event()
    made: list[object] = []

    def make() -> object:
        begun.set()
        assert go_on.wait(30)
        made.append(object())
        return made[-1]

    the_one = once(make)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(the_one)
        assert begun.wait(30)
        second = pool.submit(the_one)
        go_on.set()
        assert first.result(30) is second.result(30)
    assert len(made) == 1


def test_nothing_is_made_before_somebody_asks_and_what_fails_is_tried_again() -> None:
    tries: list[str] = []

    def make() -> str:
        tries.append("tried")
        if len(tries) == 1:
            raise OSError
        return "made"

    the_one = once(make)
    assert tries == []
    with pytest.raises(OSError):  # noqa: PT011 - the one raised above
        the_one()
    assert (the_one(), the_one(), len(tries)) == ("made", "made", 2)


def test_two_threads_open_one_embedding_model(model_cache: Path, tmp_path: Path) -> None:
    opened = embedder(Settings(home=tmp_path, embedding={"cache": model_cache}))  # type: ignore[arg-type]  # as a file says it
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: opened(), range(2))
    assert one is other
