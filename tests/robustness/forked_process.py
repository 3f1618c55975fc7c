"""Processes of a server that start without importing it, which takes a second of CPU time."""

import atexit
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

_PROGRAM = Path(__file__).with_name("server_program.py")


class ForkedProcess:
    """A process with its own id, which a test can measure and kill, as it can with `subprocess.Popen`."""

    def __init__(self, output: BinaryIO, errors: BinaryIO | None = None, **asked: Any) -> None:
        """Run a server with the arguments `serving`, or the program `mergecast` with those of `command`."""
        files = [output.fileno(), (errors or output).fileno()]
        open_files = resource.getrlimit(resource.RLIMIT_NOFILE)
        asked = {"environment": dict(os.environ), "open_files": open_files, **asked}
        self._exit_code, theirs = os.pipe()
        try:
            control = _control()
            socket.send_fds(control, [json.dumps(asked).encode()], [*files, theirs])
        finally:
            os.close(theirs)
        self.pid = int(control.recv(20))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._wait(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(_PROGRAM), timeout or 0)
        return code

    def _wait(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._exit_code], [], [], timeout)[0]:
            self.returncode = int(os.read(self._exit_code, 20))
            os.close(self._exit_code)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _control() -> socket.socket:
    """The connection to the process that forks, which starts with the first server of a test process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, str(_PROGRAM), str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()])

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
