"""A clone with the real scripts, and a project so small that nothing must be downloaded to install it."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_SCRIPTS = _HERE.parents[1] / "scripts"
_PROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "mergecast"
version = "0"
"""
# Builds a wheel that points to src, with the program.
_BACKEND = """\
import zipfile
from pathlib import Path

FILES = {
    "mergecast.pth": str(Path("src").resolve()),
    "mergecast-0.dist-info/METADATA": "Metadata-Version: 2.1\\nName: mergecast\\nVersion: 0\\n",
    "mergecast-0.dist-info/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "mergecast-0.dist-info/entry_points.txt": "[console_scripts]\\nmergecast = mergecast.program:main\\n",
    "mergecast-0.dist-info/RECORD": "",
}

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "mergecast-0-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory, name), "w") as wheel:
        for file, text in FILES.items():
            wheel.writestr(file, text)
    return name
"""
# Builds a page where it is told to.
_NPM = """\
mkdir -p node_modules
while [ $# -gt 0 ]; do
    if [ "$1" = --outDir ]; then mkdir -p "$2" && touch "$2/index.html"; fi
    shift
done"""


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        return self.err.splitlines()[-1]


class Clone:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        for name in ("run", "install", "dashboard"):
            self.write(f"scripts/{name}", (_SCRIPTS / name).read_text(encoding="utf-8"), mode=0o755)
        for name in ("server", "test", "node"):
            self.write(f"requirements/{name}.txt", "# none\n")
        self.write("pyproject.toml", _PROJECT)
        self.write("backend.py", _BACKEND)
        for package in ("mergecast", "mergecast/api"):
            self.write(f"src/{package}/__init__.py", "")
        shutil.copy(_HERE / "program.py", self.folder / "src/mergecast/program.py")
        self.write("dashboard/package-lock.json", "{}")
        self.plant("node", "exit 0")
        self.plant("npm", _NPM)

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(mode)
        return file

    def plant(self, name: str, shell: str) -> Path:
        """A program that is found before all others."""
        return self.write(f"planted/{name}", f"#!/bin/sh\n{shell}\n", mode=0o755)

    def plant_environment(self) -> None:
        """A complete .venv."""
        self.write(".venv/bin/python", (_HERE / "quick_python").read_text(encoding="utf-8"), mode=0o755)
        subprocess.run([self.folder / ".venv/bin/python", "-m", "pip"], cwd=self.folder, check=True)
        content = (self.folder / "pyproject.toml").read_bytes() + b"# none\n"
        self.write(".venv/installed-server", f"{hashlib.sha256(content).hexdigest()}  -\n")

    def python(self, name: str, **modules: str) -> str:
        """A Python that finds these modules first."""
        for module, text in modules.items():
            self.write(f"{name}-modules/{module}.py", text)
        return str(
            self.plant(name, f'PYTHONPATH={self.folder / f"{name}-modules"} exec {sys.executable} "$@"')
        )

    def run(self, *command: str, **environment: str) -> Ended:
        ended = subprocess.run(
            [self.folder / command[0], *command[1:]],
            cwd="/",
            env=self._environment(environment),
            check=False,
            capture_output=True,
            text=True,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    @contextmanager
    def started(self, *command: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
        """A script that runs as in a terminal: with its children, it is a group of processes."""
        with subprocess.Popen(
            [self.folder / command[0], *command[1:]],
            env=self._environment(environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                process.terminate()

    def _environment(self, given: Mapping[str, str]) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("MERGECAST", "PIP_"))
        }
        path = f"{self.folder / 'planted'}:{os.environ['PATH']}"
        quick = {"PYTHON": str(_HERE / "quick_python"), "REAL_PYTHON": sys.executable}
        return {**kept, "PATH": path, **quick, **given}

    def called(self) -> list[str]:
        """What the program was called with, and the signals it got."""
        file = self.folder / "called"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def environments(self) -> list[str]:
        """What there is of environments, complete or not."""
        return sorted(path.name for path in self.folder.glob(".venv*"))

    def is_installed(self) -> bool:
        """Whether the program runs, and nothing else is left."""
        ended = subprocess.run(
            [self.folder / ".venv/bin/mergecast", "summary"],
            cwd=self.folder,
            env={**self._environment({}), "MERGECAST_DATA_DIR": "data"},
            check=False,
        )
        return ended.returncode == 0 and self.called()[-1] == "summary" and self.environments() == [".venv"]
