"""A pytest plugin: a run that logs a secret fails, even if every test passes.

With pytest-xdist each worker watches its own log and reports what it found to the controller.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TextIO

import pytest

from logged_secrets import LOGGED, leaks, logged
from mergecast.process.logs import log_as_json, log_to

_FOUND = pytest.StashKey[list[str]]()
_CAPTURED: list[TextIO] = []


def _remember(lines: bytes) -> None:
    """Remember log lines; show those of a test that fails, not what servers log between tests.

    A test that redirects stderr reads what its command prints, not what a server logs in another thread.
    """
    LOGGED.write(lines)
    for stderr in _CAPTURED:
        with suppress(OSError, ValueError):  # a test may have replaced and closed it
            stderr.buffer.write(lines)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_FOUND] = []
    log_to(_remember)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> None:
    """Log everything: an earlier test may have raised the level, or have logged the same warning."""
    log_as_json()


@pytest.hookimpl(wrapper=True, trylast=True)
def _while_capturing() -> Iterator[None]:
    _CAPTURED.append(sys.stderr)
    try:
        return (yield)
    finally:
        _CAPTURED.clear()


pytest_runtest_setup = pytest_runtest_call = pytest_runtest_teardown = _while_capturing


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Collect what a worker found; a worker that crashed reports nothing."""
    node.config.stash[_FOUND] += getattr(node, "workeroutput", {}).get("leaks", [])


def pytest_sessionfinish(session: pytest.Session) -> None:
    found = session.config.stash[_FOUND]
    found += leaks(logged())
    if found:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["leaks"] = found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    logged_secrets = config.stash[_FOUND]
    found = sorted(set(logged_secrets))
    if found:
        terminalreporter.section("secrets in logs", red=True)
        terminalreporter.line(f"{len(found)} logged: {', '.join(found)}", red=True)
