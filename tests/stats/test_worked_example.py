"""The worked example of the definitions, number by number."""

from typing import Any

import pytest

from builders import worked_example
from live_server import LiveServer, live_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with live_server(tmp_path_factory.mktemp("data")) as live:
        assert {"stored": 12, "duplicates": 0} == live.send(worked_example()).json()
        yield live


def _entry(server: LiveServer, statistic: str, hour: str) -> dict[str, Any]:
    (group,) = server.stats(statistic)["groups"]
    (entry,) = [one for one in group["stats"] if one["start"] == f"2026-03-02T{hour}:00Z"]
    return {name: value for name, value in entry.items() if name not in ("start", "end")}


def test_total_queue_time(server: LiveServer) -> None:
    """3720 and 3480 seconds, both leaving after 11:00."""
    expected = {
        "avg_queue_time": 3600.0,
        "max_queue_time": 3720.0,
        "min_queue_time": 3480.0,
        "sum_queue_time": 7200.0,
        "count_queue_time": 2,
        "p50_queue_time": 3600.0,
        "p90_queue_time": 3696.0,
        "p95_queue_time": 3708.0,
        "p99_queue_time": 3717.6,
    }

    assert expected == _entry(server, "total_queue_time", "11:00")


def test_average_ci_runtime(server: LiveServer) -> None:
    """Two attempts of one batch are two CI runs."""
    first = _entry(server, "average_ci_runtime", "10:30")
    second = _entry(server, "average_ci_runtime", "11:00")

    assert (1800.0, 1) == (first["runtime"], first["count_runtime"])
    assert (1200.0, 1) == (second["runtime"], second["count_runtime"])


def test_idle_queue_time(server: LiveServer) -> None:
    """CI ran 3000 seconds for both; 720 and 480 seconds were left."""
    (group,) = server.stats("idle_queue_time")["groups"]
    entry = _entry(server, "idle_queue_time", "11:00")

    assert (3000.0, 600.0, 720.0, 2) == (
        entry["ci_runtime"],
        entry["idle_capacity"],
        entry["max_idle_capacity"],
        entry["count_idle"],
    )
    assert (600.0, 720.0) == (group["summary"]["avg_idle_capacity"], group["summary"]["max_idle_capacity"])


def test_queue_size(server: LiveServer) -> None:
    """Weighted by time; 56 intervals from the first event to the end of the day."""
    (group,) = server.stats("queue_size")["groups"]

    assert {"avg_size": 5 / 3, "max_size": 2, "min_size": 1} == _entry(server, "queue_size", "10:00")
    assert {"avg_size": 1 / 3, "max_size": 2, "min_size": 0} == _entry(server, "queue_size", "11:00")
    assert 56 == len(group["stats"])


def test_running_speculative_checks(server: LiveServer) -> None:
    """Ten minutes of one run, one minute of none, four minutes of the next."""
    expected = {"avg_running_checks": 14 / 15, "max_running_checks": 1, "min_running_checks": 0}

    assert expected == _entry(server, "running_speculative_checks", "10:30")


def test_batch_size(server: LiveServer) -> None:
    """Both attempts had two pull requests."""
    sizes = [_entry(server, "batch_size", hour) for hour in ("10:00", "10:30")]

    assert [(2.0, 1), (2.0, 1)] == [(size["avg_batch_size"], size["count_batch_size"]) for size in sizes]


def test_checks_retries(server: LiveServer) -> None:
    """One retry each, and both were merged."""
    expected = {
        "total_retries": 2,
        "sessions_with_retries": 2,
        "recovered": 2,
        "not_recovered": 0,
        "recovery_rate": 1.0,
        "avg_retry_depth": 1.0,
        "max_retry_depth": 1,
    }

    assert expected == _entry(server, "checks_retries", "11:00")


def test_merge_queue_checks_outcome(server: LiveServer) -> None:
    """Every outcome is there, most of them with nothing."""
    (group,) = server.stats("merge_queue_checks_outcome")["groups"]

    assert {"CHECKS_RETRIED": 2, "SUCCESS": 2} == {name: n for name, n in group["stats"].items() if n}
    assert 40 == len(group["stats"])


def test_failure_rate(server: LiveServer) -> None:
    """Two left, none failed."""
    assert {"total": 2, "failures": 0, "failure_rate": 0.0} == _entry(server, "failure_rate", "11:00")


def test_lists(server: LiveServer) -> None:
    """One branch and one queue saw activity."""
    assert {"base_refs": ["main"]} == server.stats("branches")
    assert {"queue_names": ["default"]} == server.stats("queues")


def test_time_to_merge(server: LiveServer) -> None:
    """The week up to a moment, both ends as defined."""
    at_noon = server.stats("time_to_merge", at="2026-03-02T12:00:00Z")
    at_first_exit = server.stats("time_to_merge", at="2026-03-02T11:02:00Z")
    before_any_exit = server.stats("time_to_merge", at="2026-03-02T11:00:00Z", branch="main")
    elsewhere = server.stats("time_to_merge", at="2026-03-02T12:00:00Z", branch="release")

    assert [
        {"queues": [{"queue_name": "default", "time_to_merge": {"mean": 3600.0, "median": 3600.0}}]}
    ] == at_noon
    assert 3720.0 == at_first_exit[0]["queues"][0]["time_to_merge"]["mean"]
    assert {"mean": None, "median": None} == before_any_exit[0]["queues"][0]["time_to_merge"]
    assert [{"queues": []}] == elsewhere
