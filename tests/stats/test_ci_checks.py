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


_AHEAD = entered(f"{_DAY}05:00:00Z", "ahead", 9)
_AFTER = entered(f"{_DAY}07:00:00Z", "ahead", 9)


def _removed(at: str, reason: str = "CHECKS_FAILED") -> Wire:
    return left(f"{_DAY}{at}Z", "ahead", 9, reason)


def _tested(start: str, end: str) -> list[Wire]:
    return [
        started(f"{_DAY}{start}Z", "ahead", 9, "W", [9]),
        ended(f"{_DAY}{end}Z", "ahead", 9, "W", "CHECKS_FAILED"),
    ]


@pytest.mark.parametrize(
    ("others", "flaky"),
    [
        # The start of the run ahead is reported 17 s late, 2 minutes late, and too late to have been ahead.
        ([_AHEAD, *_tested("07:00:17", "07:20:00")], 0),
        ([_AHEAD, *_tested("07:02:00", "07:20:00")], 0),
        ([_AHEAD, *_tested("07:02:01", "07:20:00")], 1),
        ([_AHEAD, *_tested("08:00:17", "08:20:00")], 0),
        # One ahead is removed between the two runs, at their edges, and outside.
        ([_AHEAD, _removed("07:30:00")], 0),
        ([_AHEAD, _removed("07:30:00", "CHECKS_TIMEOUT")], 0),
        ([_AHEAD, _removed("07:00:00")], 0),
        ([_AHEAD, _removed("08:00:00")], 0),
        ([_removed("07:30:00")], 0),
        # The start of the failed run itself may be reported late, after the one ahead was removed.
        ([_AHEAD, _removed("06:59:43")], 0),
        ([_AHEAD, _removed("06:58:00")], 0),
        ([_AHEAD, _removed("06:57:59")], 1),
        ([_AHEAD, _removed("08:00:01")], 1),
        ([_AHEAD, _removed("07:30:00", "PR_DEQUEUED")], 1),
        ([_AFTER, _removed("07:30:00")], 1),
    ],
)
def test_a_failure_is_flaky_only_if_the_next_run_had_certainly_the_same_base(
    server: LiveServer, others: list[Wire], flaky: int
) -> None:
    """The run of #1 fails at 7 and passes at 8."""
    repository = f"acme/widgets-{next(_REPOSITORIES)}"
    times = {"started_at": f"{_DAY}07:00:00Z", "ended_at": f"{_DAY}07:09:00Z"}
    again = {"started_at": f"{_DAY}08:00:00Z", "ended_at": f"{_DAY}08:09:00Z"}
    events = [
        entered(f"{_DAY}06:00:00Z", "a", 1),
        started(f"{_DAY}07:00:00Z", "a", 1, "X", [1]),
        ended(f"{_DAY}07:10:00Z", "a", 1, "X", "CHECKS_FAILED"),
        left(f"{_DAY}07:10:30Z", "a", 1, "CHECKS_FAILED"),
        entered(f"{_DAY}07:50:00Z", "c", 1),
        started(f"{_DAY}08:00:00Z", "c", 1, "Z", [1]),
        ended(f"{_DAY}08:10:00Z", "c", 1, "Z"),
        reported(f"{_DAY}07:09:00Z", "X", "unit", "failure", **times),
        reported(f"{_DAY}08:09:00Z", "Z", "unit", **again),
        *others,
    ]
    server.send(events, repository).raise_for_status()

    answer = server.http.get(f"/v1/repos/{repository}/ci-checks?{_WINDOW}").raise_for_status().json()

    (unit,) = answer["checks"]
    assert (flaky, 0) == (unit["evidence"]["next_run"], unit["evidence"]["same_commit"])


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
    evidence = {"same_commit": 0, "next_run": 1, "links": ["https://ci.example.com/1"]}
    assert (1, 0.5, evidence) == (unit["flaky"], unit["flake_rate"], unit["evidence"])
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
            "base_ref": "main", "queue_name": "default", "is_flaky": True,
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
