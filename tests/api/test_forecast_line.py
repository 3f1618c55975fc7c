"""Forecasts wait in line: callers take turns, learn their position, and progress never goes back."""

import json
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from builders import entered
from held_forecasts import FORECAST, LINES, PATH, Asked, advice, keys_of, serving_held
from local_client import local_client
from mergecast.sandbox.patience import Patience
from waiting import wait_for, wait_until

pytestmark = pytest.mark.server


def test_callers_wait_in_line_and_are_told_their_position(tmp_path: Path) -> None:
    """Who asks for a second forecast is behind everyone who asks for a first one."""
    with serving_held(tmp_path) as (server, held):
        keys = keys_of(server, 6)
        running = [Asked(server, key) for key in keys[:3]]
        held.wait_until_begun(3)
        fourth = Asked(server, keys[3])
        wait_for({"position": 1, "under_way": 3}, fourth.place)
        fifth = Asked(server, keys[4], f"{PATH}/search", base_ref="main", vary={"batch_size": [1, 2]})
        wait_for({"position": 2, "under_way": 3}, fifth.place)
        second = Asked(server, keys[3])
        wait_for({"position": 3, "under_way": 3}, second.place)
        newcomer = Asked(server, keys[5])
        wait_for({"position": 3, "under_way": 3}, newcomer.place)
        wait_for({"position": 4, "under_way": 3}, second.place)
        held.let_end()
        waiting = (fourth, fifth, second, newcomer)
        for asked in (*running, *waiting):
            asked.join()

    for asked in (fourth, fifth, newcomer):
        assert asked.positions() == sorted(asked.positions(), reverse=True)
        assert asked.positions()[-1] == 0
    problem = {
        "type": "about:blank",
        "title": "Unprocessable entity",
        "status": 422,
        "detail": "the test has let it end",
    }
    assert [asked.lines[-1] for asked in waiting] == [{"error": problem["detail"], "problem": problem}] * 4
    # Who need not wait gets the problem with its own status.
    assert [asked.lines for asked in running] == [[problem]] * 3


def test_a_client_that_leaves_the_line_lets_the_others_move_up(tmp_path: Path) -> None:
    with serving_held(tmp_path) as (server, held), ExitStack() as opened:
        keys = keys_of(server, 5)
        running = [Asked(server, key) for key in keys[:3]]
        held.wait_until_begun(3)
        http = opened.enter_context(local_client(timeout=120))
        leaving = http.stream(
            "POST", server.url + PATH, json=FORECAST, headers={**LINES, "Authorization": f"Bearer {keys[3]}"}
        )
        with leaving as response:
            lines = response.iter_lines()
            assert json.loads(next(lines)) == {"line": {"position": 1, "under_way": 3}}
            staying = Asked(server, keys[4])
            wait_for({"position": 2, "under_way": 3}, staying.place)
        wait_for({"position": 1, "under_way": 3}, staying.place)
        held.let_end()
        for asked in (*running, staying):
            asked.join()


def test_a_machine_that_is_too_busy_is_the_reason_that_is_given(tmp_path: Path) -> None:
    with serving_held(tmp_path, seconds=5.0, patience=Patience(600, 0.05)) as (server, _):
        refused = server.http.post(PATH, json=FORECAST)

    assert refused.status_code == 503
    assert refused.json()["detail"] == (
        "the machine is too busy: other programs leave too little processor time to this forecast; "
        "try again later"
    )


def test_recommendations_have_a_line_of_their_own(tmp_path: Path) -> None:
    """One is computed at a time, beside the forecasts that people ask for."""
    with serving_held(tmp_path) as (server, held):
        keys = keys_of(server, 3)
        forecasts = [Asked(server, key) for key in keys]
        held.wait_until_begun(3)
        assert advice(server, "one")["state"] == "pending"
        held.wait_until_begun(4)
        first = wait_until(lambda: advice(server, "one")["line"])
        wait_for({"position": 1, "under_way": 1}, lambda: advice(server, "two")["line"])
        wait_for({"position": 2, "under_way": 1}, lambda: advice(server, "three", keys[0])["line"])
        held.let_end()
        wait_for("too_little_history", lambda: advice(server, "three")["state"])
        for asked in forecasts:
            asked.join()

    assert first == {"position": 0, "under_way": 0}


def test_the_progress_of_a_recommendation_that_begins_again_does_not_go_back(tmp_path: Path) -> None:
    """It is given up while the machine is too busy, and begins again when somebody asks."""
    with serving_held(tmp_path, seconds=5.0, patience=Patience(600, 0.2)) as (server, held):
        held.allow(5)
        wait_for({"done": 5, "total": 25}, lambda: advice(server, "one")["progress"])
        held.forbid(5)
        held.allow(3)
        seen = []

        def has_begun_again() -> bool:
            seen.append(advice(server, "one")["progress"])
            return held.sent(3) > 1

        wait_until(has_begun_again)
        seen.append(advice(server, "one")["progress"])
        held.let_end()
        wait_for("too_little_history", lambda: advice(server, "one")["state"])

    assert seen == [{"done": 5, "total": 25}] * len(seen)


def test_expected_merges_are_pending_while_the_machine_is_too_busy(tmp_path: Path) -> None:
    """It says nothing about the queue; whoever asks next lets them begin again."""
    with serving_held(tmp_path, seconds=5.0, patience=Patience(600, 0.2)) as (server, held):
        now = datetime.now(UTC).isoformat()  # nothing is expected of a queue that is silent
        entries = [entered(now, f"of-{number}", number) for number in range(2, 802)]
        server.send(entries, "acme/one").raise_for_status()

        def state() -> str:
            (queue,) = server.http.get("/v1/repos/acme/one/queue").json()["queues"]
            return str(queue["expected_merges"])

        seen = []

        def has_begun_again() -> bool:
            seen.append(state())
            return held.begun() > 1

        wait_until(has_begun_again)
        held.let_end()
        wait_for("too_little_history", state)

    assert {"pending"} == set(seen)
