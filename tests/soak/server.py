"""A server process whose clock the soak can set."""

import mmap
import os
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from robustness.forked_process import ForkedProcess
from robustness.server_process import TOKEN, Process, ServerProcess
from soak.scene import SETTINGS


class ClockedServer(ServerProcess):
    """A server whose clock differs from the machine's by an offset that can change while it runs."""

    def __init__(self, folder: Path, logs: Path, clock: Path) -> None:
        super().__init__(folder, logs, children_at_start=1)
        self._clock = clock
        clock.write_bytes(bytes(8))

    def _serving(self) -> dict[str, Any]:
        return {**super()._serving(), "clock": str(self._clock)}

    def _start_process(self, logs: BinaryIO) -> Process:
        return ForkedProcess(logs, serving=self._serving(), environment={**os.environ, **SETTINGS})

    def set_clock(self, offset_seconds: int) -> None:
        with self._clock.open("r+b") as file, mmap.mmap(file.fileno(), 8) as offset:
            offset[:] = struct.pack("q", offset_seconds * 1_000_000)


class InstalledServer(ServerProcess):
    """A server started as an operator does it, with the exit codes that an operator sees."""

    def __init__(self, folder: Path, logs: Path, more_settings: Mapping[str, str] | None = None) -> None:
        super().__init__(folder, logs)
        self._more_settings = more_settings or {}

    def _start_process(self, logs: BinaryIO) -> Process:
        settings = {"DATA_DIR": self.folder, "PORT": self.port, "ADMIN_TOKEN": TOKEN}
        named = {f"MERGECAST_{name}": str(value) for name, value in settings.items()}
        environment = {**os.environ, **named, **self._more_settings}
        command = [sys.executable, "-m", "mergecast", "serve"]
        return subprocess.Popen(command, stdout=logs, stderr=logs, env=environment)
