"""Empty virtual environments with a wheel and exactly the libraries that it declares, and none of a clone."""

import re
import subprocess
import sys
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

_TOOLS = Path(sys.executable).parent


def environment_with(wheel: Path, extra: str, folder: Path) -> Path:
    """The folder of programs of a new environment. Libraries are linked from the one that runs the tests."""
    venv.create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    for library in _closure(distribution("mergecast"), extra):
        _link(library, packages)
    programs = folder / "bin"
    subprocess.run(
        [
            *(_TOOLS / "uv", "pip", "install", "--quiet", "--offline", "--no-deps"),
            *("--python", programs / "python", wheel),
        ],
        check=True,
    )
    return programs


def _closure(package: Distribution, extra: str) -> list[Distribution]:
    """The libraries that a package needs with an extra, and those that they need."""
    found: dict[str, Distribution] = {}
    waiting = [(package, extra)]
    while waiting:
        asking, asked = waiting.pop()
        for requirement in map(Requirement, asking.requires or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": asked}):
                needed = distribution(requirement.name)
                if needed.name not in found:
                    found[needed.name] = needed
                    waiting += [(needed, one) for one in ("", *requirement.extras)]
    return list(found.values())


def _link(library: Distribution, packages: Path) -> None:
    """Link the folders and files of a library, not the programs that it installs."""
    tops = {file.parts[0] for file in library.files or [] if not re.match(r"\.\.|__pycache__", file.parts[0])}
    for name in tops:
        link = packages / name
        if not link.exists():
            link.symlink_to(Path(str(library.locate_file(name))).resolve())
