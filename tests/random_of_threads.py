"""A pytest plugin: each thread draws the numbers of the module `random` from a generator of its own.

Hypothesis warns if the state of that module changes while a strategy draws. Threads beside the test, such as
those of a pool of connections, may draw at any time. What a strategy itself draws is still found.
"""

import os
import random
import threading
from typing import Any


class _EachThreads(random.Random):
    """All methods of `Random` are built on these five."""

    def __init__(self) -> None:
        self._kept = threading.local()

    @property
    def _own(self) -> random.Random:
        if not hasattr(self._kept, "generator"):
            self._kept.generator = random.Random()
        generator: random.Random = self._kept.generator
        return generator

    def random(self) -> float:
        return self._own.random()

    def getrandbits(self, bits: int, /) -> int:
        return self._own.getrandbits(bits)

    def seed(self, *given: Any) -> None:
        self._own.seed(*given)

    def getstate(self) -> tuple[Any, ...]:
        return self._own.getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        self._own.setstate(state)


_GENERATOR = _EachThreads()
for _name in random.__all__:
    if hasattr(getattr(random, _name), "__self__"):
        setattr(random, _name, getattr(_GENERATOR, _name))
os.register_at_fork(after_in_child=_GENERATOR.seed)
