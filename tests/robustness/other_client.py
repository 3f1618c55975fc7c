"""A well-behaved client that measures how much the server does before it answers, while others misbehave."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx

from cpu_time import cpu_time
from robustness.server_process import ServerProcess


@contextmanager
def other_client(server: ServerProcess, ask: Callable[[httpx.Client], object]) -> Iterator[list[float]]:
    """Send requests until the block ends; every request must succeed.

    Yields the CPU time that the server used during each: what a request waits for on an idle machine.
    """
    waits: list[float] = []
    ending = threading.Event()

    def ask_until_the_end() -> None:
        with server.client() as http:
            while not ending.is_set() or not waits:
                begun = cpu_time(server.process.pid)
                ask(http)
                waits.append(cpu_time(server.process.pid) - begun)
                ending.wait(0.02)

    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask_until_the_end)
        try:
            yield waits
        finally:
            ending.set()
            asking.result()
