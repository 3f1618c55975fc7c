"""A team that moves keeps its numbers: what the log says, counted from the log alone, is what comes out."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cli.program import mergecast
from live_server import TOKEN, LiveServer
from mergecast.queues.model.instant import DAY, SECOND, format_instant, parse_instant
from sources.activity_log_history import LogWriter

pytestmark = pytest.mark.server

_END = parse_instant("2026-09-14T00:00:00Z")
_WINDOW = {"start_at": format_instant(_END - 20 * DAY), "end_at": format_instant(_END)}

Entry = dict[str, Any]


def _of(entries: Iterable[Entry], type: str) -> list[Entry]:
    return [entry for entry in entries if entry["type"] == f"action.queue.{type}"]


def _group(entry: Entry) -> tuple[str, str | None]:
    return entry["metadata"]["queue_name"], entry["metadata"]["priority_rule_name"]


def _run(entry: Entry) -> tuple[str, int]:
    """The run of CI: every member of a batch reports the same one."""
    return entry["metadata"]["batch_id"], entry["metadata"]["speculative_check_pull_request"]["number"]


def _ci_seconds(entry: Entry) -> float:
    checked = entry["metadata"]["speculative_check_pull_request"]
    return _between(checked["checks_started_at"], checked["checks_ended_at"])


def _stay_seconds(entry: Entry) -> float:
    return _between(entry["metadata"]["queued_at"], entry["received_at"])


def _between(start: str, end: str) -> float:
    return (parse_instant(end) - parse_instant(start)) / SECOND


def _summed(values: Iterable[tuple[Any, float]]) -> dict[Any, tuple[float, float]]:
    """The number and the sum of the values of each key."""
    found: defaultdict[Any, list[float]] = defaultdict(list)
    for key, value in values:
        found[key].append(value)
    return {key: (len(given), round(sum(given), 3)) for key, given in found.items()}


def _answered(answer: Any, count: str, total: str) -> dict[Any, tuple[float, float]]:
    """The same of a statistic, over all its intervals."""
    return {
        (group["queue_name"], group["priority_rule_name"]): (
            sum(entry[count] for entry in group["stats"]),
            round(sum(entry[total] for entry in group["stats"]), 3),
        )
        for group in answer["groups"]
    }


def _import(server: LiveServer, folder: Path, entries: list[Entry]) -> None:
    file = folder / "page.json"
    file.write_text(json.dumps(entries))
    options = ("--file", file, "--as", "acme/widgets", "--url", server.url, "--token", TOKEN)
    imported = mergecast("import", "activity-log", "acme-orbit/lander", *options, data=folder)
    assert 0 == imported.code, imported.err


@pytest.mark.parametrize("seed", [1, 2])
def test_numbers_of_the_log(server: LiveServer, tmp_path: Path, seed: int) -> None:
    """Wherever the log and a statistic define the same thing."""
    entries = LogWriter(seed).entries(400, _END - DAY)
    _import(server, tmp_path, entries)
    entered, left, ended = (_of(entries, type) for type in ("enter", "leave", "checks_end"))
    runs = {_run(entry): entry for entry in ended}.values()

    def stats(name: str) -> Any:
        return server.stats(name, **_WINDOW)

    assert _summed((_group(entry), 1) for entry in entered) == _answered(
        stats("queues_entered_count"), "entered", "entered"
    )
    assert _summed((_group(entry), 1) for entry in left if entry["metadata"]["merged"]) == _answered(
        stats("queues_merged_count"), "merged", "merged"
    )
    assert _summed((_group(entry), _stay_seconds(entry)) for entry in left) == _answered(
        stats("total_queue_time"), "count_queue_time", "sum_queue_time"
    )
    assert _summed((_group(entry), _ci_seconds(entry)) for entry in runs) == _answered(
        stats("average_ci_runtime"), "count_runtime", "sum_runtime"
    )
    sizes = ((_group(entry), len(_members(entry))) for entry in runs)
    assert _summed(sizes) == _answered(stats("batch_size"), "count_batch_size", "sum_batch_size")


def test_codes_of_the_log(server: LiveServer, tmp_path: Path) -> None:
    """Why pull requests left, how checks ended, and which stays were retried."""
    entries = LogWriter(3).entries(400, _END - DAY)
    _import(server, tmp_path, entries)
    left, ended = _of(entries, "leave"), _of(entries, "checks_end")

    reasons = Counter(entry["metadata"]["dequeue_code"].replace("PR_MERGED", "SUCCESS") for entry in left)
    outcomes = Counter(entry["metadata"]["abort_code"] or "SUCCESS" for entry in ended)
    retried = [entry["metadata"]["session_id"] for entry in ended
               if entry["metadata"]["abort_code"] == "CHECKS_RETRIED"]  # fmt: skip
    failures = reasons["CHECKS_FAILED"] + reasons["CHECKS_TIMEOUT"]

    counted = server.stats("queues_pr_exit_reasons", **_WINDOW)
    assert reasons == _by_code(counted, "exit_reason")
    assert outcomes == _by_code(server.stats("queues_checks_outcome_count", **_WINDOW), "check_outcome")
    retries = _totals(server.stats("checks_retries", **_WINDOW), "total_retries", "sessions_with_retries")
    assert (len(retried), len(set(retried))) == retries
    assert (len(left), failures) == _totals(server.stats("failure_rate", **_WINDOW), "total", "failures")


def _members(entry: Entry) -> list[int]:
    members: list[int] = entry["metadata"]["speculative_check_pull_request"]["pull_request_numbers"]
    return members


def _by_code(answer: Any, name: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for group in answer["groups"]:
        for entry in group["stats"]:
            found[entry[name]] += entry["count"]
    return found


def _totals(answer: Any, *names: str) -> tuple[int, ...]:
    entries = [entry for group in answer["groups"] for entry in group["stats"]]
    return tuple(sum(entry[name] for entry in entries) for name in names)
