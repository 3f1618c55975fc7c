"""Makes Python's garbage collector run less often."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# The items of a large request are no garbage: by default, Python would search them again and again.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


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
