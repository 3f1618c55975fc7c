"""A pytest plugin: a worker of pytest-xdist reports each test once, and a setup or teardown only if it fails.

Sending three reports for each test, with one message before and one after them, takes longer than most tests.
"""

import os

import pytest
from _pytest.runner import runtestprotocol

_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    options = item.config.option
    if not _IS_WORKER or options.durations is not None or options.verbose > 0:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
