"""A well-behaved client that measures its waiting times while others misbehave."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx

from robustness.server_process import ServerProcess

_LONGEST_SECONDS = 5.0  # by the clock, even where a test counts the server's CPU time


@contextmanager
def other_client(
    server: ServerProcess, ask: Callable[[httpx.Client], object], clock: Callable[[], float] = time.monotonic
) -> Iterator[list[float]]:
    """Send requests until the block ends and yield their waiting times; each must succeed in time."""
    waits = [0.0]
    ending = threading.Event()

    def ask_until_the_end() -> None:
        with server.client(_LONGEST_SECONDS) as http:
            while not ending.is_set():
                begun = clock()
                ask(http)
                waits.append(clock() - begun)
                ending.wait(0.02)

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask_until_the_end)
        try:
            yield waits
        finally:
            ending.set()
            asking.result()
