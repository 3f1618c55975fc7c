"""`GET …/pulls/{number}/state`: where a pull request stands, on both kinds of store."""

from typing import Any

import pytest

from api.noon import ago
from builders import ended, entered, left, reported, started
from live_server import LiveServer
from meanwhile import while_read
from mergecast.api import pull_state
from waiting import wait_until

pytestmark = pytest.mark.server

_NOTHING = {
    "since": None,
    "position": None,
    "waiting_for": None,
    "expected_merge": None,
    "expected_merges": None,
    "removal": None,
}


def _state(server: LiveServer, repository: str, number: int = 7) -> Any:
    answer = server.http.get(f"/v1/repos/{repository}/pulls/{number}/state")
    assert answer.status_code == 200, answer.text
    assert len(answer.content) <= 2048
    return answer.json()


def _judged(server: LiveServer, repository: str) -> Any:
    """The state once its last removal is judged."""
    return wait_until(
        lambda: found if (found := _state(server, repository))["removal"]["cause"] is not None else None
    )


def test_a_pull_request_that_was_never_seen_is_unknown(at_noon: LiveServer, repository: str) -> None:
    at_noon.send([entered(ago(9), "a", 1)], repository)

    assert {"pull_request": 7, "state": "unknown", **_NOTHING} == _state(at_noon, repository)
    assert "unknown" == _state(at_noon, repository, 9223372036854775999)["state"]


@pytest.mark.parametrize(("reason", "state"), [("PR_MERGED", "merged"), ("PR_DEQUEUED", "removed")])
def test_one_that_leaves_while_it_is_asked_for_is_not_in_the_queue(
    at_noon: LiveServer, repository: str, monkeypatch: pytest.MonkeyPatch, reason: str, state: str
) -> None:
    """It leaves after the server has read how its stays ended, and before it reads what is in the queues."""
    at_noon.send([entered(ago(9), "a", 7), entered(ago(8), "b", 8)], repository)
    leaves = while_read(monkeypatch, pull_state, "read_endings")
    leaves(lambda: at_noon.send([left(ago(0), "a", 7, reason=reason)], repository))

    during, after = _state(at_noon, repository), _state(at_noon, repository)

    # What the first answer says is all of the moment before.
    assert ("in_queue", ago(9), 1) == (during["state"], during["since"], during["position"])
    assert (state, ago(0), None) == (after["state"], after["since"], after["position"])


def test_an_unknown_repository_is_refused_as_elsewhere(at_noon: LiveServer) -> None:
    state, history = (
        at_noon.http.get(f"/v1/repos/nowhere/nothing/pulls/7/{which}") for which in ("state", "history")
    )

    assert 404 == state.status_code
    assert history.json() == state.json()


def test_a_waiting_pull_request_has_a_position_and_says_what_it_waits_for(
    at_noon: LiveServer, repository: str
) -> None:
    at_noon.send(
        [entered(ago(30), "a", 1), entered(ago(20), "b", 7), started(ago(5), "b", 7, "X", [7])], repository
    )

    assert {
        "pull_request": 7,
        "state": "in_queue",
        "since": ago(20),
        "position": 2,
        "waiting_for": {
            "reason": "ci",
            "sentence": "Second in `default`; CI has run for 5m",
            "until": None,
            "ci_started_at": ago(5),
            "failed_at": None,
            "alert": None,
        },
        "expected_merge": None,
        "expected_merges": "too_little_history",
        "removal": None,
    } == _state(at_noon, repository)


def test_the_state_says_the_same_as_the_history(at_noon: LiveServer, repository: str) -> None:
    at_noon.send(
        [
            *(entered(ago(60 - place), session, place) for place, session in ((7, "b"), (8, "c"))),
            *(started(ago(30), session, number, "X", [7, 8]) for number, session in ((7, "b"), (8, "c"))),
            *(
                ended(ago(20), session, number, "X", outcome)
                for number, session, outcome in ((7, "b", "SUCCESS"), (8, "c", "CHECKS_FAILED"))
            ),
            reported(ago(21), "X", "types", "failure"),
        ],
        repository,
    )

    for number, reason in ((7, "ahead"), (8, "start")):
        state = _state(at_noon, repository, number)["waiting_for"]
        history = at_noon.http.get(f"/v1/repos/{repository}/pulls/{number}/history").json()["waiting_for"]
        failed = history["evidence"]["failed"]
        assert (reason, history["sentence"]) == (state["reason"], state["sentence"])
        assert (failed and failed["ended_at"]) == state["failed_at"]
    assert ago(20) == state["failed_at"]


@pytest.mark.parametrize(
    "reason", ["PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED", "PR_MANUALLY_MERGED"]
)
def test_it_is_merged_in_whatever_way(at_noon: LiveServer, repository: str, reason: str) -> None:
    """An earlier removal is over then."""
    at_noon.send([entered(ago(30), "a", 7), left(ago(20), "a", 7, "CHECKS_FAILED")], repository)
    at_noon.send([entered(ago(9), "b", 7), left(ago(5), "b", 7, reason)], repository)

    assert {"pull_request": 7, "state": "merged", **_NOTHING, "since": ago(5)} == _state(at_noon, repository)


def test_a_removal_has_cause_act_and_sentence_of_its_verdict(at_noon: LiveServer, repository: str) -> None:
    at_noon.send([entered(ago(30), "a", 7), left(ago(20), "a", 7, "CONFLICT_WITH_BASE_BRANCH")], repository)

    state = _judged(at_noon, repository)

    verdict = at_noon.http.get(f"/v1/repos/{repository}/pulls/7/verdict").json()
    removal = {
        "at": ago(20),
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
        "since": ago(20),
        "removal": removal,
    } == state


def test_a_pull_request_that_was_queued_again_keeps_its_last_removal(
    at_noon: LiveServer, repository: str
) -> None:
    """So a client that did not look meanwhile learns of it."""
    at_noon.send([entered(ago(30), "a", 7), left(ago(20), "a", 7, "PR_MANUALLY_DEQUEUED")], repository)
    at_noon.send([entered(ago(9), "b", 7)], repository)

    state = _judged(at_noon, repository)

    assert ("in_queue", ago(9), ago(20)) == (state["state"], state["since"], state["removal"]["at"])


def test_a_stay_whose_end_is_missing_does_not_count(at_noon: LiveServer, repository: str) -> None:
    """It entered the same queue again later, so the first stay has ended."""
    at_noon.send([entered(ago(60), "a", 7), entered(ago(30), "b", 7)], repository)
    at_noon.send([left(ago(20), "b", 7, "PR_DEQUEUED")], repository)

    state = _state(at_noon, repository)

    assert ("removed", ago(20)) == (state["state"], state["since"])


def test_a_stay_that_no_event_begins_counts(at_noon: LiveServer, repository: str) -> None:
    at_noon.send([entered(ago(60), "a", 7), left(ago(50), "a", 7, "PR_DEQUEUED")], repository)
    at_noon.send([left(ago(20), "b", 7, "PR_MERGED")], repository)

    assert ("merged", "unknown") == tuple(_state(at_noon, repository, number)["state"] for number in (7, 8))


def test_an_unchanged_state_is_not_sent_again(at_noon: LiveServer, repository: str) -> None:
    path = f"/v1/repos/{repository}/pulls/7/state"
    at_noon.send([entered(ago(30), "a", 7)], repository)
    first = at_noon.http.get(path)
    known = {"If-None-Match": first.headers["ETag"]}

    again = at_noon.http.get(path, headers=known)
    at_noon.send([started(ago(5), "a", 7, "X", [7])], repository)
    later = at_noon.http.get(path, headers=known)

    assert (304, b"") == (again.status_code, again.content)
    assert "private, no-cache" == first.headers["Cache-Control"]
    assert (200, "ci") == (later.status_code, later.json()["waiting_for"]["reason"])


@pytest.mark.parametrize("character", ["x", "ß", "🦊", '"'])
def test_names_of_any_length_leave_the_answer_small(
    at_noon: LiveServer, repository: str, character: str
) -> None:
    long = {"queue_name": character * 255, "base_ref": character * 255}
    at_noon.send(
        [entered(ago(60), "a", 7, **long), left(ago(55), "a", 7, "CHECKS_FAILED", **long)], repository
    )
    at_noon.send(
        [
            entered(ago(30), "b", 7, **long),
            started(ago(20), "b", 7, "X", [7], **long),
            ended(ago(10), "b", 7, "X", "CHECKS_FAILED", **long),
            reported(ago(11), "X", "x" * 255, "failure", check_id="c"),
        ],
        repository,
    ).raise_for_status()

    waiting = _judged(at_noon, repository)["waiting_for"]

    history = at_noon.http.get(f"/v1/repos/{repository}/pulls/7/history").json()["waiting_for"]
    sentence = waiting["sentence"].removesuffix("…")
    assert history["sentence"].startswith(sentence)
    assert len(sentence) > 90
