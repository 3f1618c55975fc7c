"""Limits on CPU time, for patterns and for pull requests."""

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from mergecast.judge.child.time_limits import (
    LIMITS,
    PullRequestBudget,
    PullRequestTooSlow,
    Searches,
    TimeLimits,
)
from mergecast.language.conditions.errors import PatternTooSlow

# A fifth of the program's: most of these tests use up a limit.
_SHORT = TimeLimits(*(seconds / 5 for seconds in LIMITS))

_ENDLESS = [
    (r"(a+)+$", "a" * 60 + "b"),
    (r"(?:a|a)*$", "a" * 60 + "b"),
    (r"(?=(a+)+$)", "a" * 60 + "b"),
    (r"(.*)*b\1c", "a" * 5_000),
    (r".*.*.*.*.*.*=", "a" * 5_000),
]


@pytest.fixture(autouse=True)
def _no_garbage() -> Iterator[None]:
    """A search for garbage of earlier tests would count as CPU time of these."""
    gc.disable()
    yield
    gc.enable()


def _is_too_slow(searches: Searches, pattern: str, text: str) -> bool:
    try:
        searches.search(re.compile(pattern), text)
    except PatternTooSlow:
        return True
    return False


def test_ordinary_patterns() -> None:
    """Ordinary patterns are found or not, and the timer is off afterwards."""
    searches = Searches()

    assert [True, False] == [searches.search(re.compile(pattern), "abc") for pattern in ("b+", "^b")]
    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


@pytest.mark.parametrize(("pattern", "text"), _ENDLESS)
def test_a_pattern_that_never_ends(pattern: str, text: str) -> None:
    """The search is stopped soon after the limit, in every task."""
    for _ in range(2):
        begun = time.thread_time()
        assert _is_too_slow(Searches(_SHORT), pattern, text)
        assert time.thread_time() - begun < 20 * _SHORT.pattern
    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


def test_a_slow_pattern_on_many_texts() -> None:
    """It is tried on one text only; other patterns still work."""
    searches = Searches(_SHORT)
    begun = time.thread_time()

    assert all(_is_too_slow(searches, "(a+)+$", "a" * (50 + number) + "b") for number in range(100))

    assert time.thread_time() - begun < 20 * _SHORT.pattern  # a fifth of 100 times
    assert searches.search(re.compile("a+"), "a" * 60)


def test_many_slow_patterns() -> None:
    """All are found to be slow, in little more than the time for all patterns; other patterns still work."""
    limits = _SHORT._replace(all_patterns=_SHORT.pattern)
    searches = Searches(limits)
    begun = time.thread_time()

    assert all(_is_too_slow(searches, f"(a+)+{number}$", "a" * 60) for number in range(100))

    assert time.thread_time() - begun < 25 * limits.pattern  # a quarter of what they take one by one
    assert searches.search(re.compile("a+"), "a" * 60)


def test_a_busy_machine_does_not_change_the_result() -> None:
    """CPU time counts: a search that waits for the processor is not stopped."""
    pattern = re.compile("(a+)+$")
    text = "a" * 14 + "b"  # milliseconds, and a small part of the limit
    assert not Searches(_SHORT).search(pattern, text)
    with _busy_machine():
        found = [Searches(_SHORT).search(pattern, text) for _ in range(5)]

    assert [False] * 5 == found


@contextmanager
def _busy_machine() -> Iterator[None]:
    """Stops this process for longer than the limit, again and again, as a busy machine would.

    The other process ends by itself: killed, it could leave this one stopped forever.
    """
    code = (
        "import os, select, signal, sys, time\n"
        "while not select.select([sys.stdin], [], [], 0.001)[0]:\n"
        "    os.kill(int(sys.argv[1]), signal.SIGSTOP); time.sleep(float(sys.argv[2]))\n"
        "    os.kill(int(sys.argv[1]), signal.SIGCONT)\n"
    )
    command = [sys.executable, "-c", code, str(os.getpid()), str(2 * _SHORT.pattern)]
    with subprocess.Popen(command, stdin=subprocess.PIPE):
        yield  # closing the pipe ends the process


def test_a_text_that_makes_a_pattern_slow_concerns_one_pull_request() -> None:
    """The pattern is tried on the next pull request; once it was slow on two, it is always slow."""
    searches, pattern = Searches(_SHORT), re.compile("^(a+)+$")
    seen = []
    for text in ("a" * 60 + "b", "a", "a" * 60 + "b", "a"):
        searches.begin_pull_request()
        try:
            seen.append(str(searches.search(pattern, text)))
        except PatternTooSlow:
            seen.append("too slow")

    assert ["too slow", "True", "too slow", "too slow"] == seen


def test_a_pull_request_that_takes_too_long() -> None:
    """It is stopped; those after it have less time, but some."""
    budget = PullRequestBudget(_SHORT)
    taken = []
    for _ in range(4):
        begun = time.thread_time()
        with pytest.raises(PullRequestTooSlow):
            budget.run(_spin)
        taken.append(time.thread_time() - begun)

    assert _SHORT.pull_request <= taken[0] < 10 * _SHORT.pull_request
    assert _SHORT.all_pull_requests <= sum(taken) < 10 * _SHORT.all_pull_requests
    assert "done" == budget.run(lambda: "done")
    assert (0.0, 0.0) == signal.getitimer(signal.ITIMER_REAL)


def test_pull_requests_within_their_share_leave_the_time_of_others() -> None:
    """Together they take more than the time for slow ones, which one of them can still use."""
    limits = TimeLimits(pull_request=1, all_pull_requests=0.2, least_pull_request=0.04)
    budget = PullRequestBudget(limits)

    for _ in range(20):
        budget.run(lambda: _work(0.015))
    budget.run(lambda: _work(0.12))

    with pytest.raises(PullRequestTooSlow):
        budget.run(_spin)


def test_the_work_of_other_threads_does_not_count() -> None:
    """A child has none of its own, but a library may start one."""
    budget, is_over = PullRequestBudget(_SHORT), threading.Event()

    def work_too() -> None:
        while not is_over.is_set():
            pass

    others = [threading.Thread(target=work_too) for _ in range(3)]
    for other in others:
        other.start()
    try:
        budget.run(lambda: _work(_SHORT.pull_request / 2))
    finally:
        is_over.set()
        for other in others:
            other.join()


def _work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def _spin() -> None:
    while True:
        with suppress(Exception):  # as a library might
            sum(range(1_000))
