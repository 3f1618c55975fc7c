"""The fixture `server`, the marks `server` and `alone`, and the watch for secrets in logs."""

import gc
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from live_server import LiveServer, live_server
from postgres.server import postgres_server, why_not

pytest_plugins = ["leak_watch"]

# Generated tests judge answers, not how busy the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# A test gets the mark `server` if it is in one of these folders, uses one of these fixtures, or its module
# imports one of these helpers.
_FOLDERS = frozenset({"api", "postgres", "property", "robustness", "soak"})
_STARTERS = frozenset(
    {
        *("server", "own_server", "shared_server", "database_server", "served", "stores", "surroundings"),
        *("live_server", "server_process", "ServerProcess", "browser"),
        *("GitHubServer", "LocalServer", "local_server", "faulty_server", "hosting_platform"),
    }
)
_IMPORTED = re.compile(r"^(?:from \S+ )?import (\([^)]*\)|[^#\n]*)", re.MULTILINE)
# These take longest, in this order. They start first, so that no core waits for them at the end.
_LONGEST = (
    "soak/test_soak.py",
    "dashboard/test_sources.py",
    "api/test_generated_requests.py",
    "robustness/test_kill.py",
    "property/test_answers.py",
    "store/test_buckets.py",
    "forecast/test_counterfactual.py",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path / "data") as live:
        yield live


@pytest.fixture(scope="session")
def database_server() -> Iterator[str]:
    """The address of a PostgreSQL server, one for all tests of a process."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with postgres_server() as address:
        yield address


# What is collected stays in memory, so that looking for garbage meanwhile is in vain.
gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A quick run does not import modules of which it leaves out every test: that takes seconds."""
    leaves_out = "not server" in config.option.markexpr and _needs_server(collection_path)
    return True if leaves_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        names = {*getattr(item, "fixturenames", ()), *vars(getattr(item, "module", None) or object)}
        if names & _STARTERS or _needs_server(item.path.parent) or _needs_server(item.path):
            item.add_marker("server")
    items.sort(key=_place)


@cache
def _needs_server(path: Path) -> bool:
    """Whether every test in a folder or module does."""
    if path.suffix != ".py":
        return path.name in _FOLDERS
    imported = " ".join(_IMPORTED.findall(path.read_text(encoding="utf-8")))
    return not _STARTERS.isdisjoint(re.findall(r"\w+", imported))


def _place(item: pytest.Item) -> int:
    """The sort is stable: all other tests keep their order."""
    name = "/".join(item.path.parts[-2:])
    return _LONGEST.index(name) if name in _LONGEST else len(_LONGEST)


class _PortWatch:
    """Fails a test that listens on a port without the mark `server`, so that the quick tests stay quick."""

    def __init__(self) -> None:
        self.is_forbidden = False

    def __call__(self, event: str, _: object) -> None:
        if event == "socket.bind" and self.is_forbidden:
            raise AssertionError("this test listens on a port: mark it with @pytest.mark.server")


_ports = _PortWatch()
sys.addaudithook(_ports)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _ports.is_forbidden = item.get_closest_marker("server") is None
    try:
        return (yield)
    finally:
        _ports.is_forbidden = False
