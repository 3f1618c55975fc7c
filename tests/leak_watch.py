"""A pytest plugin: a run in which a secret is logged fails, though all its tests may pass."""

import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest

from logged_secrets import LOGGED, leaks, logged
from mergecast import logs


class _Tee:
    """Standard error, and a copy of what our logs write to it."""

    @property
    def stderr(self) -> SimpleNamespace:
        return SimpleNamespace(buffer=self)

    def write(self, lines: bytes) -> None:
        LOGGED.write(lines)
        sys.stderr.buffer.write(lines)

    def flush(self) -> None:
        sys.stderr.buffer.flush()


def pytest_configure() -> None:
    # Between tests pytest captures nothing; what servers log then is to be seen too.
    cast("Any", logs).sys = _Tee()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if leaks(logged()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    text = logged()
    found = leaks(text)
    if found:
        terminalreporter.section("secrets in logs", red=True)
        terminalreporter.line(f"{len(found)} in {text.count(chr(10))} lines: {', '.join(found)}", red=True)
