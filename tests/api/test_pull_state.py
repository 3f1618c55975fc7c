"""`GET …/pulls/{number}/state`: where a pull request stands, on both kinds of store."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from builders import ended, entered, left, reported, started
from live_server import LiveServer, live_server
from meanwhile import while_read
from mergecast.api import pull_state
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant
from postgres.server import new_store
from waiting import wait_until

NOW = parse_instant("2026-11-02T12:00:00Z")
_NUMBERS = count(1)
_NOTHING = {
    "since": None,
    "position": None,
    "waiting_for": None,
    "expected_merge": None,
    "expected_merges": None,
    "removal": None,
}


def _ago(minutes: float) -> str:
    return format_instant(NOW - round(minutes * MINUTE))


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("state"), now=lambda: NOW, **more) as server:
        yield server


@pytest.fixture
def name() -> str:
    """A repository that no other test uses."""
    return f"acme/state-{next(_NUMBERS)}"


def _state(server: LiveServer, name: str, number: int = 7) -> Any:
    answer = server.http.get(f"/v1/repos/{name}/pulls/{number}/state")
    assert answer.status_code == 200, answer.text
    assert len(answer.content) <= 2048
    return answer.json()


def _judged(server: LiveServer, name: str) -> Any:
    """The state once its last removal is judged."""
    return wait_until(
        lambda: found if (found := _state(server, name))["removal"]["cause"] is not None else None
    )


def test_a_pull_request_that_was_never_seen_is_unknown(running: LiveServer, name: str) -> None:
    running.send([entered(_ago(9), "a", 1)], name)

    assert {"pull_request": 7, "state": "unknown", **_NOTHING} == _state(running, name)
    assert "unknown" == _state(running, name, 9223372036854775999)["state"]


@pytest.mark.parametrize(("reason", "state"), [("PR_MERGED", "merged"), ("PR_DEQUEUED", "removed")])
def test_one_that_leaves_while_it_is_asked_for_is_not_in_the_queue(
    running: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch, reason: str, state: str
) -> None:
    """It leaves after the server has read how its stays ended, and before it reads what is in the queues."""
    running.send([entered(_ago(9), "a", 7), entered(_ago(8), "b", 8)], name)
    leaves = while_read(monkeypatch, pull_state, "read_endings")
    leaves(lambda: running.send([left(_ago(0), "a", 7, reason=reason)], name))

    during, after = _state(running, name), _state(running, name)

    # What the first answer says is all of the moment before.
    assert ("in_queue", _ago(9), 1) == (during["state"], during["since"], during["position"])
    assert (state, _ago(0), None) == (after["state"], after["since"], after["position"])


def test_an_unknown_repository_is_refused_as_elsewhere(running: LiveServer) -> None:
    state, history = (
        running.http.get(f"/v1/repos/nowhere/nothing/pulls/7/{which}") for which in ("state", "history")
    )

    assert 404 == state.status_code
    assert history.json() == state.json()


def test_a_waiting_pull_request_has_a_position_and_says_what_it_waits_for(
    running: LiveServer, name: str
) -> None:
    running.send(
        [entered(_ago(30), "a", 1), entered(_ago(20), "b", 7), started(_ago(5), "b", 7, "X", [7])], name
    )

    assert {
        "pull_request": 7,
        "state": "in_queue",
        "since": _ago(20),
        "position": 2,
        "waiting_for": {
            "reason": "ci",
            "sentence": "Second in `default`; CI has run for 5m",
            "until": None,
            "ci_started_at": _ago(5),
            "failed_at": None,
        },
        "expected_merge": None,
        "expected_merges": "too_little_history",
        "removal": None,
    } == _state(running, name)


def test_the_state_says_the_same_as_the_history(running: LiveServer, name: str) -> None:
    running.send(
        [
            *(entered(_ago(60 - place), session, place) for place, session in ((7, "b"), (8, "c"))),
            *(started(_ago(30), session, number, "X", [7, 8]) for number, session in ((7, "b"), (8, "c"))),
            *(
                ended(_ago(20), session, number, "X", outcome)
                for number, session, outcome in ((7, "b", "SUCCESS"), (8, "c", "CHECKS_FAILED"))
            ),
            reported(_ago(21), "X", "types", "failure"),
        ],
        name,
    )

    for number, reason in ((7, "ahead"), (8, "start")):
        state = _state(running, name, number)["waiting_for"]
        history = running.http.get(f"/v1/repos/{name}/pulls/{number}/history").json()["waiting_for"]
        failed = history["evidence"]["failed"]
        assert (reason, history["sentence"]) == (state["reason"], state["sentence"])
        assert (failed and failed["ended_at"]) == state["failed_at"]
    assert _ago(20) == state["failed_at"]


@pytest.mark.parametrize(
    "reason", ["PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED", "PR_MANUALLY_MERGED"]
)
def test_it_is_merged_in_whatever_way(running: LiveServer, name: str, reason: str) -> None:
    """An earlier removal is over then."""
    running.send([entered(_ago(30), "a", 7), left(_ago(20), "a", 7, "CHECKS_FAILED")], name)
    running.send([entered(_ago(9), "b", 7), left(_ago(5), "b", 7, reason)], name)

    assert {"pull_request": 7, "state": "merged", **_NOTHING, "since": _ago(5)} == _state(running, name)


def test_a_removal_has_cause_act_and_sentence_of_its_verdict(running: LiveServer, name: str) -> None:
    running.send([entered(_ago(30), "a", 7), left(_ago(20), "a", 7, "CONFLICT_WITH_BASE_BRANCH")], name)

    state = _judged(running, name)

    verdict = running.http.get(f"/v1/repos/{name}/pulls/7/verdict").json()
    removal = {
        "at": _ago(20),
        "reason": "CONFLICT_WITH_BASE_BRANCH",
        "is_being_judged": False,
        "cause": "conflict",
        "act": "fix",
        "sentence": verdict["sentence"],
    }
    assert {
        "pull_request": 7,
        "state": "removed",
        **_NOTHING,
        "since": _ago(20),
        "removal": removal,
    } == state


def test_a_pull_request_that_was_queued_again_keeps_its_last_removal(running: LiveServer, name: str) -> None:
    """So a client that did not look meanwhile learns of it."""
    running.send([entered(_ago(30), "a", 7), left(_ago(20), "a", 7, "PR_MANUALLY_DEQUEUED")], name)
    running.send([entered(_ago(9), "b", 7)], name)

    state = _judged(running, name)

    assert ("in_queue", _ago(9), _ago(20)) == (state["state"], state["since"], state["removal"]["at"])


def test_a_stay_whose_end_is_missing_does_not_count(running: LiveServer, name: str) -> None:
    """It entered the same queue again later, so the first stay has ended."""
    running.send([entered(_ago(60), "a", 7), entered(_ago(30), "b", 7)], name)
    running.send([left(_ago(20), "b", 7, "PR_DEQUEUED")], name)

    state = _state(running, name)

    assert ("removed", _ago(20)) == (state["state"], state["since"])


def test_a_stay_that_no_event_begins_counts(running: LiveServer, name: str) -> None:
    running.send([entered(_ago(60), "a", 7), left(_ago(50), "a", 7, "PR_DEQUEUED")], name)
    running.send([left(_ago(20), "b", 7, "PR_MERGED")], name)

    assert ("merged", "unknown") == tuple(_state(running, name, number)["state"] for number in (7, 8))


def test_an_unchanged_state_is_not_sent_again(running: LiveServer, name: str) -> None:
    path = f"/v1/repos/{name}/pulls/7/state"
    running.send([entered(_ago(30), "a", 7)], name)
    first = running.http.get(path)
    known = {"If-None-Match": first.headers["ETag"]}

    again = running.http.get(path, headers=known)
    running.send([started(_ago(5), "a", 7, "X", [7])], name)
    later = running.http.get(path, headers=known)

    assert (304, b"") == (again.status_code, again.content)
    assert "private, no-cache" == first.headers["Cache-Control"]
    assert (200, "ci") == (later.status_code, later.json()["waiting_for"]["reason"])


@pytest.mark.parametrize("character", ["x", "ß", "🦊", '"'])
def test_names_of_any_length_leave_the_answer_small(running: LiveServer, name: str, character: str) -> None:
    long = {"queue_name": character * 255, "base_ref": character * 255}
    running.send([entered(_ago(60), "a", 7, **long), left(_ago(55), "a", 7, "CHECKS_FAILED", **long)], name)
    running.send(
        [
            entered(_ago(30), "b", 7, **long),
            started(_ago(20), "b", 7, "X", [7], **long),
            ended(_ago(10), "b", 7, "X", "CHECKS_FAILED", **long),
            reported(_ago(11), "X", "x" * 255, "failure", check_id="c"),
        ],
        name,
    ).raise_for_status()

    waiting = _judged(running, name)["waiting_for"]

    history = running.http.get(f"/v1/repos/{name}/pulls/7/history").json()["waiting_for"]
    sentence = waiting["sentence"].removesuffix("…")
    assert history["sentence"].startswith(sentence)
    assert len(sentence) > 90
