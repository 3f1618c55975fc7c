"""The process that has loaded everything and forks the children, as the server sees it."""

import os
import shlex
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress

# A message: nothing but zeros for a new child, or a signal and the id of the child that gets it.
MESSAGE_BYTES = 8
PID_BITS = 32
NEW_CHILD = bytes(MESSAGE_BYTES)


class ForkServer:
    """Loading takes half a second, forking some milliseconds, and children are replaced often.

    The process starts with the first child, and again after it has died. All messages go to it: a channel
    that a new child is to serve, or a signal for a child. Its environment is empty, because it needs
    no secrets.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    @property
    def shown_command(self) -> str:
        """How a person starts the process, to see why it ends: here, its messages are dropped."""
        return shlex.join(self._command)

    def fork(self, channel: socket.socket) -> None:
        """Ask for a child that serves this channel, without waiting for it."""
        if self._process is None or self._process.poll() is not None:
            self.start()
        if self._control is not None:
            socket.send_fds(self._control, [NEW_CHILD], [channel.fileno()])

    def start(self) -> None:
        self._close_control()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - a program of Mergecast
                [*self._command, str(os.getpid())],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # One thread: the limit on address space is for one, and a fork copies only one.
                env={"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
                cwd="/",
            )

    def signal_child(self, pid: int, signal: int) -> None:
        """Only the parent of a process knows for sure that no other process has its id by now."""
        if self._control is not None:
            with suppress(OSError):  # it has died, and its children with it
                self._control.send((signal << PID_BITS | pid).to_bytes(MESSAGE_BYTES, "big"))

    def close(self) -> None:
        """End the process, even if it is still loading, and wait for that."""
        self._close_control()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _close_control(self) -> None:
        if self._control is not None:
            self._control.close()
