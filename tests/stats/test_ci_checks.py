"""The figures of CI checks in one small day, worked out by hand."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from builders import Wire, ended, entered, left, reported, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import parse_instant

_DAY = "2026-03-03T"
_WINDOW = "start_at=2026-03-03T00:00:00Z&end_at=2026-03-04T00:00:00Z"
_REPOSITORIES = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("checks"), now=lambda: parse_instant("2026-03-05T00:00:00Z")
    ) as live:
        yield live


def _send(server: LiveServer) -> None:
    """Run X fails because of `unit` and stops Y behind it; Z, the next run of pull request 1, passes."""
    times = {
        "queued_at": f"{_DAY}07:00:00Z",
        "started_at": f"{_DAY}07:01:00Z",
        "ended_at": f"{_DAY}07:09:00Z",
    }
    later = {
        "queued_at": f"{_DAY}08:00:00Z",
        "started_at": f"{_DAY}08:00:30Z",
        "ended_at": f"{_DAY}08:08:30Z",
    }
    last = {"started_at": f"{_DAY}08:00:00Z", "ended_at": f"{_DAY}08:09:30Z"}
    link = "https://ci.example.com/1"
    events = [
        entered(f"{_DAY}06:00:00Z", "a", 1),
        entered(f"{_DAY}06:00:00Z", "b", 2),
        started(f"{_DAY}07:00:00Z", "a", 1, "X", [1]),
        started(f"{_DAY}07:03:00Z", "b", 2, "Y", [2]),
        ended(f"{_DAY}07:10:00Z", "a", 1, "X", "CHECKS_FAILED"),
        ended(f"{_DAY}07:13:00Z", "b", 2, "Y", "BATCH_AHEAD_FAILED"),
        left(f"{_DAY}07:10:30Z", "a", 1, "CHECKS_FAILED"),
        entered(f"{_DAY}08:00:00Z", "c", 1),
        started(f"{_DAY}08:00:00Z", "c", 1, "Z", [1]),
        ended(f"{_DAY}08:10:00Z", "c", 1, "Z"),
        reported(f"{_DAY}07:09:00Z", "X", "unit", "failure", runner="linux", url=link, **times),
        reported(f"{_DAY}08:09:00Z", "Z", "unit", runner="linux", **later),
        reported(f"{_DAY}08:09:30Z", "Z", "e2e", **last),
        reported(f"{_DAY}08:09:40Z", "Z", "docs", "cancelled", is_required=False, **last),
    ]
    server.send(events).raise_for_status()


_FAILED = {"same_commit": 0, "other_run": 0, "built_on": 0, "failed_again": 0, "not_tried": 0}


def _run(  # noqa: PLR0917 - in the order of time
    batch: str, pull: int, start: str, end: str, conclusion: str, outcome: str = "SUCCESS"
) -> list[Wire]:
    """A run of the stay with the number of the pull request, and what its `unit` came to."""
    times = {"started_at": f"{_DAY}{start}:00Z", "ended_at": f"{_DAY}{end}:00Z"}
    return [
        started(f"{_DAY}{start}:00Z", f"s{pull}", pull, batch, [pull]),
        ended(f"{_DAY}{end}:30Z", f"s{pull}", pull, batch, outcome),
        reported(f"{_DAY}{end}:00Z", batch, "unit", conclusion, **times),
    ]


def _stay(pull: int, start: str, end: str, reason: str = "PR_MERGED") -> list[Wire]:
    return [
        entered(f"{_DAY}{start}:00Z", f"s{pull}", pull),
        left(f"{_DAY}{end}:45Z", f"s{pull}", pull, reason),
    ]


_FIRST = [
    *_stay(1, "06:00", "07:10", "CHECKS_FAILED"),
    *_run("X", 1, "07:00", "07:10", "failure", "CHECKS_FAILED"),
]


def _behind(start: str, conclusion: str, outcome: str = "BATCH_AHEAD_FAILED") -> list[Wire]:
    """A run of #2, and another one after #1 has left."""
    return [
        *_stay(2, "06:30", "07:30"),
        *_run("Y", 2, start, "07:10", conclusion, outcome),
        *_run("Z", 2, "07:11", "07:30", "success"),
    ]


def _back(before: str | None, after: str | None, conclusion: str) -> list[Wire]:
    """#1 comes back with a commit, after it had entered with another one."""
    times = {"started_at": f"{_DAY}08:00:00Z", "ended_at": f"{_DAY}08:09:00Z"}
    commits = [{} if commit is None else {"head_sha": commit * 40} for commit in (before, after)]
    return [
        {**entered(f"{_DAY}06:00:00Z", "s1", 1), **commits[0]},
        {**entered(f"{_DAY}07:50:00Z", "c", 1), **commits[1]},
        started(f"{_DAY}08:00:00Z", "c", 1, "Z", [1]),
        ended(f"{_DAY}08:10:00Z", "c", 1, "Z"),
        reported(f"{_DAY}08:09:00Z", "Z", "unit", conclusion, **times),
    ]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([], {"not_tried": 1}),
        # What is built on it passes, was stopped because of it or passed in vain, or fails too.
        (_behind("07:01", "success"), {"built_on": 1}),
        (_behind("07:01", "success", "SUCCESS"), {"built_on": 1}),
        (_behind("06:58", "success"), {"built_on": 1}),
        (_behind("06:57", "success"), {"not_tried": 1}),
        (_behind("07:01", "failure"), {"failed_again": 2}),
        # It comes back with the same commit, with another one, and with one that is not known.
        (_back("a", "a", "success"), {"other_run": 1}),
        (_back("a", "a", "failure"), {"failed_again": 2}),
        (_back("a", "b", "success"), {"not_tried": 1}),
        (_back("a", None, "success"), {"not_tried": 1}),
        (_back(None, None, "success"), {"not_tried": 1}),
    ],
)
def test_a_failure_is_flaky_only_if_the_same_commit_passed(
    server: LiveServer, others: list[Wire], expected: dict[str, int]
) -> None:
    """The run X of #1 fails."""
    repository = f"acme/widgets-{next(_REPOSITORIES)}"
    entries = {event["session_id"] for event in others if event["type"] == "queue_entered"}
    first = [one for one in _FIRST if one["type"] != "queue_entered" or one["session_id"] not in entries]
    events = [*others, *first]
    server.send(events, repository).raise_for_status()

    answer = server.http.get(f"/v1/repos/{repository}/ci-checks?{_WINDOW}").raise_for_status().json()

    (unit,) = answer["checks"]
    assert {**_FAILED, **expected, "links": []} == unit["evidence"]


def test_a_failure_behind_a_broken_pull_request_is_not_flaky(server: LiveServer) -> None:
    """#2 fails behind #1, which fails again; without it #2 passes."""
    repository = f"acme/widgets-{next(_REPOSITORIES)}"
    again = _run("X2", 1, "07:05", "07:10", "failure", "CHECKS_FAILED")
    server.send([*_FIRST, *again, *_behind("07:01", "failure")], repository).raise_for_status()

    answer = (
        server.http.get(f"/v1/repos/{repository}/ci-checks?{_WINDOW}&name=unit").raise_for_status().json()
    )

    (unit,) = answer["checks"]
    assert {**_FAILED, "failed_again": 3, "links": []} == unit["evidence"]
    assert [False, False, False] == [failure["is_flaky"] for failure in answer["failures"]]


def test_broken_changes_that_explain_all_failures_are_no_flakes(server: LiveServer) -> None:
    """#1 fails alone and #2 behind it at the same time, with which it has entered; then #2 passes alone."""
    repository = f"acme/widgets-{next(_REPOSITORIES)}"
    first, second = {"head_sha": "a" * 40}, {"head_sha": "b" * 40}
    events = [
        *({**event, **first} for event in _stay(1, "06:00", "07:10", "CHECKS_FAILED")),
        *_run("X", 1, "07:00", "07:10", "failure", "CHECKS_FAILED"),
        *({**event, **second} for event in _stay(2, "06:00", "07:30")),
        *_run("Y", 2, "07:00", "07:10", "failure", "BATCH_AHEAD_FAILED"),
        *_run("Z", 2, "07:11", "07:30", "success"),
    ]
    server.send(events, repository).raise_for_status()

    answer = server.http.get(f"/v1/repos/{repository}/ci-checks?{_WINDOW}").raise_for_status().json()

    (unit,) = answer["checks"]
    assert (None, 0.0) == (unit["flake_rate"], unit["flake_interval"]["low"])
    assert {**_FAILED, "failed_again": 2, "links": []} == unit["evidence"]


def test_every_figure(tmp_path: Path) -> None:
    """Failures, what they cost, evidence of flakiness, times, and what runs waited for."""
    with live_server(tmp_path, now=lambda: parse_instant("2026-03-05T00:00:00Z")) as server:
        _send(server)
        path = f"/v1/repos/acme/widgets/ci-checks?{_WINDOW}"
        answer = server.http.get(path).raise_for_status().json()
        named = server.http.get(f"{path}&name=unit").raise_for_status().json()
        filtered = server.http.get(f"{path}&base_ref=elsewhere").raise_for_status().json()
        unknown = server.http.get(f"{path}&name=none").raise_for_status().json()

    unit, docs, e2e = answer["checks"]
    assert ["unit", "docs", "e2e"] == [check["name"] for check in answer["checks"]]
    assert 2 / 3 == answer["covered"]
    assert (2, 1, 0.5, 1, 600.0) == tuple(
        unit[name] for name in ("runs", "failed", "failure_rate", "removals", "blocked_seconds")
    )
    evidence = {**_FAILED, "not_tried": 1, "links": []}
    assert (0, None, evidence) == (unit["flaky"], unit["flake_rate"], unit["evidence"])
    assert {"low": 0.0, "high": 0.9} == {end: round(at, 1) for end, at in unit["flake_interval"].items()}
    assert 0.0 == e2e["flake_rate"]
    assert (None, None) == (docs["flake_rate"], docs["flake_interval"])
    assert 960.0 == unit["seconds"]["sum"]
    assert abs(480 - unit["seconds"]["p50"]) < 480 * 0.02
    assert 90.0 == unit["waited_seconds"]["sum"]
    assert abs(45 - unit["waited_seconds"]["p50"]) < 45 * 0.02
    assert (1, 1.0) == (e2e["critical"]["runs"], e2e["critical"]["share"])
    assert abs(60 - e2e["critical"]["p50"]) < 60 * 0.02
    assert {"runs": 0, "share": 0.0, "p50": None} == unit["critical"]
    assert (0, None, 570.0) == (docs["runs"], docs["failure_rate"], docs["seconds"]["sum"])
    assert [None] == [part["runner"] for part in e2e["by_runner"]]
    assert {**unit["by_runner"][0], "name": "unit", "by_runner": unit["by_runner"]} == {
        **unit,
        "runner": "linux",
    }
    assert [unit] == named["checks"]
    assert ["2026-03-03T07:00:00Z", "2026-03-03T07:15:00Z"] == [
        named["series"][0][name] for name in ("start", "end")
    ]
    assert [(1, 1), (1, 0)] == [(entry["runs"], entry["failed"]) for entry in named["series"]]
    assert [
        {
            "at": "2026-03-03T07:09:00Z", "conclusion": "failure", "pull_requests": [1], "batch_id": "X",
            "attempt": 1, "check_id": "unit", "url": "https://ci.example.com/1", "runner": "linux",
            "base_ref": "main", "queue_name": "default", "is_flaky": None,
        }
    ] == named["failures"]  # fmt: skip
    assert [] == filtered["checks"]
    assert ([], [], []) == (unknown["checks"], unknown["series"], unknown["failures"])


def test_the_answer_is_cached_until_a_report_or_an_event_arrives(tmp_path: Path) -> None:
    """Its ETag changes with either; the ETags of statistics change with events alone."""
    with live_server(tmp_path, now=lambda: parse_instant("2026-03-05T00:00:00Z")) as server:
        _send(server)
        path = f"/v1/repos/acme/widgets/ci-checks?{_WINDOW}"
        first = server.http.get(path)
        same = server.http.get(path, headers={"If-None-Match": first.headers["ETag"]})
        server.send([reported(f"{_DAY}09:00:00Z", "Z", "more")]).raise_for_status()
        changed = server.http.get(path, headers={"If-None-Match": first.headers["ETag"]})
        server.send([entered(f"{_DAY}09:00:00Z", "d", 4)]).raise_for_status()
        again = server.http.get(path, headers={"If-None-Match": changed.headers["ETag"]})

    assert [200, 304, 200, 200] == [one.status_code for one in (first, same, changed, again)]


def test_too_many_names(tmp_path: Path) -> None:
    """The message says what to do, and a single check can still be asked for."""
    with live_server(tmp_path, now=lambda: parse_instant("2026-03-05T00:00:00Z")) as server:
        for batch in ("X", "Y"):
            reports = [reported(f"{_DAY}07:00:00Z", batch, f"{batch}{number}") for number in range(5_001)]
            server.send(reports).raise_for_status()
        path = f"/v1/repos/acme/widgets/ci-checks?{_WINDOW}"
        refused, one = server.http.get(path), server.http.get(f"{path}&name=X7")

    message = (
        "the answer has 10,002 checks, more than 10,000; filter by name, base_ref or queue_name, or choose a "
        "shorter period. The name of a check should be the same in every run"
    )
    assert (422, message) == (refused.status_code, refused.json()["detail"])
    assert ["X7"] == [check["name"] for check in one.json()["checks"]]
