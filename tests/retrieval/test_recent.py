"""A bounded memory of what was asked for last."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.recent import Recent


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_it_holds_exactly_the_last_distinct_keys(keys: list[int], entries: int) -> None:
    recent: Recent[int, str] = Recent(entries)
    for key in keys:
        recent.put({key: str(key)})
    last = list(dict.fromkeys(reversed(keys)))[:entries]
    # Read oldest first, as reading counts as asking.
    assert [recent.get(key) for key in reversed(last)] == [str(key) for key in reversed(last)]
    assert all(recent.get(key) is None for key in range(10) if key not in last)


def test_what_was_read_lately_outlives_what_was_only_put() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put({"a": 1, "b": 2})
    recent.get("a")
    recent.put({"c": 3})
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)
