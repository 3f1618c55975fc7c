"""Installed packages are pinned: `constraints.txt` chooses versions, `requirements/` adds the hashes."""

import re
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_PIN = re.compile(
    r"^([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ;[^\\]*)?((?: \\\n +--hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)
_EXTRAS = {
    "server": ("server", "postgres", "mcp"),
    "test": ("server", "postgres", "mcp", "docs", "test"),
}


def _name(requirement: str) -> str:
    """The normalized name of the package that a requirement asks for."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found.group()).lower()


def _pins(path: str) -> dict[str, str]:
    text = (_ROOT / path).read_text(encoding="utf-8")
    pins = {_name(pin[1]): pin[2] for pin in _PIN.finditer(text)}
    packages = [line for line in text.splitlines() if not line.startswith(" ")]
    assert len(pins) == len(packages), "a package has no version or no hash"
    return pins


def _constraints() -> dict[str, str]:
    lines = (_ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {_name(line): line.partition("==")[2] for line in lines}


@pytest.mark.parametrize(
    "path", ["requirements/server.txt", "requirements/test.txt", "requirements/node.txt"]
)
def test_installed_packages_have_the_chosen_version(path: str) -> None:
    pins = _pins(path)
    chosen = _constraints()
    assert pins
    assert {name: chosen.get(name) for name in pins} == pins


@pytest.mark.parametrize("name", _EXTRAS)
def test_every_dependency_is_pinned(name: str) -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = list(project["project"]["dependencies"])
    for extra in _EXTRAS[name]:
        wanted += project["project"]["optional-dependencies"][extra]
    missing = (
        {_name(requirement) for requirement in wanted}
        - {"mergecast"}
        - set(_pins(f"requirements/{name}.txt"))
    )
    assert not missing, "run scripts/pins"


def test_the_build_uses_the_pinned_setuptools() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["build-system"]["requires"] == [f"setuptools=={_constraints()['setuptools']}"]
    assert "setuptools" in _pins("requirements/server.txt")


@pytest.mark.parametrize("script", ["scripts/install", "scripts/dashboard", "Dockerfile"])
def test_pip_checks_hashes(script: str) -> None:
    text = (_ROOT / script).read_text(encoding="utf-8")
    assert "--require-hashes --requirement" in text
