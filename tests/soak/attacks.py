"""Hostile clients, one kind per run, in a separate process.

python -m soak.attacks NAME PORT TOKEN SEED: prints a line when it begins, and attacks until standard input
is closed. Then it prints how many answers of each status it got, as JSON.
"""

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from soak.costly_attacks import COSTLY_ATTACKS
from soak.scene import HEAVY
from soak.target import MIB, Target, hold, in_threads, json_lines, repeat
from soak.tool_attacks import TOOL_ATTACKS
from soak.visitor_attacks import VISITOR_ATTACKS


def _idle_connections(target: Target) -> None:
    beginnings = (
        b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\r\n",
        b"POST /v1/repos/a/b/events HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"GET /heal",
    )
    repeat(target, lambda: hold(target, lambda: target.chance.choice(beginnings), 100))


def _unfinished_bodies(target: Target) -> None:
    body = target.head("POST", f"{HEAVY}/events", *json_lines(32 * MIB)) + b" " * (32 * MIB - 1)
    in_threads(target, 16, lambda: hold(target, lambda: body, 1))


def _heavy_query(target: Target, numbers: "count[int]") -> bytes:
    end = f"2026-03-03T00:00:00.{next(numbers) % 1_000_000:06}Z"
    return target.head("GET", f"{HEAVY}/stats/queue_size?start_at=2026-03-02T00:00:00Z&end_at={end}")


def _abandoned_queries(target: Target) -> None:
    numbers: count[int] = count(500_000)

    def turn() -> None:
        with target.connect() as connection:
            connection.sendall(_heavy_query(target, numbers))

    in_threads(target, 2, turn)


def _unread_answers(target: Target) -> None:
    repeat(target, lambda: hold(target, lambda: target.head("GET", f"{HEAVY}/events") * 5, 30))


def _garbage(target: Target) -> None:
    def turn() -> None:
        with target.connect() as connection:
            connection.sendall(target.chance.randbytes(target.chance.randrange(1, 5000)))
            connection.recv(1 << 16)

    in_threads(target, 4, turn)


ATTACKS: dict[str, Callable[[Target], None]] = {
    "idle connections": _idle_connections,
    "unfinished bodies": _unfinished_bodies,
    "abandoned queries": _abandoned_queries,
    "unread answers": _unread_answers,
    "garbage": _garbage,
    **COSTLY_ATTACKS,
    **VISITOR_ATTACKS,
    **TOOL_ATTACKS,
}


@contextmanager
def attacking(name: str, port: int, token: str, seed: float) -> Iterator[Counter[int]]:
    """Attack until the block ends; afterwards the counter has the answers that the attackers got."""
    command = [sys.executable, "-m", "soak.attacks", name, str(port), token, str(seed)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    answers: Counter[int] = Counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as attacker:
        try:
            assert attacker.stdout is not None
            attacker.stdout.readline()  # it has begun
            yield answers
        finally:
            printed, _ = attacker.communicate()
    answers.update({int(status): number for status, number in json.loads(printed).items()})


def _main(name: str, port: str, token: str, seed: str) -> None:
    os.nice(10)  # real attackers use their own machines
    target = Target(int(port), token, Random(seed))
    threading.Thread(target=partial(ATTACKS[name], target)).start()
    target.begun.wait()
    print("begun", flush=True)  # noqa: T201 - `attacking` reads it
    sys.stdin.read()
    target.ending.set()
    print(json.dumps(target.statuses.copy()), flush=True)  # noqa: T201
    os._exit(0)  # some threads wait for answers that never come


if __name__ == "__main__":
    _main(*sys.argv[1:])
