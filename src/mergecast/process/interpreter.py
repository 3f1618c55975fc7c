"""Settings of the Python interpreter: how often it collects garbage, and how often threads take turns."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# The items of a large request are no garbage: by default, Python would search them again and again.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000
# By default a thread that computes keeps Python for 5 ms when another one wants it, and a request wants it
# after each of its statements: beside a large delivery, those waits were most of the time of an answer.
_SWITCH_SECONDS = 0.0005


def search_garbage_seldom() -> None:
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """For work with very many objects and no cycles: the collector would look at all of them for nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def switch_threads_often() -> None:
    sys.setswitchinterval(_SWITCH_SECONDS)
