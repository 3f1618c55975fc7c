"""The state in a summary over HTTP: it follows the events, the alerts of queues, and the clock."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from builders import entered, left
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, format_instant, parse_instant
from mergecast.signals.alerts.watcher import AlertWatch
from signals.steady import steady_events

NOW = parse_instant("2026-11-02T12:00:00Z")
UP_TO_TOMORROW = {"start_at": format_instant(NOW - WEEK), "end_at": format_instant(NOW + DAY)}
UP_TO_NOW = {**UP_TO_TOMORROW, "end_at": format_instant(NOW)}


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[LiveServer]:
    folder: Path = tmp_path_factory.mktemp("verdicts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AlertWatch, "look_seconds", 3600.0)  # it measures when a test asks for the queue
        with live_server(folder, now=clock) as server:
            yield server


class _Steady:
    """A repository with three weeks of a steady queue, the last pull request of which waits."""

    def __init__(self, server: LiveServer, name: str) -> None:
        self._http, self._path = server.http, f"/v1/repos/{name}"
        self.send(*steady_events(NOW, weeks=3), entered(format_instant(NOW - MINUTE), "waiting", 9001))

    def send(self, *events: dict[str, Any]) -> None:
        self._http.post(f"{self._path}/events", json=events).raise_for_status()

    def ask(self, window: dict[str, str], etag: str = "") -> httpx.Response:
        return self._http.get(f"{self._path}/summary", params=window, headers={"If-None-Match": etag})

    def measure(self) -> None:
        self._http.get(f"{self._path}/queue").raise_for_status()


@pytest.fixture
def steady(running: LiveServer, clock: Clock, repository: str) -> _Steady:
    clock.now = NOW
    return _Steady(running, repository)


def _sentence(answer: httpx.Response) -> tuple[str, str]:
    found = answer.json()["state"]
    return found["name"], found["sentence"]


def test_a_problem_that_begins_changes_the_answer(steady: _Steady, clock: Clock) -> None:
    """The entity tag changes with it, although no event has arrived and no time has passed."""
    clock.now = NOW + 46 * MINUTE
    first = steady.ask(UP_TO_TOMORROW)
    again = steady.ask(UP_TO_TOMORROW, first.headers["etag"])
    steady.measure()
    later = steady.ask(UP_TO_TOMORROW, first.headers["etag"])

    assert ("fine", "Much like the 8 days before: p50 13m, p95 15m. 1 in queue.") == _sentence(first)
    assert 304 == again.status_code
    assert 200 == later.status_code
    assert ("stuck", "No CI run has started for 46m; 1 pull request waits, for 47m.") == _sentence(later)


def test_a_period_that_is_over_says_nothing_about_now(steady: _Steady, clock: Clock) -> None:
    """The same period is present for an hour after its end."""
    clock.now = NOW + 46 * MINUTE
    steady.measure()
    present = steady.ask(UP_TO_NOW)
    clock.now = NOW + 2 * HOUR
    past = steady.ask(UP_TO_NOW, present.headers["etag"])
    clock.now = NOW + 5 * HOUR
    unchanged = steady.ask(UP_TO_NOW, past.headers["etag"])

    assert "1 pull request waits" in _sentence(present)[1]
    assert 200 == past.status_code
    assert ("fine", "Much like the week before: p50 13m, p95 15m.") == _sentence(past)
    assert 304 == unchanged.status_code


def test_filters_keep_other_queues_out(steady: _Steady, clock: Clock) -> None:
    """A queue in which nothing merges does not concern the others."""
    clock.now = NOW + 30 * MINUTE
    for number, hours in ((1, 80), (2, 90)):
        at = format_instant(NOW - hours * HOUR)
        steady.send(entered(at, f"hotfix-{number}", number, queue_name="hotfix"))
    steady.send(entered(format_instant(NOW - 100 * HOUR), "old", 3, queue_name="hotfix"))
    steady.send(left(format_instant(NOW - 99 * HOUR), "old", 3, queue_name="hotfix"))

    state, sentence = _sentence(steady.ask({**UP_TO_TOMORROW, "queue_name": "hotfix"}))
    other, _ = _sentence(steady.ask({**UP_TO_TOMORROW, "queue_name": "unknown"}))

    assert ("stuck", "Nothing has merged for 4d 4h; 2 pull requests wait, the oldest for 3d 19h.") == (
        state,
        sentence,
    )
    assert "unjudged" == other


def test_a_small_team_and_a_young_one(running: LiveServer, clock: Clock, repository: str) -> None:
    """Five stays a week say nothing, 28 days of them do; and what there is of a week before is compared."""
    clock.now = NOW
    name, young = repository, f"{repository}-young"
    for number in range(60):
        is_slow = number >= 30
        at, minutes = NOW - 56 * DAY + number * 22 * HOUR, 51 if is_slow else 30
        running.send(_stay(at, number, minutes), name).raise_for_status()
    begin = NOW - 2 * WEEK + 5 * HOUR
    for number in range(80):
        is_slow = begin + number * 4 * HOUR >= NOW - WEEK
        running.send(
            _stay(begin + number * 4 * HOUR, number, 51 if is_slow else 30), young
        ).raise_for_status()

    def judged(of: str) -> tuple[str, str, str, str]:
        answer = running.http.get(f"/v1/repos/{of}/summary", params=UP_TO_NOW).json()
        one, state = answer["comparison"], answer["state"]
        verdict = one["time_in_queue_p50"]["verdict"]
        return state["name"], state["sentence"], verdict, one["window_before"]["start"]

    assert (
        "slow",
        (
            "Slower than the 28 days before: p95 51m (up 70%). Over 28 days, because the period alone has 6 "
            "stays. The queue is empty."
        ),
        "worse",
        "2026-09-07T12:00:00Z",
    ) == judged(name)
    assert (
        "slow",
        "Slower than the week before: p95 51m (up 70%). The queue is empty.",
        "worse",
        "2026-10-19T17:00:00Z",
    ) == judged(young)


def _stay(at: int, number: int, minutes: int) -> list[dict[str, Any]]:
    session, end = f"s{number}", at + minutes * MINUTE
    return [entered(format_instant(at), session, number), left(format_instant(end), session, number)]
