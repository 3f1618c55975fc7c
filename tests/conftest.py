"""Fixtures for everyone, the mark `server`, and the watch for secrets in logs."""

import atexit
import gc
import os
import re
import signal
import sys
from collections.abc import Generator, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from live_server import LiveServer

# ruff: noqa: PLC0415 - workers start after this module is imported, and importing a server takes a second

pytest_plugins = ["changed_order", "few_reports", "leak_watch", "random_of_threads"]

# Generated tests judge answers, not how busy the machine is.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# A test gets the mark `server` if it is in one of these folders, uses one of these fixtures, or its module
# imports one of these helpers. A module of which all tests have it for other reasons says so.
_FOLDERS = frozenset({"api", "dashboard", "postgres", "property", "robustness", "soak"})
_STARTERS = frozenset(
    {
        *("server", "own_server", "shared_server", "database_server", "served", "stores", "surroundings"),
        *("live_server", "server_process", "ServerProcess", "browser"),
        *("GitHubServer", "LocalServer", "local_server", "faulty_server", "hosting_platform"),
    }
)
_ALL_NEED_IT = "\npytestmark = pytest.mark.server"
_IMPORTED = re.compile(r"^(?:from \S+ )?import (\([^)]*\)|[^#\n]*)", re.MULTILINE)
# These files and tests take longest, in this order. They start first: no core waits for them at the end.
_LONGEST = (
    "soak/test_soak.py",
    "api/test_generated_requests.py",
    "cli/test_demo.py",
    "cli/test_command_tree.py::test_every_example_works_on_the_demo",
    "monitoring/test_outage.py",
    "tools/test_questions.py::test_every_answer_contains_the_facts",
    "property/test_answers.py",
    "scripts/test_install.py::test_a_clone_that_was_moved_works_again",
    "api/test_refused_requests.py::test_refusals_stay_the_same",
    "robustness/test_kill.py",
    "forecast/test_expected_merge.py",
    "store/test_kills.py",
    "property/test_deliveries.py",
    "robustness/test_snapshots_survive.py",
    "forecast/test_counterfactual.py",
    "soak/test_fuzz.py",
    "postgres/test_copying_everything.py",
    "judge/test_simulations.py::test_documents_of_real_repositories",
)
_TESTS = Path(__file__).parent


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart(session: pytest.Session) -> Iterator[None]:
    """Let Hypothesis look up all characters once, while the workers collect: it keeps them in a file."""
    yield
    if session.config.pluginmanager.has_plugin("dsession"):
        st.text().validate()


@pytest.fixture
def data_folder(tmp_path: Path) -> Path:
    """A data folder with an empty store."""
    from empty_store import copy_empty_store

    copy_empty_store(tmp_path)
    return tmp_path


@pytest.fixture
def server(tmp_path: Path) -> Iterator["LiveServer"]:
    from live_server import live_server

    with live_server(tmp_path / "data") as live:
        yield live


@pytest.fixture(scope="session")
def database_server() -> Iterator[str]:
    """The address of a PostgreSQL server, one for all tests of a process."""
    from postgres.server import postgres_server

    with postgres_server() as address:
        yield address


# A shell that starts the tests in the background makes every process ignore the signal that many tests send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is collected stays in memory: a search for garbage in it would find nothing.
gc.disable()


_WORKER = os.getpid() if "PYTEST_XDIST_WORKER" in os.environ else None


@atexit.register
def _exit_soon() -> None:
    """A worker has reported everything by now, and freeing every object would take a second of CPU time."""
    if os.getpid() == _WORKER:  # and not a process that was forked from it
        os._exit(0)
    gc.unfreeze()  # a library may complain about what is not freed


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(50_000)  # like the command `serve`
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Part of the tests is run without importing modules that have none of them: that takes seconds."""
    leaves_out = "not server" in config.option.markexpr and _needs_server(collection_path)
    return True if leaves_out else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Each worker begins with other folders: pytest compiles a module once if not all need it at once."""
    report = yield
    worker, workers = _worker(collector.config)
    if isinstance(collector, pytest.Directory) and report.result:
        start = len(report.result) * worker // workers
        report.result = [*report.result[start:], *report.result[:start]]
    return report


def _worker(config: pytest.Config) -> tuple[int, int]:
    """The number of this process, and of how many."""
    given = getattr(config, "workerinput", {"workerid": "gw0", "workercount": 1})
    return int(given["workerid"].removeprefix("gw")), given["workercount"]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    items.sort(key=lambda item: item.path)  # the same order in every worker
    for item in items:
        names = {*getattr(item, "fixturenames", ()), *vars(getattr(item, "module", None) or object)}
        if names & _STARTERS or _needs_server(item.path.parent) or _needs_server(item.path):
            item.add_marker("server")
    yield  # pytest takes out what this run leaves out
    items[:] = _shared_out(items, _worker(config)[1])


def _shared_out(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Each worker gets an equal part of the list; let each part begin with some of the longest tests."""
    ranks = {item: _LONGEST.index(name) for item in items for name in _names(item) if name in _LONGEST}
    longest = sorted(ranks, key=lambda item: ranks[item])
    others = (item for item in items if item not in ranks)
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        size = (len(items) - len(ordered)) // (workers - worker)
        first = longest[worker::workers]
        ordered += [*first, *islice(others, max(0, size - len(first)))]
    return ordered


def _names(item: pytest.Item) -> tuple[str, str]:
    """Its file, and its function there."""
    file = item.path.relative_to(_TESTS).as_posix() if item.path.is_relative_to(_TESTS) else item.path.name
    return file, f"{file}::{getattr(item, 'originalname', item.name)}"


@cache
def _needs_server(path: Path) -> bool:
    """Whether every test in a folder or module does."""
    if path.suffix != ".py":
        return path.name in _FOLDERS
    text = path.read_text(encoding="utf-8")
    imported = " ".join(_IMPORTED.findall(text))
    return _ALL_NEED_IT in text or not _STARTERS.isdisjoint(re.findall(r"\w+", imported))


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
