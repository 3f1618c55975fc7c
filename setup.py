"""Build the packages; everything else about them is in pyproject.toml.

A source distribution without the dashboard is refused: whoever installs it may have no Node to build it with.
A wheel without it only gets a warning: pip and pre-commit build one to install the commands from a clone.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

_PAGE = Path("src", "mergecast", "api", "dashboard", "index.html")
_MISSING = "the dashboard is not built"
_REMEDY = "run scripts/dashboard first, or scripts/build, which does"


class _Modules(build_py):
    def run(self) -> None:
        if not _PAGE.is_file():
            self.warn(f"{_MISSING}, so this wheel has none: {_REMEDY}")
        super().run()


class _SourceDistribution(sdist):
    def run(self) -> None:
        if not _PAGE.is_file():
            raise SetupError(f"{_MISSING}: {_REMEDY}")
        super().run()


setup(cmdclass={"build_py": _Modules, "sdist": _SourceDistribution})
