"""The schedule of a soak: quiet rounds, attacks and disturbances, in an order that follows from the seed."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import httpx

from builders import entered
from robustness.server_process import ServerProcess
from soak.attacks import ATTACKS, HEAVY
from soak.clients import Clients
from soak.disturbances import RUNNING, STOPPING, Stage
from soak.server import ClockedServer
from soak.tally import Tally

QUIET = "alone"
_KINDS = (*ATTACKS, *STOPPING, *RUNNING)
_QUIET_SECONDS = 2.0
_ATTACK_SECONDS = 4.0
_REST_SECONDS = 0.5
_HEAVY_EVENTS = 10_000
_LEAST_REQUESTS = 200


def soak(folder: Path, seconds: float, seed: int) -> Tally:
    """Run rounds until the time is over, each kind at least once, and then check all that was stored."""
    chance = Random(seed)
    tally = Tally()
    server = ClockedServer(folder / "data", folder / "server.log", folder / "clock")
    deadline = time.monotonic() + seconds
    try:
        server.start()
        attacker = _prepare(server)
        with Clients(server, tally, seed) as clients:
            run = _Soak(Stage(server, tally, chance, folder), clients, attacker)
            for name in _rounds(chance):
                is_over = time.monotonic() > deadline and set(_KINDS) <= set(tally.rounds)
                is_over &= tally.requests >= _LEAST_REQUESTS  # a busy machine takes longer
                if is_over or tally.failures:
                    break
                run.round(name)
                tally.rounds.append(name)
                _look_for_traceback(server, tally)
        clients.round_name = None
        clients.check_everything()
        tally.peak_memory = max(tally.peak_memory, server.peak_memory())
        _look_for_traceback(server, tally)
    finally:
        server.end()
    return tally


def _look_for_traceback(server: ServerProcess, tally: Tally) -> None:
    before, found, after = server.logged().partition("Traceback")
    if found and not tally.failures:
        tally.fail(f"the server logged a traceback: {before[-500:]}{found}{after[:3000]}")


def _rounds(chance: Random) -> Iterator[str]:
    """Every attack and disturbance once per turn, in random order, with a quiet round before each."""
    while True:
        for name in chance.sample(_KINDS, len(_KINDS)):
            yield QUIET
            yield name


def _prepare(server: ServerProcess) -> str:
    """Store a repository that is costly to query, and make the key that attackers use."""
    at = "2026-03-02T10:00:00Z"
    events = [entered(at, f"stay-{number}", 1, id=f"heavy-{number}") for number in range(_HEAVY_EVENTS)]
    with server.client() as http:
        _success(http.post(f"{HEAVY}/events", json=events))
        wanted = {"owner": "umbrella", "name": "attacker", "scopes": ["read", "ingest"]}
        made = _success(http.post("/v1/keys", json=wanted))
    return str(made.json()["key"])


def _success(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, answer.text
    return answer


@dataclass(frozen=True)
class _Soak:
    stage: Stage
    clients: Clients
    attacker_key: str

    def round(self, name: str) -> None:
        """Run one round; latencies count for its name, except while the server is stopped on purpose."""
        self.clients.is_stopping = name in STOPPING
        self.clients.round_name = None if name in STOPPING else name
        if name in ATTACKS:
            with self._attack(name):
                time.sleep(_ATTACK_SECONDS)
        elif name == QUIET:
            time.sleep(_QUIET_SECONDS)
        else:
            (STOPPING | RUNNING)[name](self.stage)
        self.clients.round_name = None
        time.sleep(_REST_SECONDS)
        self.clients.is_stopping = False

    @contextmanager
    def _attack(self, name: str) -> Iterator[None]:
        arguments = (name, str(self.stage.server.port), self.attacker_key, str(self.stage.chance.random()))
        command = [sys.executable, "-m", "soak.attacks", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as attacker:
            yield
            attacker.communicate()
