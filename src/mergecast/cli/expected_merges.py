"""Waits for expected merges, which a server computes in the background."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from mergecast.cli.output import waiting

if TYPE_CHECKING:
    from mergecast.client.answers import Answer

PENDING = "pending"
_POLL_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 60.0

T = TypeVar("T")


def once_computed(ask: "Callable[[], Answer[T]]", is_pending: Callable[[T], bool]) -> "Answer[T]":
    """An answer with its expected merges, once the server knows them.

    The first request starts the computation; a server that runs only for this command ends with the command.
    """
    answer = ask()
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    with waiting("computing when the pull requests will merge …"):
        while is_pending(answer.value) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            answer = ask()
    return answer
