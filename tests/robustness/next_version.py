"""A server of a version after this one, which brings another migration."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import mergecast
from logged_secrets import watch_file
from mergecast.queues.store.migrations import migrations
from ports import reserved_port

_PACKAGE = Path(mergecast.__file__).parent


class NextVersion:
    """A copy of the program below `folder`, with one more migration of a kind of store."""

    def __init__(self, folder: Path, store: str, migration: str) -> None:
        self.folder = folder
        self.number = migrations(store)[-1].number + 1
        ignored = shutil.ignore_patterns("__pycache__")
        copy = shutil.copytree(_PACKAGE, folder / "mergecast", copy_function=os.symlink, ignore=ignored)
        added = copy / "queues/store" / store / f"migrations/{self.number:04}_held_up.sql"
        added.write_text(f"-- oldest program: 1\n{migration}\n", encoding="utf-8")

    @contextmanager
    def serve(self, name: str, *arguments: str | Path, **environment: str) -> Iterator["NextServer"]:
        server = NextServer(self.folder, name, arguments, environment)
        try:
            yield server
        finally:
            server.process.kill()
            server.process.wait()


class NextServer:
    """`mergecast serve` of that version in a process of its own."""

    def __init__(
        self, folder: Path, name: str, arguments: tuple[str | Path, ...], environment: dict[str, str]
    ) -> None:
        self._printed, self._logs = folder / f"{name}.out", folder / f"{name}.err"
        watch_file(self._logs)
        port = reserved_port(self)
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "mergecast", "serve", "--port", str(port), *map(str, arguments)]
        with self._printed.open("wb") as out, self._logs.open("wb") as err:
            self.process = subprocess.Popen(
                command,
                stdout=out,
                stderr=err,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(folder), **environment},
            )

    def printed(self) -> str:
        return self._printed.read_text(encoding="utf-8")

    def logged(self) -> str:
        return self._logs.read_text(encoding="utf-8")
