"""The memory and CPU time of a server and of all its child processes, read from /proc."""

import re
import threading
import time
from pathlib import Path
from typing import Self

from cpu_time import cpu_time
from robustness.server_process import ServerProcess

_PAUSE = 0.2
_IDLE_SHARE = 0.1
_STEP_SECONDS = 0.5
_MOST_SECONDS = 60.0
_PSS = re.compile(r"^Pss:\s+(\d+) kB$", re.MULTILINE)


class MemoryWatch:
    """The most memory in bytes: of the server, and of all its children together.

    Children share memory with the process that forked them; a shared page is divided among them.
    """

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self.server = self.children = 0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()
        code = self._server.process.poll()
        assert code is None, f"the server ended with code {code}: {self._server.logged()[-2000:]}"
        self.server = self._server.peak_memory()

    def _watch(self) -> None:
        while not self._ending.wait(_PAUSE):
            now = sum(_memory(pid) for pid in descendants(self._server.process.pid))
            self.children = max(self.children, now)


def descendants(pid: int) -> list[int]:
    """All processes below this one; those that end meanwhile may be missing."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        found = [int(one) for task in tasks for one in (task / "children").read_text().split()]
    except OSError:
        return []
    return found + [one for child in found for one in descendants(child)]


def _memory(pid: int) -> int:
    try:
        found = _PSS.search(Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"))
    except OSError:
        return 0  # it has ended
    return int(found[1]) << 10 if found else 0


def wait_until_idle(pid: int) -> float:
    """Wait until a server and its children use little CPU time; returns the seconds that it took."""
    begun = time.monotonic()
    while (seconds := time.monotonic() - begun) < _MOST_SECONDS:
        used = _used(pid)
        time.sleep(_STEP_SECONDS)
        if _used(pid) - used < _IDLE_SHARE * _STEP_SECONDS:
            break
    return seconds


def _used(pid: int) -> float:
    return sum(cpu_time(one) for one in (pid, *descendants(pid)))
