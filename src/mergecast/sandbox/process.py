"""One child process, as the server sees it."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from mergecast.sandbox.errors import ChildEnded
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.frames import LENGTH_BYTES, Question, Reply, Started, length_of

# Loading takes half a second of CPU time, which may be minutes on a busy machine.
STARTING_SECONDS = 300.0
_BUFFER = 1 << 20

OnProgress = Callable[[bytes], None]  # called with each step that a task reports, as JSON


class Child:
    """A child process, forked from one that has loaded everything."""

    def __init__(self, fork_server: ForkServer) -> None:
        self._fork_server = fork_server
        self._writer: asyncio.StreamWriter | None = None
        self._pid: int | None = None
        self._socket, theirs = socket.socketpair()
        try:
            with theirs:
                fork_server.fork(theirs)
        except BaseException:
            self._socket.close()
            raise

    @classmethod
    async def start(cls, fork_server: ForkServer) -> "Child":
        """Start a child and wait until it is ready."""
        child = cls(fork_server)
        try:
            async with asyncio.timeout(STARTING_SECONDS):
                await child._make_ready()
        except BaseException as error:
            if isinstance(error, TimeoutError):
                fork_server.close()  # it hangs: the next child starts another one
            child.kill()
            await asyncio.shield(child.wait())
            raise
        return child

    async def _make_ready(self) -> None:
        connected = await asyncio.open_unix_connection(sock=self._socket, limit=_BUFFER)
        self._reader, self._writer = connected
        started = msgspec.json.decode(await self._receive(), type=Started)
        if started.error is not None:
            raise ChildEnded(started.error)
        self._pid = started.pid

    async def ask(self, question: Question, on_progress: OnProgress) -> tuple[Reply, bytes]:
        """Send a question; return how the task went, and the result as JSON."""
        if self._writer is None or self._writer.is_closing():
            raise ChildEnded("the child ended before it was asked")
        self._writer.writelines(question.frames())
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
        """Whether an idle child has its end of the channel open."""
        try:
            self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def seconds_worked(self) -> float:
        """CPU time so far; 0 where the system does not provide it."""
        try:
            status = Path(f"/proc/{self._pid}/stat").read_text(encoding="utf-8")
        except OSError:
            return 0.0
        user, system = status.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """A child that has not started yet finds its channel closed, and ends."""
        if self._pid is None:
            (self._writer or self._socket).close()
        else:
            self._fork_server.signal_child(self._pid, signal.SIGKILL)

    def pause(self) -> None:
        """Stop working until `go_on`; the CPU time of the task does not pass meanwhile."""
        self._fork_server.signal_child(self._pid or 0, signal.SIGSTOP)

    def go_on(self) -> None:
        self._fork_server.signal_child(self._pid or 0, signal.SIGCONT)

    async def wait(self) -> None:
        """Wait until the process has ended, which closes its end of the channel."""
        if self._pid is None or self._writer is None:
            return
        with suppress(OSError):
            while await self._reader.read(_BUFFER):
                pass
        self._writer.close()
