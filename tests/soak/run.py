"""The schedule of a soak: quiet rounds, attacks and disturbances, in an order that follows from the seed."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from robustness.server_process import ServerProcess
from soak.attacks import ATTACKS, attacking
from soak.clients import Clients
from soak.disturbances import RUNNING, STOPPING, Stage
from soak.preparation import prepare
from soak.server import ClockedServer
from soak.tally import Tally

QUIET = "alone"
_KINDS = (*ATTACKS, *STOPPING, *RUNNING)
_ANNOUNCED = 503  # its text says when to try again
_LEAST_REQUESTS = 200
_MOST_MEMORY = 10**9


@dataclass(frozen=True)
class Pace:
    """How many seconds the parts of a round last."""

    quiet: float = 1.0
    attack: float = 2.0
    rest: float = 0.5


def soak(folder: Path, seconds: float, seed: int, pace: Pace) -> Tally:
    """Run rounds until the time is over, each kind at least once, and then check all that was stored."""
    chance = Random(seed)
    tally = Tally()
    server = ClockedServer(folder / "data", folder / "server.log", folder / "clock")
    deadline = time.monotonic() + seconds
    try:
        server.start()
        with server.client() as http:
            attacker = prepare(http)
        with Clients(server, tally, seed) as clients:
            run = _Soak(Stage(server, tally, chance, folder), clients, attacker, pace)
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
        if tally.failures:
            return tally  # perhaps because the server has ended, which has no memory then
        tally.peak_memory = max(tally.peak_memory, server.peak_memory())
        if tally.peak_memory > _MOST_MEMORY:
            tally.fail(f"the server used {tally.peak_memory >> 20} MiB")
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


@dataclass(frozen=True)
class _Soak:
    stage: Stage
    clients: Clients
    attacker_key: str
    pace: Pace

    def round(self, name: str) -> None:
        """Run one round; latencies count for its name, except while the server is stopped on purpose."""
        self.clients.is_stopping = name in STOPPING
        self.clients.stops += self.clients.is_stopping
        self.clients.round_name = None if name in STOPPING else name
        if name in ATTACKS:
            self._attack(name)
        elif name == QUIET:
            time.sleep(self.pace.quiet)
        else:
            (STOPPING | RUNNING)[name](self.stage)
        self.clients.round_name = None
        time.sleep(self.pace.rest)
        self.clients.is_stopping = False

    def _attack(self, name: str) -> None:
        port, seed = self.stage.server.port, self.stage.chance.random()
        with attacking(name, port, self.attacker_key, seed) as answers:
            time.sleep(self.pace.attack)
        if unannounced := [status for status in answers if status >= 500 and status != _ANNOUNCED]:
            self.stage.tally.fail(f"{name}: the attackers got {unannounced} among {dict(answers)}")
