"""A pytest plugin: a worker of pytest-xdist reports each test once, and a setup or teardown only if it fails.

Sending three reports for each test, and receiving them, takes longer than most tests.
"""

import os

import pytest
from _pytest.runner import runtestprotocol

_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not _IS_WORKER or item.config.option.durations is not None:
        return None
    hook = item.ihook
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
