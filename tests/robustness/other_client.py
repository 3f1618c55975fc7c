"""A well-behaved client that measures its waiting times while others misbehave."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx

from robustness.server_process import ServerProcess


@contextmanager
def other_client(server: ServerProcess, ask: Callable[[httpx.Client], object]) -> Iterator[list[float]]:
    """Send requests until the block ends and yield their waiting times; every request must succeed."""
    waits = [0.0]
    ending = threading.Event()

    def ask_until_the_end() -> None:
        with server.client() as http:
            while not ending.is_set():
                begun = time.monotonic()
                ask(http)
                waits.append(time.monotonic() - begun)
                ending.wait(0.02)

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask_until_the_end)
        try:
            yield waits
        finally:
            ending.set()
            asking.result()
