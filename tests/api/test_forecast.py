"""`POST …/forecast` and `…/forecast/search`, on a real server and its child process."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from live_server import LiveServer, live_server
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.prediction.history import ReplayParameters, head_of
from mergecast.queues.model.instant import DAY, HOUR, Window, format_instant, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.values import KnownRepository
from postgres.server import new_database
from waiting import wait_until
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import START, World

REPOSITORY = "acme/forecast"
WORLD = World(5, days=16, pulls_per_day=20, length_median=20, weekend=0.5)
WINDOW = {"start_at": format_instant(START), "end_at": format_instant(WORLD.end)}
DOCUMENT = """
queue_rules:
  - name: default
    batch_size: 4
    checks_timeout: 2 h
merge_queue:
  max_parallel_checks: 2
"""


@pytest.fixture(scope="module")
def recorded(server: LiveServer) -> LiveServer:
    """Sixteen days of a queue with batches of two."""
    _record(server)
    return server


def _record(server: LiveServer) -> None:
    record = WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    events = [wire_event(event) for event in history_of(WORLD, record)]
    for first in range(0, len(events), 5000):
        assert server.send(events[first : first + 5000], REPOSITORY).status_code < 300


def _ask(server: LiveServer, path: str = "", **body: Any) -> Any:
    asked = {"base_ref": "main", **WINDOW, **body}
    return server.http.post(f"/v1/repos/{REPOSITORY}/forecast{path}", json=asked)


def _check_described(server: LiveServer, schema: str, answer: Any) -> None:
    """The answer has the fields of this schema in the OpenAPI description, and no others."""
    components = server.http.get("/v1/openapi.json").json()["components"]
    described = {"$ref": f"#/components/schemas/{schema}", "components": components}
    Draft202012Validator(described).validate(answer)
    assert answer.keys() == set(components["schemas"][schema]["required"])


def _errors(response: Any) -> list[tuple[str, str]]:
    assert response.status_code == 422, response.text
    return [(error["name"], error["message"]) for error in response.json()["errors"]]


def test_a_candidate_is_compared_with_the_history(recorded: LiveServer) -> None:
    """The response has figures with intervals, the settings as understood, and how far to trust them."""
    response = _ask(recorded, candidate={"settings": {"batch_size": 1, "max_parallel_checks": 4}}, seed=3)

    assert response.status_code == 200, response.text
    answer = response.json()
    _check_described(recorded, "Forecast", answer)
    assert WINDOW == answer["window"]
    assert "history" == answer["settings"]["source_of_baseline"]
    assert 2 == answer["settings"]["baseline"]["default"]["batch_size"]
    assert 4 == answer["settings"]["candidate"]["default"]["max_parallel_checks"]
    assert {name for name in answer["recorded"] if name.startswith("time_to_merge_")} == {
        f"time_to_merge_{share}" for share in ("p50", "p90", "p95")
    }
    more_runs = answer["difference"]["ci_runs_per_merge"]
    assert 0 < more_runs["low"] <= more_runs["value"] <= more_runs["high"]
    assert answer["trust"]["grade"] in {"good", "fair", "poor"}
    judged = {"time_to_merge_p50", "time_to_merge_p95", "ci_runs_per_merge"}
    assert judged == answer["trust"]["forecast"].keys()
    assert 0 <= answer["trust"]["eta"]["p50"] <= answer["trust"]["eta"]["p90"] <= 1
    assert answer["trust"]["eta"]["cases"] > 10
    again = _ask(recorded, candidate={"settings": {"batch_size": 1, "max_parallel_checks": 4}}, seed=3)
    assert response.content == again.content


def test_the_answer_is_the_same_on_postgresql(
    recorded: LiveServer, tmp_path: Path, database_server: str
) -> None:
    """A forecast reads events, and the queue reads stays; neither depends on the kind of store."""
    asked: dict[str, Any] = {"candidate": {"settings": {"batch_size": 4}}, "seed": 3}
    with live_server(tmp_path, database_url=new_database(database_server)) as other:
        _record(other)
        forecasts = [_ask(one, **asked).json() for one in (recorded, other)]
        queues = [one.http.get(f"/v1/repos/{REPOSITORY}/queue").json()["queues"] for one in (recorded, other)]

    assert forecasts[0] == forecasts[1]
    assert "difference" in forecasts[0]
    assert _sessions(queues[0]) == _sessions(queues[1])


def _sessions(queues: list[Any]) -> list[tuple[str, list[str]]]:
    return [(queue["queue_name"], [entry["session_id"] for entry in queue["entries"]]) for queue in queues]


def test_a_document_can_be_the_candidate(recorded: LiveServer) -> None:
    """Its queue rules are matched by the names of the queues."""
    answer = _ask(recorded, candidate={"config_yml": DOCUMENT}).json()

    understood = answer["settings"]["candidate"]["default"]
    assert (4, 2, 7200) == (
        understood["batch_size"], understood["max_parallel_checks"], understood["checks_timeout"],
    )  # fmt: skip


def test_a_search_returns_the_front_and_the_best_under_a_limit(recorded: LiveServer) -> None:
    """Larger batches need fewer runs per merge; the best is the fastest one within the cost limit."""
    vary = {"batch_size": [1, 4], "max_parallel_checks": [1, 4]}

    answer = _ask(recorded, "/search", vary=vary, limit={"ci_runs_per_merge": 0.9}).json()

    _check_described(recorded, "ForecastSearch", answer)
    settings = [one["settings"] for one in answer["combinations"]]
    assert [(s["batch_size"], s["max_parallel_checks"]) for s in settings] == [(1, 1), (1, 4), (4, 1), (4, 4)]
    runs = [one["ci_runs_per_merge"]["value"] for one in answer["combinations"]]
    times = [one["time_to_merge_p95"]["value"] for one in answer["combinations"]]
    within = [place for place in range(4) if runs[place] <= 0.9]
    assert answer["best"] == min(within, key=lambda place: times[place])
    assert times.index(min(times)) in answer["front"]
    assert runs.index(min(runs)) in answer["front"]
    assert answer["trust"]["grade"] in {"good", "fair", "poor"}
    assert answer["merged"] > 200


def test_a_search_reports_its_progress_line_by_line(recorded: LiveServer) -> None:
    """One line per combination, followed by the answer."""
    response = recorded.http.post(
        f"/v1/repos/{REPOSITORY}/forecast/search",
        json={"base_ref": "main", **WINDOW, "vary": {"batch_size": [1, 2, 3]}},
        headers={"Accept": "application/x-ndjson"},
    )

    *progress, answer = [json.loads(line) for line in response.text.splitlines()]
    assert [{"batch_size": 1}, {"batch_size": 2}, {"batch_size": 3}] == [
        line["progress"]["settings"] for line in progress
    ]
    assert [line["progress"] for line in progress] == answer["combinations"]


def test_the_capacity_is_shown_for_todays_settings_and_the_best(recorded: LiveServer) -> None:
    """Progress comes first, then how many pull requests a day each takes within the limit."""
    response = recorded.http.post(
        f"/v1/repos/{REPOSITORY}/forecast/capacity",
        json={
            "base_ref": "main",
            **WINDOW,
            "vary": {"max_parallel_checks": [2, 4]},
            "limit": {"time_to_merge_p95": 9000},
        },
        headers={"Accept": "application/x-ndjson"},
    )

    *progress, answer = [json.loads(line) for line in response.text.splitlines()]
    assert all(line["progress"].keys() == {"factor", "settings_left"} for line in progress)
    assert progress
    _check_described(recorded, "ForecastCapacity", answer)
    assert answer["limit"] == {"time_to_merge_p95": 9000}
    today = answer["today"]["arrivals_per_day"]
    assert 0 < today["low"] <= today["value"] <= today["high"]
    assert today["value"] == pytest.approx(
        answer["today"]["factor"]["value"] * answer["recorded_arrivals_per_day"], rel=1e-4
    )


_NO_LIMIT = 'must be an object such as {"time_to_merge_p95": 7200}, in seconds'


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (
            {"limit": {"p50": 3}},
            "/limit",
            'must be an object such as {"time_to_merge_p95": 7200}, in seconds',
        ),
        ({"limit": 3}, "/limit", 'must be an object such as {"time_to_merge_p95": 7200}, in seconds'),
        (
            {"vary": {"arrivals": [2]}},
            "/vary/arrivals",
            "is what this request varies by itself; leave it out",
        ),
        (
            {"vary": {"ci_speed": [0]}},
            "/vary/ci_speed/0",
            "must be a number from 0.05 to 20, where 1 is as recorded",
        ),
    ],
)
def test_invalid_capacity_requests(recorded: LiveServer, body: Any, error: str, message: str) -> None:
    assert [(error, message)] == _errors(_ask(recorded, "/capacity", **body))


def test_circumstances_are_settings_of_a_candidate_and_of_a_search(recorded: LiveServer) -> None:
    """The answer lists them with the other settings; 1 is as recorded."""
    settings = {"ci_speed": 0.8, "arrivals": 1.3, "flakes": 0}
    answer = _ask(recorded, candidate={"settings": settings}).json()
    searched = _ask(recorded, "/search", vary={"ci_speed": [0.5, 1]}).json()

    _check_described(recorded, "Forecast", answer)
    assert settings.items() <= answer["settings"]["candidate"]["default"].items()
    assert dict.fromkeys(settings, 1).items() <= answer["settings"]["baseline"]["default"].items()
    faster, same = (one["time_to_merge_p50"]["value"] for one in searched["combinations"])
    assert faster < same
    assert [one["reach"] for one in searched["combinations"]] == [{"level": "inside", "beyond": []}] * 2


def test_trust_is_explained_in_sentences(recorded: LiveServer) -> None:
    trust = _ask(recorded, candidate={"settings": {"batch_size": 8, "batch_max_wait_time": 7200}}).json()[
        "trust"
    ]

    assert list(trust["sentences"]) == ["grade", "mechanics", "drift", "back_test", "reach", "difference"]
    assert trust["reach"] == {"level": "beyond", "beyond": ["batches of up to 8 (recorded: at most 2)"]}
    assert trust["grade"] in {"fair", "poor"}
    assert trust["sentences"]["reach"] == (
        "The history never shows batches of up to 8 (recorded: at most 2): "
        "how CI behaves then is assumed, and the grade is at most fair."
    )
    assert trust["difference"]["ci_runs_per_merge"]["verdict"] == "lower"
    assert len(trust["back_test"]["parts"]) == len(trust["eta"]["windows"]) == 1


def test_too_little_history_is_refused(recorded: LiveServer) -> None:
    """The message says how much there is, for a week of history and for a branch without a queue."""
    week = {"end_at": format_instant(START + 7 * 86_400_000_000)}
    few = _ask(recorded, candidate={"settings": {}}, **week)
    none = _ask(recorded, base_ref="nothing", candidate={"settings": {}})

    assert (422, 422) == (few.status_code, none.status_code)
    assert "at least 200 merged pull requests and 14 days; there are" in few.json()["detail"]
    assert "there are 0 in 0.0 days" in none.json()["detail"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"candidate": {"settings": {"batch_size": 10_000}}}, "/candidate/settings/batch_size"),
        ({"candidate": {"settings": {"checks_timeout": 1}}}, "/candidate/settings/checks_timeout"),
        ({"candidate": {"settings": {"ci_speed": "1e999"}}}, "/candidate/settings/ci_speed"),
        ({"candidate": {"settings": {"arrivals": 1000}}}, "/candidate/settings/arrivals"),
        ({"candidate": {"settings": {"flakes": None}}}, "/candidate/settings/flakes"),
        ({"candidate": {"settings": {"batch_sise": 2}}}, "/candidate/settings/batch_sise"),
        ({"candidate": {"config_yml": "queue_rules: 3"}}, "/candidate/config_yml"),
        ({"candidate": {"config_yml": "queue_rules:\n- name: other"}}, "/candidate/config_yml"),
        ({"candidate": {"settings": {}, "config_yml": ""}}, "/candidate"),
        ({"candidate": 5}, "/candidate"),
        ({}, "/candidate"),
        ({"candidate": {"settings": {}}, "base_ref": None}, "/base_ref"),
        ({"candidate": {"settings": {}}, "queue_name": "missing"}, "/queue_name"),
        ({"candidate": {"settings": {}}, "start_at": "yesterday"}, "/start_at"),
        ({"candidate": {"settings": {}}, "start_at": "2020-01-01T00:00:00Z"}, "/start_at"),
        ({"candidate": {"settings": {}}, "end_at": WINDOW["start_at"]}, "/start_at"),
        ({"candidate": {"settings": {}}, "seed": -1}, "/seed"),
        (
            {"candidate": {"settings": {}}, "baseline": {"settings": {"mode": "odd"}}},
            "/baseline/settings/mode",
        ),
    ],
)
def test_invalid_forecast_requests(recorded: LiveServer, body: Any, error: str) -> None:
    """Every invalid request gets a 422 that names the error."""
    assert [error] == [name for name, _ in _errors(_ask(recorded, **body))]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "/vary"),
        ({"vary": {}}, "/vary"),
        ({"vary": {"batch_size": []}}, "/vary"),
        ({"vary": {"batch_size": [1, "x"]}}, "/vary/batch_size/1"),
        ({"vary": {"batch_size": list(range(1, 12)), "max_parallel_checks": list(range(1, 12))}}, "/vary"),
        ({"vary": {"batch_size": [1]}, "limit": {"p50": 3}}, "/limit"),
        ({"vary": {"batch_size": [1]}, "limit": {"time_to_merge_p95": 0}}, "/limit"),
    ],
)
def test_invalid_search_requests(recorded: LiveServer, body: Any, error: str) -> None:
    """The same with progress requested: errors come before the first line."""
    assert [error] == [name for name, _ in _errors(_ask(recorded, "/search", **body))]


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("", {"candidate": [[]] * 30_000}, "/candidate"),
        ("", {"candidate": {"settings": {"batch_size": [1] * 40_000}}}, "/candidate"),
        ("", {"candidate": {"settings": {}}, "base_ref": "m" * 70_000}, "/base_ref"),
        ("/search", {"vary": {"batch_size": [1] * 40_000}}, "/vary"),
    ],
    ids=("a list", "settings", "a name", "values"),
)
def test_only_documents_may_be_long(recorded: LiveServer, path: str, body: Any, error: str) -> None:
    """Other values over 64 KiB are not decoded: that could take seconds and much memory."""
    message = "may take at most 64 KiB, unless it is an object with config_yml alone"

    assert [(error, message)] == _errors(_ask(recorded, path, **body))


def test_a_long_document(recorded: LiveServer) -> None:
    """It may have as many characters as any document."""
    text = "#" + "😀" * 100_000 + "\nqueue_rules: 3"

    assert ["/candidate/config_yml"] == [
        name for name, _ in _errors(_ask(recorded, candidate={"config_yml": text}))
    ]


def test_an_unknown_repository_is_not_found(server: LiveServer) -> None:
    """The response is the usual 404."""
    response = server.http.post(
        "/v1/repos/no/body/forecast", json={"base_ref": "m", "candidate": {"settings": {}}}
    )

    assert 404 == response.status_code


@pytest.fixture
def present(tmp_path: Path) -> Iterator[LiveServer]:
    """A server in the middle of a history; its clock stands still, so that all answers agree."""
    world = World(22, days=18, pulls_per_day=60, length_median=40, weekend=0.6)
    record = world.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    now = START + 16 * DAY + 14 * HOUR
    events = [wire_event(event) for event in history_of(world, record) if event.happened_at < now]
    with live_server(tmp_path, now=lambda: now) as server:
        for first in range(0, len(events), 5000):
            assert server.send(events[first : first + 5000], "acme/present").status_code < 300
        yield server


def test_the_queue_shows_expected_merges(present: LiveServer) -> None:
    """The server computes them in the background: not for the first response, but for one soon after."""
    server = present

    def asked() -> Any:
        return server.http.get("/v1/repos/acme/present/queue").json()

    first = asked()
    assert not any(_expected(first))
    assert ["pending"] == [queue["expected_merges"] for queue in first["queues"]]
    last = wait_until(lambda: any(_expected(answer := asked())) and answer, "an expected merge")
    for expected in filter(None, _expected(last)):
        assert first["at"][:16] <= expected["p50"] <= expected["p90"]
        assert 0 < expected["chance"] <= 1
    (queue,) = last["queues"]
    assert "known" == queue["expected_merges"]
    assert 0.3 <= queue["trust"]["eta"]["p50"] <= 0.7
    assert 0.75 <= queue["trust"]["eta"]["p90"] <= 1
    for entry in queue["entries"]:
        _says_why_it_waits(server, queue, entry)


def test_the_state_of_a_pull_request_says_whether_its_merge_is_being_computed(present: LiveServer) -> None:
    lines = present.http.get("/v1/repos/acme/present/events").text.splitlines()
    events = [event for event in map(msgspec.json.decode, lines) if event["type"].startswith("queue_")]
    last = {event["pull_request"]: event["type"] for event in events}
    number = next(number for number, type in last.items() if type == "queue_entered")

    def asked() -> Any:
        return present.http.get(f"/v1/repos/acme/present/pulls/{number}/state").json()

    first = asked()

    assert ("in_queue", None, "pending") == (
        first["state"], first["expected_merge"], first["expected_merges"],
    )  # fmt: skip
    known = wait_until(lambda: (answer := asked())["expected_merges"] == "known" and answer)
    assert {"p50", "p90", "chance"} == known["expected_merge"].keys()
    assert "expected " in known["waiting_for"]["sentence"]


def _says_why_it_waits(server: LiveServer, queue: Any, entry: Any) -> None:
    """With the same figures as the queue, and the settings under which this history was made."""
    path = f"/v1/repos/acme/present/pulls/{entry['pull_request']}/history"
    found = server.http.get(path).json()["waiting_for"]
    evidence = found["evidence"]
    assert (entry["position"], queue["queue_name"]) == (evidence["position"], evidence["queue_name"])
    assert entry["expected_merge"] == evidence["expected_merge"]
    assert (found["reason"] == "ci") == (entry["batch_id"] is not None)
    if found["reason"] == "ci":
        (run,) = [one for one in queue["batches"] if one["batch_id"] == entry["batch_id"]]
        assert run["started_at"] == evidence["ci_started_at"]
        assert evidence["usual_ci_seconds"]["low"] < 2400 < evidence["usual_ci_seconds"]["high"]
    elif found["reason"] == "capacity":
        assert (2, 2) == (evidence["busy_slots"], evidence["slots"]) == (len(queue["batches"]), 2)


def _expected(answer: Any) -> list[Any]:
    return [entry["expected_merge"] for queue in answer["queues"] for entry in queue["entries"]]


def test_a_window_that_begins_before_what_is_kept() -> None:
    """The answer says since when everything is kept, as other answers about a period do."""
    limit = parse_instant("2026-09-01T00:00:00Z")
    known = KnownRepository(1, Repository("acme", "widgets"), kept_since=limit)

    heads = [
        msgspec.json.decode(head_of(known, ReplayParameters("main", None, Window(start, limit + DAY), 0)))
        for start in (limit - 1, limit)
    ]

    assert ["2026-09-01T00:00:00Z", None] == [head.get("kept_since") for head in heads]
