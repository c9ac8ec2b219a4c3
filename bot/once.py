"""What is opened once, whichever thread asks first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def once(make: Callable[[], Made]) -> Callable[[], Made]:
    """Give what calls `make` at its first call and gives that result ever after.

    Threads that ask while it is being made wait for it: a model is never held twice, as it may be with
    `functools.cache`. A call that raises makes nothing, and the next one tries again.
    """
    making = threading.Lock()
    made: list[Made] = []

    def the_one() -> Made:
        with making:
            if not made:
                made.append(make())
            return made[0]

    return the_one
