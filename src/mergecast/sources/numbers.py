"""Numbers in untrusted JSON."""

from typing import TypeGuard


def is_number(value: object) -> TypeGuard[int]:
    """Whether a value can be the number of a pull request, or the id of something on a platform.

    >>> [is_number(value) for value in (7, -7, True, "7", 10**30)]
    [True, False, False, False, False]
    """
    return type(value) is int and 0 <= value < 1 << 63
