"""A server in its own process on 127.0.0.1 that a test can start, measure, kill and restart."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import httpx

from empty_store import copy_empty_store
from local_client import get, local_client
from logged_secrets import remember, watch_file
from mergecast.app import SHUTDOWN_SECONDS
from ports import reserved_port
from robustness.forked_process import ForkedProcess

TOKEN = remember("robustness-token-of-more-than-32-characters")
HEADERS = {"Authorization": f"Bearer {TOKEN}"}

_STARTING_SECONDS = 120.0


class Process(Protocol):
    """What tests use of a process, however it was started."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, number: int, /) -> None: ...

    def kill(self) -> None: ...


def wait_until_ready(process: Process, url: str, logged: Callable[[], str]) -> None:
    """Return when a server that was just started answers: it refuses every request while its store opens."""
    deadline = time.monotonic() + _STARTING_SECONDS
    while time.monotonic() < deadline:
        code = process.poll()
        assert code is None, f"the server ended at its start with code {code}: {logged()[-2000:]}"
        with suppress(httpx.TransportError):
            if get(f"{url}/readyz", timeout=30).status_code == 200:
                return
        time.sleep(0.02)
    raise AssertionError(f"not ready within {_STARTING_SECONDS} seconds: {logged()[-2000:]}")


class ServerProcess:
    """Keeps its folder, port and token across restarts."""

    def __init__(
        self,
        folder: Path,
        logs: Path,
        database_url: str | None = None,
        children_at_start: int = 0,
        shutdown_seconds: int = SHUTDOWN_SECONDS,
    ) -> None:
        self.folder, self._logs, self._database_url = folder, logs, database_url
        self._children_at_start, self._shutdown_seconds = children_at_start, shutdown_seconds
        watch_file(logs)
        self.port = reserved_port(self)
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: Process | None = None

    def start(self) -> None:
        """Start the server and wait until it is ready."""
        self.start_without_waiting()
        wait_until_ready(self.process, self.url, self.logged)

    def start_without_waiting(self) -> None:
        with self._logs.open("ab") as logs:
            self._process = self._start_process(logs)

    def _start_process(self, logs: BinaryIO) -> Process:
        return ForkedProcess(logs, serving=self._serving())

    def _serving(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "token": TOKEN,
            "port": self.port,
            "database_url": self._database_url,
            "children": self._children_at_start,
            "clock": "",
            "shutdown_seconds": self._shutdown_seconds,
        }

    @property
    def process(self) -> Process:
        assert self._process is not None, "not started"
        return self._process

    def kill(self) -> None:
        """Send SIGKILL, which gives the server no chance to clean up."""
        self.process.kill()
        self.process.wait()

    def terminate(self) -> None:
        """Send SIGTERM without waiting for the process to end."""
        self.process.send_signal(signal.SIGTERM)

    def logged(self) -> str:
        return self._logs.read_text(encoding="utf-8", errors="replace") if self._logs.exists() else ""

    def peak_memory(self) -> int:
        """The peak memory of the process in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
        assert found is not None
        return int(found[1]) * 1024

    def reset_peak_memory(self) -> None:
        """Restart the measurement of peak memory."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5", encoding="ascii")

    def end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def client(self, seconds: float = 600.0) -> httpx.Client:
        return local_client(self.url, headers=HEADERS, timeout=seconds)


@contextmanager
def server_process(
    folder: Path,
    logs: Path | None = None,
    database_url: str | None = None,
    *,
    children_at_start: int = 0,
    shutdown_seconds: int = SHUTDOWN_SECONDS,
) -> Iterator[ServerProcess]:
    """Start a server on a data folder below `folder`, and kill it when the block ends.

    Few tests send documents; a child takes as much CPU time to start as the server.
    """
    log = (logs or folder) / "server.log"
    server = ServerProcess(folder / "data", log, database_url, children_at_start, shutdown_seconds)
    if database_url is None:
        copy_empty_store(server.folder)
    try:
        server.start()
        yield server
    finally:
        server.end()
