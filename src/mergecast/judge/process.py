"""One child process, as its parent sees it."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from mergecast.judge.errors import ChildEnded
from mergecast.judge.frames import LENGTH_BYTES, Reply, length_of

# Isolated (-I): the current folder may belong to someone else and contain a `yaml.py`.
COMMAND = (sys.executable, "-I", "-m", "mergecast.judge.child")
FORECAST_COMMAND = (sys.executable, "-I", "-m", "mergecast.judge.child.forecasting")
STARTING_SECONDS = 30.0
_BUFFER = 1 << 20

OnProgress = Callable[[bytes], None]  # called with each step that a task reports, as JSON


class Child:
    """A child process. Its environment is empty, because it needs no secrets."""

    def __init__(self, command: Sequence[str]) -> None:
        self._writer: asyncio.StreamWriter | None = None
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [*command, str(os.getpid())],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # One thread: the limit on address space is for one.
                env={"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
                cwd="/",
            )

    @classmethod
    async def start(cls, command: Sequence[str]) -> "Child":
        """Start a child and wait until it has loaded everything."""
        child = cls(command)
        try:
            async with asyncio.timeout(STARTING_SECONDS):
                await child._make_ready()
        except BaseException:
            child.kill()
            await asyncio.shield(child.wait())
            raise
        return child

    async def _make_ready(self) -> None:
        connected = await asyncio.open_unix_connection(sock=self._socket, limit=_BUFFER)
        self._reader, self._writer = connected
        ready = msgspec.json.decode(await self._receive(), type=Reply)
        if ready.error is not None:
            raise ChildEnded(ready.error)

    async def ask(self, work: bytearray, on_progress: OnProgress) -> tuple[Reply, bytes]:
        """Send a question; return how the task went, and the result as JSON."""
        if self._writer is None or self._writer.is_closing():
            raise ChildEnded("the child ended before it was asked")
        self._writer.write(work)
        while True:
            reply = msgspec.json.decode(await self._receive(), type=Reply)
            content = await self._receive()
            if not reply.is_progress:
                return reply, content
            on_progress(content)

    async def _receive(self) -> bytes:
        try:
            length = length_of(await self._reader.readexactly(LENGTH_BYTES))
            return await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            raise ChildEnded("the child ended without an answer") from None

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def seconds_worked(self) -> float:
        """CPU time so far; 0 where the system does not provide it."""
        try:
            status = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return 0.0
        user, system = status.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        self._process.kill()
        (self._writer or self._socket).close()

    async def wait(self) -> None:
        """Wait until the process has ended, and reap it."""
        await asyncio.to_thread(self._process.wait)
