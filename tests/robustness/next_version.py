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
from mergecast.queues.store.migrations import MIGRATIONS
from ports import reserved_port

_PACKAGE = Path(mergecast.__file__).parent
_WAITING = """

def _waiting(text, statements_of=statements_of):
    if text == MIGRATIONS[-1].sqlite:
        open({path!r}).close()
    return statements_of(text)


statements_of = _waiting
"""


class NextVersion:
    """A copy of the program below `folder`, with one more migration.

    Before it runs on SQLite, it opens the file `waits_for`, if one is given: a named pipe makes it wait.
    """

    def __init__(self, folder: Path, sqlite: str, postgres: str, waits_for: Path | None = None) -> None:
        self.folder = folder
        self.number = MIGRATIONS[-1].number + 1
        ignored = shutil.ignore_patterns("__pycache__")
        copy = shutil.copytree(_PACKAGE, folder / "mergecast", copy_function=os.symlink, ignore=ignored)
        changed = copy / "queues/store/migrations.py"
        text = changed.read_text(encoding="utf-8")
        changed.unlink()
        migration = f"Migration({self.number}, 'held up', 1, {sqlite!r}, {postgres!r})"
        text += f"\nMIGRATIONS = (*MIGRATIONS, {migration})\n"
        if waits_for is not None:
            text += _WAITING.format(path=str(waits_for))
        changed.write_text(text, encoding="utf-8")

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
