"""`GET …/queue`: the current content of the queues."""

from datetime import UTC, datetime, timedelta
from typing import Any

from builders import ended, entered, left, reported, started
from live_server import LiveServer


def _ago(minutes: float) -> str:
    return (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat(timespec="seconds")


def _queue(server: LiveServer, repository: str) -> Any:
    answer = server.http.get(f"/v1/repos/{repository}/queue")
    assert answer.status_code == 200, answer.text
    return answer.json()


def _numbers(queue: Any) -> list[int]:
    return [entry["pull_request"] for entry in queue["entries"]]


def test_entries_are_in_order_of_entering(server: LiveServer, repository: str) -> None:
    """Positions start at 1; they are marked as estimated because no event carries them."""
    first, second = _ago(30), _ago(20)
    server.send([entered(second, "b", 2), entered(first, "a", 1)], repository)

    document = _queue(server, repository)

    (queue,) = document["queues"]
    waited = queue["entries"][0].pop("waited_seconds")
    assert 1800 <= waited < 1860
    assert {
        "position": 1,
        "is_estimated": True,
        "pull_request": 1,
        "session_id": "a",
        "priority_rule_name": None,
        "entered_at": first.replace("+00:00", "Z"),
        "batch_id": None,
        "expected_merge": None,
        "failed": None,
    } == queue["entries"][0]
    assert ("main", "default", [1, 2], []) == (
        queue["base_ref"], queue["queue_name"], _numbers(queue), queue["batches"],
    )  # fmt: skip
    assert "too_little_history" == queue["expected_merges"]
    described = {"alerts", "incidents", "undiagnosed", "newest_event_at", "quiet_after", "silence", "polled"}
    assert {"at", "version", "queues", *described} == document.keys()


def test_a_pull_request_that_left_is_not_listed(server: LiveServer, repository: str) -> None:
    """A queue without entries is absent."""
    server.send([entered(_ago(9), "a", 1), left(_ago(5), "a", 1)], repository)

    assert [] == _queue(server, repository)["queues"]


def test_a_running_batch_is_listed_with_its_members(server: LiveServer, repository: str) -> None:
    """The second attempt is running; the first has ended."""
    start = _ago(4)
    server.send(
        [
            entered(_ago(30), "a", 1),
            entered(_ago(29), "b", 2),
            entered(_ago(28), "c", 3),
            *(started(_ago(20), name, number, "X", [1, 2]) for name, number in (("a", 1), ("b", 2))),
            *(ended(_ago(5), name, number, "X", "CHECKS_RETRIED") for name, number in (("a", 1), ("b", 2))),
            *(started(start, name, number, "X", [1, 2], attempt=2) for name, number in (("a", 1), ("b", 2))),
        ],
        repository,
    )

    (queue,) = _queue(server, repository)["queues"]

    batch = {"batch_id": "X", "attempt": 2, "started_at": start.replace("+00:00", "Z")}
    assert [{**batch, "pull_requests": [1, 2]}] == queue["batches"]
    assert ["X", "X", None] == [entry["batch_id"] for entry in queue["entries"]]


def test_a_pull_request_whose_batch_failed_says_what_happens_next(
    server: LiveServer, repository: str
) -> None:
    """Of three that were tested together, one is alone now, one waits and one has passed; another is new."""
    failed_at = _ago(8)
    batch = (("a", 1), ("b", 2), ("c", 3))
    server.send(
        [
            *(entered(_ago(30), name, number) for name, number in (*batch, ("d", 4))),
            *(started(_ago(20), name, number, "X", [1, 2, 3]) for name, number in batch),
            *(ended(failed_at, name, number, "X", "CHECKS_FAILED") for name, number in batch),
            reported(failed_at, "X", "types", "failure"),
            started(_ago(7), "c", 3, "Y", [3]),
            ended(_ago(6), "c", 3, "Y", "SUCCESS"),
            started(_ago(5), "a", 1, "Z", [1]),
        ],
        repository,
    )

    (queue,) = _queue(server, repository)["queues"]

    found = {entry["pull_request"]: entry["failed"] for entry in queue["entries"]}
    run = {"batch_id": "X", "attempt": 1, "ended_at": failed_at.replace("+00:00", "Z")}
    run |= {"pull_requests": [1, 2, 3], "check": "types"}
    assert {**run, "sentence": "Its batch of 3 failed `types`; being tested alone now"} == found[1]
    assert {**run, "sentence": "Its batch of 3 failed `types`; it waits to be tested again"} == found[2]
    assert (None, None) == (found[3], found[4])


def test_who_is_tested_on_top_of_others_is_not_said_to_be_alone(server: LiveServer, repository: str) -> None:
    """Both parts of a batch that failed are tested at the same time, the second on top of the first."""
    failed_at = _ago(8)
    batch = (("a", 1), ("b", 2))
    server.send(
        [
            *(entered(_ago(30 - number), name, number) for name, number in batch),
            *(started(_ago(20), name, number, "X", [1, 2]) for name, number in batch),
            *(ended(failed_at, name, number, "X", "CHECKS_FAILED") for name, number in batch),
            started(_ago(7), "a", 1, "Y", [1]),
            started(_ago(6), "b", 2, "Z", [2]),
        ],
        repository,
    )

    (queue,) = _queue(server, repository)["queues"]

    assert [
        "Its batch of 2 failed; being tested alone now",
        "Its batch of 2 failed; being tested in a batch of its own now",
    ] == [entry["failed"]["sentence"] for entry in queue["entries"]]


def test_a_batch_that_is_retried_is_tested_again(server: LiveServer, repository: str) -> None:
    server.send(
        [
            entered(_ago(30), "a", 1),
            started(_ago(20), "a", 1, "X", [1]),
            ended(_ago(9), "a", 1, "X", "CHECKS_RETRIED"),
            started(_ago(8), "a", 1, "X", [1], attempt=2),
        ],
        repository,
    )

    (queue,) = _queue(server, repository)["queues"]

    assert "Its CI failed; being tested again now" == queue["entries"][0]["failed"]["sentence"]


def test_a_pull_request_that_entered_again_is_listed_once(server: LiveServer, repository: str) -> None:
    """The event for its first leaving is missing; the newer stay counts."""
    server.send([entered(_ago(30), "a", 1), entered(_ago(10), "b", 1)], repository)

    (queue,) = _queue(server, repository)["queues"]

    assert ["b"] == [entry["session_id"] for entry in queue["entries"]]


def test_a_later_stay_closes_the_earlier_one(server: LiveServer, repository: str) -> None:
    """The earlier stay remains closed even after the later one ends."""
    server.send(
        [entered(_ago(30), "a", 1), entered(_ago(10), "b", 1), left(_ago(5), "b", 1)],
        repository,
    )

    assert [] == _queue(server, repository)["queues"]


def test_queues_are_sorted_and_separate(server: LiveServer, repository: str) -> None:
    """The same pull request can be in the queues of two branches."""
    server.send(
        [
            entered(_ago(9), "a", 1, base_ref="release"),
            entered(_ago(8), "b", 1),
            entered(_ago(7), "c", 2, queue_name="a-hotfix", priority_rule_name="urgent"),
        ],
        repository,
    )

    queues = _queue(server, repository)["queues"]

    assert [("main", "a-hotfix", [2]), ("main", "default", [1]), ("release", "default", [1])] == [
        (queue["base_ref"], queue["queue_name"], _numbers(queue)) for queue in queues
    ]
    assert "urgent" == queues[0]["entries"][0]["priority_rule_name"]


def test_an_unknown_repository(server: LiveServer) -> None:
    """The repository has no events."""
    assert 404 == server.http.get("/v1/repos/acme/nothing-here/queue").status_code


def test_a_query_parameter_is_refused(server: LiveServer) -> None:
    """The queue has no parameters."""
    assert 422 == server.http.get("/v1/repos/acme/widgets/queue?branch=main").status_code
