"""What befalls a server besides hostile clients: kills, stops, full disks, damaged files, clock jumps."""

import resource
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import httpx

from local_client import get
from robustness.server_process import ServerProcess
from soak.server import ClockedServer, InstalledServer
from soak.tally import Tally
from waiting import MOST_SECONDS

_STARTING_SECONDS = 240
_STARTED = "started"
_DAMAGE_REPORTED = 1
_BLOCK = 4096


@dataclass(frozen=True)
class Stage:
    """What a disturbance may touch."""

    server: ClockedServer
    tally: Tally
    chance: Random
    folder: Path


def kill(stage: Stage) -> None:
    """Kill the server while it serves, then while it starts."""
    for seconds in (stage.chance.uniform(0.1, 1.0), 0):
        time.sleep(seconds)
        stage.tally.peak_memory = max(stage.tally.peak_memory, stage.server.peak_memory())
        stage.server.kill()
        stage.server.start_without_waiting()
        time.sleep(stage.chance.uniform(0.02, 0.5))
        stage.server.kill()
        stage.server.start()
        stage.tally.kills += 2


def stop(stage: Stage) -> None:
    """Stop the server with SIGTERM, which finishes running requests, and start it again."""
    stage.tally.peak_memory = max(stage.tally.peak_memory, stage.server.peak_memory())
    stage.server.terminate()
    code = stage.server.process.wait(timeout=MOST_SECONDS)
    if code != 0:
        stage.tally.fail(f"SIGTERM ended the server with code {code}")
    stage.server.start()


def fill_disk(stage: Stage) -> None:
    """For three seconds no file can grow; reads continue, and the writer retries until there is room."""
    pid = stage.server.process.pid
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in stage.server.folder.iterdir())
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest + _BLOCK, hard))
    time.sleep(3)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, hard))


def jump_clock(stage: Stage) -> None:
    """Move the clock by up to a day, forward and backward."""
    for _ in range(6):
        stage.server.set_clock(stage.chance.randint(-86_400, 86_400))
        time.sleep(0.5)
    stage.server.set_clock(0)


def damage(stage: Stage) -> None:
    """Damage a copy of the store and start a server on it.

    It starts if it has not met the damage; otherwise it exits with code 1 and a reason. It never hangs.
    """
    kind = stage.chance.choice(sorted(_DAMAGES))
    copy = stage.folder / f"damaged-{stage.chance.random()}"
    copy.mkdir()
    for file in stage.server.folder.glob("mergecast.sqlite*"):
        with suppress(FileNotFoundError):  # the log is removed when everything is in the file
            shutil.copyfile(file, copy / file.name)
    _DAMAGES[kind](copy / "mergecast.sqlite", stage.chance)
    damaged = InstalledServer(copy, stage.folder / f"{copy.name}.log")
    try:
        damaged.start_without_waiting()
        code = _wait_for_start_or_exit(damaged)
    finally:
        damaged.end()
        shutil.rmtree(copy)
    if code not in (_STARTED, _DAMAGE_REPORTED) or "Traceback" in damaged.logged():
        stage.tally.fail(f"a store damaged by {kind}: code {code}: {damaged.logged()[-500:]}")
    elif code == _DAMAGE_REPORTED:
        stage.tally.survive()


def _wait_for_start_or_exit(server: ServerProcess) -> int | str:
    """Whether the server has started, its exit code if it ended, or that it hangs.

    While the store opens, it answers 503; with a store that is damaged it may never be ready.
    """
    deadline = time.monotonic() + _STARTING_SECONDS
    while time.monotonic() < deadline:
        code = server.process.poll()
        if code is not None:
            return code
        try:
            if get(f"{server.url}/v1/repos", timeout=30).status_code == 403:
                return _STARTED
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    return "hangs"


def _flip(file: Path, chance: Random) -> None:
    content = bytearray(file.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    file.write_bytes(content)


def _zero(file: Path, chance: Random) -> None:
    content = bytearray(file.read_bytes())
    start = chance.randrange(0, len(content), _BLOCK)
    content[start : start + _BLOCK] = bytes(min(_BLOCK, len(content) - start))
    file.write_bytes(content)


def _truncate(file: Path, chance: Random) -> None:
    file.write_bytes(file.read_bytes()[: chance.randrange(file.stat().st_size)])


_DAMAGES: dict[str, Callable[[Path, Random], None]] = {
    "a flipped bit": _flip,
    "a zeroed block": _zero,
    "truncation": _truncate,
}

Disturbance = Callable[[Stage], None]

# The server is down during the first group; readers must not notice the second.
STOPPING: dict[str, Disturbance] = {"kill": kill, "stop": stop}
RUNNING: dict[str, Disturbance] = {"full disk": fill_disk, "damaged files": damage, "clock jumps": jump_clock}
