"""Waits for expected merges, which a server computes in the background."""

import time
from typing import TYPE_CHECKING, Any

from mergecast.cli.output import waiting

if TYPE_CHECKING:
    from mergecast.client.client import Client

PENDING = "pending"
_POLL_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 60.0


def queue_with_expected(client: "Client", repository: str) -> dict[str, Any]:
    """What is in the queues, once the server knows when it will merge.

    The first request starts the computation; a server that runs only for this command ends with the command.
    """
    answer = client.queue(repository)
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    with waiting("computing when the pull requests will merge …"):
        while _is_pending(answer) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            answer = client.queue(repository)
    return answer


def _is_pending(answer: dict[str, Any]) -> bool:
    return any(queue["expected_merges"] == PENDING for queue in answer["queues"])
