"""`POST …/explanation`, on a real server and its child process."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from builders import Wire
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import DAY, FIRST_INSTANT, MINUTE, format_instant, parse_instant
from worlds.changes import queue
from worlds.events import history_of
from worlds.explained import AFTER, BEFORE
from worlds.steps import Step
from worlds.wire import wire_event
from worlds.world import START, World

pytestmark = [pytest.mark.server, pytest.mark.thorough]

_REPOSITORY = "acme/slower"
_WITHOUT_RUNS, _RUNS_AFTER, _ENTERED_UNSEEN = "acme/no-runs", "acme/runs-after", "acme/entered-unseen"
_WORLD = World(3, days=56, pulls_per_day=30, weekend=0.3, length_median=14, length_drift=0.02, day_noise=0.1)
_NOW = AFTER.end + DAY


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Eight weeks of a queue; in the second four, CI takes 40 % longer."""
    with live_server(tmp_path_factory.mktemp("explanation"), now=lambda: _NOW) as server:
        slower = replace(_WORLD, length_median=_WORLD.length_median * 1.4)
        record = Step(_WORLD, slower, AFTER.start).play(queue(2, 2))
        events = [wire_event(event) for event in history_of(_WORLD, record)]
        events += list(_reports(events))
        _send(server, events, _REPOSITORY)
        _send(server, [one for one in events if not _is_of_runs(one)], _WITHOUT_RUNS)
        is_later = partial(_has_happened_since, AFTER.start)
        _send(server, [one for one in events if is_later(one) or not _is_of_runs(one)], _RUNS_AFTER)
        unseen = [one for one in events if one["type"] != "queue_entered" and not _is_of_runs(one)]
        _send(server, unseen, _ENTERED_UNSEEN)
        yield server


def _send(server: LiveServer, events: list[Wire], repository: str) -> None:
    for first in range(0, len(events), 5000):
        server.send(events[first : first + 5000], repository).raise_for_status()


def _is_of_runs(event: Wire) -> bool:
    return event["type"] in ("checks_started", "checks_ended", "ci_check_reported")


def _has_happened_since(start: int, event: Wire) -> bool:
    return parse_instant(event["at"]) >= start


def _reports(events: list[Wire]) -> Iterator[Wire]:
    """Two checks of each passed run: `build` takes as long as the run, `lint` a minute."""
    starts = {_run(event): event["at"] for event in events if event["type"] == "checks_started"}
    passed = {_run(event): event["at"] for event in events if event.get("outcome") == "SUCCESS"}
    for (batch, attempt), end in passed.items():
        start = starts[batch, attempt]
        a_minute_later = format_instant(parse_instant(start) + MINUTE)
        for name, ended in (("build", end), ("lint", a_minute_later)):
            yield {
                "type": "ci_check_reported",
                "base_ref": "main",
                "queue_name": "default",
                "id": f"{batch}-{attempt}-{name}",
                "batch_id": batch,
                "attempt": attempt,
                "at": ended,
                "check_id": name,
                "name": name,
                "conclusion": "success",
                "started_at": start,
                "ended_at": ended,
            }


def _run(event: Wire) -> tuple[str, int]:
    return event["batch_id"], event["attempt"]


def _period(start: int, end: int) -> dict[str, str]:
    return {"start_at": format_instant(start), "end_at": format_instant(end)}


_PERIODS: dict[str, Any] = {"before": _period(*BEFORE), "after": _period(*AFTER)}


def _ask(
    server: LiveServer, headers: dict[str, str] | None = None, repository: str = _REPOSITORY, **body: Any
) -> Any:
    return server.http.post(f"/v1/repos/{repository}/explanation", json=body, headers=headers)


def _errors(response: Any) -> list[tuple[str, str]]:
    assert response.status_code == 422, response.text
    return [(error["name"], error["message"]) for error in response.json()["errors"]]


def test_the_answer_names_what_changed_and_is_described(recorded: LiveServer) -> None:
    answer = _ask(recorded, **_PERIODS, base_ref="main").json()
    components = recorded.http.get("/v1/openapi.json").json()["components"]
    described = {"$ref": "#/components/schemas/Explanation", "components": components}
    Draft202012Validator(described).validate(answer)
    assert answer.keys() == set(components["schemas"]["Explanation"]["required"])
    assert (answer["base_ref"], answer["before"], answer["after"]) == ("main", *_PERIODS.values())
    p50 = answer["figures"][0]
    assert (p50["figure"], p50["state"]) == ("time_to_merge_p50", "divided")
    assert p50["parts"][0]["part"] == "run_length"


def test_the_check_that_takes_longer_stands_out(recorded: LiveServer) -> None:
    causes = {one["cause"]: one for one in _ask(recorded, **_PERIODS).json()["causes"]}
    (check,) = [one for one in causes["run_length"]["stands_out"] if one["dimension"] == "check"]
    assert (check["name"], check["unit"], check["share_of_pull_requests"]) == ("build", "seconds", None)
    assert 1.3 < check["after"] / check["before"] < 1.5
    assert check["share_of_difference"] > 0.8


def test_figures_are_those_of_the_summary(recorded: LiveServer) -> None:
    figures = {one["figure"]: one for one in _ask(recorded, **_PERIODS).json()["figures"]}
    asked = {**_PERIODS["after"], **{f"before_{name}": at for name, at in _PERIODS["before"].items()}}
    summary = recorded.http.get(f"/v1/repos/{_REPOSITORY}/summary", params=asked).json()["all"]
    for name in ("time_to_merge_p50", "time_to_merge_p95", "ci_runs_per_merge"):
        assert figures[name]["after"] == pytest.approx(summary[name]["value"], abs=1e-5)
        assert figures[name]["before"] == pytest.approx(summary[name]["before"], abs=1e-5)


def test_the_same_question_has_the_same_answer_after_a_line_for_each_replicate(recorded: LiveServer) -> None:
    lines = _ask(recorded, {"Accept": "application/x-ndjson"}, **_PERIODS).text.splitlines()
    *steps, answer = map(json.loads, lines)
    assert steps == [{"progress": {"done": done, "total": 8}} for done in range(8)]
    assert answer == _ask(recorded, **_PERIODS).json()


def test_by_default_the_last_28_days_of_the_busiest_branch_are_explained(recorded: LiveServer) -> None:
    answer = _ask(recorded).json()
    assert answer["base_ref"] == "main"
    assert answer["after"] == _period(_NOW - 28 * DAY, _NOW)
    assert answer["before"] == _period(_NOW - 56 * DAY, _NOW - 28 * DAY)


def test_too_little_history_is_refused_with_what_is_missing(recorded: LiveServer) -> None:
    response = _ask(recorded, after=_period(AFTER.start, AFTER.start + 7 * DAY))
    assert response.status_code == 422
    assert response.json()["detail"].startswith(
        "An explanation needs at least 200 merged pull requests and 14 days in each period; there are "
    )


def test_periods_without_merges_are_refused(recorded: LiveServer) -> None:
    response = _ask(recorded, after=_period(START - 100 * DAY, START - 72 * DAY))
    assert (response.status_code, response.json()["detail"]) == (422, "Nothing was merged in either period.")


def test_the_first_period_of_the_calendar_is_refused(recorded: LiveServer) -> None:
    """Nothing happened in the one before it."""
    response = _ask(recorded, base_ref="main", after=_period(FIRST_INSTANT, FIRST_INSTANT + 28 * DAY))
    assert (response.status_code, response.json()["detail"]) == (
        422,
        (
            "An explanation needs at least 200 merged pull requests and 14 days in each period; "
            "nothing of this branch is recorded in the period before."
        ),
    )


def test_periods_that_cannot_be_compared_are_refused(recorded: LiveServer) -> None:
    overlapping = _period(BEFORE.end - DAY, AFTER.end - DAY)
    assert _errors(_ask(recorded, before=_PERIODS["before"], after=overlapping)) == [
        ("/after/start_at", "must not be earlier than the end of `before`: the two periods overlap")
    ]
    assert _errors(
        _ask(recorded, before=_PERIODS["before"], after=_period(AFTER.start, AFTER.end - 7 * DAY))
    ) == [("/before", "must be as long as `after`; they have 28 and 21 days")]
    assert _errors(_ask(recorded, after=_period(_NOW, _NOW + DAY))) == [
        ("/after/end_at", "must not be in the future")
    ]
    assert _errors(_ask(recorded, after=_period(AFTER.end, AFTER.start))) == [
        ("/after/end_at", "must be after start_at, and by at most 184 days")
    ]


def test_every_wrong_field_is_named(recorded: LiveServer) -> None:
    assert _errors(_ask(recorded, before="x", after={"start_at": "soon"}, seed=1)) == [
        ("/before", "must be an object with start_at and end_at, or null"),
        ("/seed", "is not a field of this body; it takes base_ref, before or after"),
        (
            "/after/start_at",
            "this is not a date-time; write it like 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00",
        ),
        ("/after/end_at", "is missing"),
    ]


@pytest.mark.parametrize(
    ("repository", "missing"), [(_WITHOUT_RUNS, "before or after"), (_RUNS_AFTER, "before")]
)
def test_periods_without_recorded_runs_are_not_replayed(
    recorded: LiveServer, repository: str, missing: str
) -> None:
    p50, p95, runs = _ask(recorded, repository=repository, **_PERIODS).json()["figures"]
    reason = f"It is not divided by replay: no CI run is recorded in the period {missing}."
    assert [(one["state"], one["reason"], one["parts"]) for one in (p50, p95)] == [
        ("not_replayed", reason, [])
    ] * 2
    assert (runs["state"], runs["before"], runs["change"], runs["parts"]) == ("unknown", 0.0, None, [])


def test_times_of_pull_requests_whose_entering_is_not_recorded_are_unknown(recorded: LiveServer) -> None:
    answer = _ask(recorded, repository=_ENTERED_UNSEEN, **_PERIODS).json()
    assert [(one["state"], one["parts"]) for one in answer["figures"]] == [("unknown", [])] * 3
    assert answer["mean"]["sentence"] == "The mean of time to merge is unknown in at least one period."
    assert {part["before"] for part in answer["mean"]["parts"]} == {None}


def test_an_unknown_repository_is_not_found(recorded: LiveServer) -> None:
    assert recorded.http.post("/v1/repos/acme/none/explanation", json={}).status_code == 404
