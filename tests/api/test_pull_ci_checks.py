"""The CI checks of the CI runs in `GET …/pulls/{number}/history`."""

from builders import ended, entered, reported, started
from live_server import LiveServer

_DAY = "2026-03-02T"


def test_each_run_has_its_checks(server: LiveServer, repository: str) -> None:
    """The longest comes first; a run that failed names the first required check that did."""
    times = {"queued_at": f"{_DAY}09:01:00Z", "started_at": f"{_DAY}09:02:00Z"}
    link = "https://ci.example.com/2"
    events = [
        entered(f"{_DAY}09:00:00Z", "a", 1),
        started(f"{_DAY}09:01:00Z", "a", 1, "X", [1]),
        ended(f"{_DAY}09:30:00Z", "a", 1, "X", "CHECKS_FAILED"),
        started(f"{_DAY}09:31:00Z", "a", 1, "X", [1], attempt=2),
        reported(f"{_DAY}09:04:00Z", "X", "docs", "failure", is_required=False),
        reported(f"{_DAY}09:09:00Z", "X", "unit", "failure", url=link, runner="linux", is_required=True,
                 ended_at=f"{_DAY}09:09:00Z", **times),
        reported(f"{_DAY}09:20:00Z", "X", "e2e", ended_at=f"{_DAY}09:20:00Z", **times),
    ]  # fmt: skip
    server.send(events, repository).raise_for_status()

    answer = server.http.get(f"/v1/repos/{repository}/pulls/1/history").raise_for_status().json()

    first, second = answer["stays"][0]["checks"]
    unknown = dict.fromkeys(("queued_at", "started_at", "ended_at", "url", "runner", "is_required"))
    unit = {
        "name": "unit", "check_id": "unit", "conclusion": "failure", **times, "ended_at": f"{_DAY}09:09:00Z",
        "url": link, "runner": "linux", "is_required": True,
    }  # fmt: skip
    assert [
        {**unknown, "name": "e2e", "check_id": "e2e", "conclusion": "success", **times,
         "ended_at": f"{_DAY}09:20:00Z"},
        unit,
        {**unknown, "name": "docs", "check_id": "docs", "conclusion": "failure", "is_required": False},
    ] == first["ci_checks"]  # fmt: skip
    assert (3, unit) == (first["ci_checks_total"], first["failed_ci_check"])
    assert ([], 0, None) == (second["ci_checks"], second["ci_checks_total"], second["failed_ci_check"])
