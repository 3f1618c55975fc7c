"""Whether the server's other work delays the answers that a client waits for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx

from robustness.server_process import ServerProcess

# An answer takes some milliseconds of CPU time, and the work that it must not wait for some seconds.
MANY = 20

Ask = Callable[[httpx.Client, int], object]


def answers_beside(server: ServerProcess, ask: Ask, work: Callable[[], object]) -> int:
    """How many questions, one after the other, are answered while some work is done."""
    answers = 0
    with ThreadPoolExecutor(1) as pool, server.client() as http:
        http.get("/healthz")
        working = pool.submit(work)
        while not working.done():
            answers += 1
            ask(http, answers)
        working.result()
    return answers
