"""A server process whose clock the soak can set."""

import mmap
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

from robustness.server_process import TOKEN, Process, ServerProcess

_PROGRAM = """
import mmap, struct, sys, time
from pathlib import Path
from mergecast.app import RunningServer, Serving
from mergecast.logs import log_as_json

folder, token, port, clock = sys.argv[1:]
file = open(clock, "rb")
offset = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)


def now():
    return time.time_ns() // 1000 + struct.unpack("q", offset)[0]


log_as_json()
RunningServer(Serving(Path(folder), token, "127.0.0.1", int(port), now=now)).run()
"""


class ClockedServer(ServerProcess):
    """A server whose clock differs from the machine's by an offset that can change while it runs."""

    def __init__(self, folder: Path, logs: Path, clock: Path) -> None:
        super().__init__(folder, logs)
        self._clock = clock
        clock.write_bytes(bytes(8))

    def _start_process(self, logs: BinaryIO) -> Process:
        arguments = (str(self.folder), TOKEN, str(self.port), str(self._clock))
        return subprocess.Popen([sys.executable, "-c", _PROGRAM, *arguments], stdout=logs, stderr=logs)

    def set_clock(self, offset_seconds: int) -> None:
        with self._clock.open("r+b") as file, mmap.mmap(file.fileno(), 8) as offset:
            offset[:] = struct.pack("q", offset_seconds * 1_000_000)


class InstalledServer(ServerProcess):
    """A server started as an operator does it, with the exit codes that an operator sees."""

    def _start_process(self, logs: BinaryIO) -> Process:
        settings = {"DATA_DIR": self.folder, "PORT": self.port, "ADMIN_TOKEN": TOKEN}
        environment = {**os.environ, **{f"MERGECAST_{name}": str(value) for name, value in settings.items()}}
        command = [sys.executable, "-m", "mergecast", "serve"]
        return subprocess.Popen(command, stdout=logs, stderr=logs, env=environment)
