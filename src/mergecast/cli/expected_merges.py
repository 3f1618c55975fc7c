"""Waits for expected merges, which a server computes in the background."""

import time
from collections.abc import Callable
from typing import Any

from mergecast.cli.output import waiting

PENDING = "pending"
_POLL_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 60.0

Answer = dict[str, Any]


def once_computed(ask: Callable[[], Answer], is_pending: Callable[[Answer], bool]) -> Answer:
    """An answer with its expected merges, once the server knows them.

    The first request starts the computation; a server that runs only for this command ends with the command.
    """
    answer = ask()
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    with waiting("computing when the pull requests will merge …"):
        while is_pending(answer) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            answer = ask()
    return answer
