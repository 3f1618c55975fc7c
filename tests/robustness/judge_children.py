"""The child processes of a server that read documents, and their memory."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from re import MULTILINE, search

from cpu_time import cpu_time, cpu_time_of_ended_children
from robustness.server_process import ServerProcess

_PAUSE = 0.005


def children(server: ServerProcess) -> list[int]:
    """The ids of all children of the fork servers, including zombies."""
    return sorted(child for forks in fork_servers(server) for child in _children_of(forks))


def cpu_time_of_children(server: ServerProcess) -> float:
    """Of those that have ended, too."""
    ended = sum(map(cpu_time_of_ended_children, fork_servers(server)))
    return ended + sum(map(cpu_time, children(server)))


def fork_servers(server: ServerProcess) -> list[int]:
    return _children_of(server.process.pid)


def _children_of(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


@contextmanager
def watched_children(server: ServerProcess) -> Iterator[dict[int, int]]:
    """The peak memory of each child by process id, sampled every few milliseconds and at the end."""
    most: dict[int, int] = {}
    ending = threading.Event()
    forking = fork_servers(server)

    def sample() -> None:
        for pid in (child for one in forking for child in _children_of(one)):
            most[pid] = max(most.get(pid, 0), _peak_memory(pid))

    def watch() -> None:
        while not ending.wait(_PAUSE):
            sample()
        sample()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        ending.set()
        watcher.join()


def _peak_memory(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    found = search(r"^VmHWM:\s+(\d+) kB$", status, MULTILINE)
    return int(found[1]) << 10 if found else 0
