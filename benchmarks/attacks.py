"""Do attacks slow others down, delay health checks or take memory?

    PYTHONPATH=tests .venv/bin/python benchmarks/attacks.py [--seconds N] [--rounds N] [ATTACK…]

Each attack has a server of its own, in its own process. Another key asks for statistics and sends small
deliveries, alone and beside the attack, in alternating rounds. Prints a row of a table for each attack:

- for statistics and for deliveries: p50 and p99 in milliseconds, and how many times as long p99 is. The
  second ratio is of the CPU time that the server uses until it answers, which depends less on what else the
  machine does.
- the slowest answer of /healthz in seconds, and the most CPU time that the server used before one.
- the most memory of the server, and of its child processes together, in MiB.

Goals: p99 at most 5 times as long as alone, /healthz below a second, memory below 1 GB.
"""

import argparse
import os
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from github_server import GitHubServer, Reply
from soak.attacks import attacking
from soak.costly_attacks import COSTLY_ATTACKS
from soak.preparation import make_key, prepare
from soak.quiet_key import QuietKey, Samples, Spent
from soak.scene import SETTINGS
from soak.server import InstalledServer
from soak.tool_attacks import TOOL_ATTACKS
from soak.visitor_attacks import VISITOR_ATTACKS
from soak.watched_memory import MemoryWatch, wait_until_idle

_ATTACKS = (*COSTLY_ATTACKS, *VISITOR_ATTACKS, *TOOL_ATTACKS)
_SIGN_IN = {
    "MERGECAST_GITHUB_CLIENT_ID": "benchmark",
    "MERGECAST_GITHUB_CLIENT_SECRET": "a-client-secret-for-benchmarks",
    "MERGECAST_PUBLIC_URL": "https://mergecast.test",
}
_NO_SUCH_TOKEN = Reply(401, {"message": "Bad credentials"})
_WARM_UP_SECONDS = 2.0


class Measured(NamedTuple):
    alone: Samples
    beside: Samples
    server_mib: int
    children_mib: int
    busy_seconds: float  # after the attack
    answers: str


def measure(attack: str, folder: Path, rounds: int, seconds: float) -> Measured:
    alone, beside, answers, busy = Samples(), Samples(), [], 0.0
    chance = Random(attack)
    with GitHubServer({"/rate_limit": _NO_SUCH_TOKEN}) as github:
        settings = {**SETTINGS, **_SIGN_IN, "MERGECAST_GITHUB_URL": github.url}
        server = InstalledServer(folder / "data", folder / "server.log", settings)
        try:
            server.start()
            with server.client() as http:
                attacker, key = prepare(http), make_key(http, "acme")
            quiet = QuietKey(server, key)
            quiet.run(_WARM_UP_SECONDS, Samples())
            wait_until_idle(server.process.pid)  # what was prepared is judged in the background
            with MemoryWatch(server) as memory:
                for _ in range(rounds):
                    quiet.run(seconds, alone)
                    with attacking(attack, server.port, attacker, chance.random()) as got:
                        quiet.run(seconds, beside)
                    answers.append(dict(sorted(got.items())))
                    busy = max(busy, wait_until_idle(server.process.pid))
        finally:
            server.end()
    return Measured(alone, beside, memory.server >> 20, memory.children >> 20, busy, str(answers))


def _percentiles(seconds: list[float]) -> tuple[float, float]:
    """p50 and p99."""
    cuts = quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[98]


def _compared(alone: list[Spent], beside: list[Spent]) -> list[str]:
    """p50 and p99 in milliseconds, then the ratios of p99: of elapsed time, and of CPU time."""
    p50, p99 = _percentiles([one.elapsed for one in alone])
    p50_beside, p99_beside = _percentiles([one.elapsed for one in beside])
    _, cpu = _percentiles([one.cpu for one in alone])
    _, cpu_beside = _percentiles([one.cpu for one in beside])
    elapsed = [f"{1000 * p50:.0f} → {1000 * p50_beside:.0f}", f"{1000 * p99:.0f} → {1000 * p99_beside:.0f}"]
    return [*elapsed, f"{p99_beside / p99:.1f}", f"{cpu_beside / cpu:.1f}"]


def _row(attack: str, measured: Measured) -> str:
    alone, beside = measured.alone.spent, measured.beside.spent
    slowest = max(one.elapsed for one in beside["health"]), max(one.cpu for one in beside["health"])
    cells = [
        attack,
        *_compared(alone["statistics"], beside["statistics"]),
        *_compared(alone["deliveries"], beside["deliveries"]),
        *(f"{seconds:.2f}" for seconds in slowest),
        str(measured.server_mib),
        str(measured.children_mib),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure another key beside attacks.")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(_ATTACKS)}")
    parser.add_argument("--seconds", type=float, default=8, help="of each round (default: 8)")
    parser.add_argument("--rounds", type=int, default=3, help="of each attack (default: 3)")
    options = parser.parse_args()
    for attack in options.attacks or _ATTACKS:
        with TemporaryDirectory(prefix="mergecast-attacks-") as folder:
            measured = measure(attack, Path(folder), options.rounds, options.seconds)
        print(_row(attack, measured), flush=True)
        print(
            f"  {len(measured.beside.spent['statistics'])} statistics beside; "
            f"load {os.getloadavg()[0]:.0f}; busy for {measured.busy_seconds:.1f} s afterwards; "
            f"the attackers got {measured.answers}",
            *sorted({*measured.alone.failures, *measured.beside.failures}),
            sep="\n  FAILED: ",
            flush=True,
        )


if __name__ == "__main__":
    main()
