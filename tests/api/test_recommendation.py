"""`GET …/forecast/recommendation`: computed in the background, kept, and shared between servers."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from builders import entered, left
from live_server import LiveServer, live_server
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.recommendations import put_recommendation, read_recommendation
from mergecast.queues.store.rows import RecommendationRow
from mergecast.queues.store.values import Lease
from postgres.server import new_database
from waiting import wait_until
from worlds.events import history_of
from worlds.wire import wire_event
from worlds.world import World

WORLD = World(5, days=15, pulls_per_day=20, length_median=20, weekend=0.5)
NOON = parse_instant("2026-11-02T12:00:00Z")
NAME = Repository("acme", "advised")
PATH = f"/v1/repos/{NAME}/forecast/recommendation"


def _record(server: LiveServer) -> None:
    record = WORLD.play(Policy(rules=(QueueRule(2, 2, 60_000_000),), max_parallel_checks=2))
    events = [wire_event(event) for event in history_of(WORLD, record)]
    assert server.send(events, str(NAME)).status_code < 300


class Clock:
    """It is noon until a test says that time has passed, so no day ends in the middle of a test."""

    now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[tuple[LiveServer, Any]]:
    """A server, and its first answer. What is stored was asked for before it: that began nothing."""
    with live_server(tmp_path_factory.mktemp("advised"), now=clock) as made:
        _record(made)
        read = _get(made, stored="true")
        assert ("not_computed", None, None) == (read["state"], read["search"], read["line"])
        yield made, _get(made)


@pytest.fixture(scope="module")
def server(asked: tuple[LiveServer, Any]) -> LiveServer:
    return asked[0]


def _get(server: LiveServer, path: str = PATH, **parameters: str) -> Any:
    response = server.http.get(path, params=parameters)
    assert response.status_code == 200, response.text
    return response.json()


def _known(server: LiveServer) -> Any:
    """The answer once it is known, after checking every one before it."""

    def found() -> Any:
        answer = _get(server)
        assert answer["state"] in {"pending", "known"}, answer
        progress = answer["progress"]
        assert progress is None or 0 < progress["done"] <= progress["total"] == 16
        return answer if answer["state"] == "known" else None

    return wait_until(found, "a recommendation", pause=0.2)


def _stored(server: LiveServer) -> RecommendationRow | None:
    async def read() -> RecommendationRow | None:
        known = await server.store.repository(NAME)
        assert known is not None
        work = partial(read_recommendation, repository_id=known.id, base_ref="main")
        return await server.store.read(known.id, work)

    return asyncio.run(read())


def test_a_recommendation_appears_by_itself_and_is_the_answer_of_a_search(
    asked: tuple[LiveServer, Any],
) -> None:
    server, first = asked
    found = _known(server)

    assert found == _get(server, stored="true")
    assert (first["base_ref"], first["state"], first["search"]) == ("main", "pending", None)
    assert (found["base_ref"], found["detail"], found["progress"]) == ("main", None, None)
    search = found["search"]
    assert search["vary"] == {"batch_size": [1, 2, 3, 4], "max_parallel_checks": [1, 2, 3, 4]}
    assert [one["state"] for one in search["combinations"]] == ["computed"] * 16
    question = {"base_ref": "main", **search["window"], "vary": search["vary"]}
    assert server.http.post(f"/v1/repos/{NAME}/forecast/search", json=question).json() == search
    chosen = [advice["combination"] for advice in search["recommended"].values()]
    better = [search["combinations"][place] for place in chosen if place is not None]
    assert all(one["difference"]["time_to_merge_p95"]["value"] < 0 for one in better)
    assert search["recorded"]["merged_per_day"] == pytest.approx(search["merged"] / 15, rel=0.05)
    components = server.http.get("/v1/openapi.json").json()
    operation = components["paths"]["/v1/repos/{owner}/{repository}/forecast/recommendation"]["get"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": components["components"]}).validate(found)


def test_it_is_kept_for_the_day_and_computed_again_on_the_next(server: LiveServer, clock: Clock) -> None:
    """Until then, the one of the day before is shown."""
    known = _known(server)
    clock.now += MINUTE
    assert _get(server)["computed_at"] == known["computed_at"]
    row = _stored(server)
    assert row is not None
    yesterday = row._replace(computed_at=row.computed_at - DAY)
    asyncio.run(server.store.change(NAME, partial(put_recommendation, row=yesterday), create=False))

    old = _get(server)
    new = _known(server)

    assert (old["state"], old["search"]) == ("pending", known["search"])
    assert old["computed_at"] < known["computed_at"] < new["computed_at"]
    assert new["search"] == known["search"]


@pytest.mark.parametrize("version", ["2 of another document", "history"])
def test_what_is_about_other_settings_or_has_other_fields_is_not_shown(
    server: LiveServer, version: str
) -> None:
    """Neither at first nor while it is computed; the figures of the first form had other names."""
    known = _known(server)
    row = _stored(server)
    assert row is not None
    other = row._replace(settings_version=version, document='{"replicates":6}')
    asyncio.run(server.store.change(NAME, partial(put_recommendation, row=other), create=False))

    first = _get(server)

    assert (first["state"], first["search"]) == ("pending", None)
    assert known["search"] == wait_until(lambda: _get(server)["search"], "a recommendation", pause=0.2)


def test_servers_on_one_database_compute_it_once(tmp_path: Path, database_server: str) -> None:
    """A server that does not hold the lease waits, and then shows what the other one has stored.

    A lease that is not renewed ends, for example when its server was killed; then another one begins.
    """
    url = new_database(database_server)
    with (
        live_server(tmp_path / "a", database_url=url, now=Clock()) as first,
        live_server(tmp_path / "b", database_url=url, now=Clock()) as second,
    ):
        _record(first)
        asyncio.run(_take_all_leases(second, "a server that was killed", 30))
        waiting = [_get(first)["state"] for _ in range(5)]
        asyncio.run(_take_all_leases(second, "a server that was killed", 1))
        answers = [_known(server) for server in (first, second)]

    assert waiting == ["pending"] * 5
    assert answers[0] == answers[1]


async def _take_all_leases(server: LiveServer, holder: str, seconds: int) -> None:
    """As a server does that begins to compute, for so long."""
    now = await server.store.shared_now(0)
    for number in range(64):
        lease = Lease(f"recommendation {number}", holder, now + seconds * SECOND)
        assert await server.store.take_lease(lease, now, 30 * SECOND)


def test_a_restarted_server_knows_it(tmp_path: Path) -> None:
    events = [entered("2026-03-02T08:00:00Z", "s", 1)]
    row = RecommendationRow(1, "main", NOON, "4 history", '{"replicates":6}')
    with live_server(tmp_path, now=Clock()) as before:
        assert before.send(events, str(NAME)).status_code < 300
        asyncio.run(before.store.change(NAME, partial(put_recommendation, row=row), create=False))
    with live_server(tmp_path, now=Clock()) as after:
        answer = _get(after)

    assert (answer["state"], answer["search"]) == ("known", {"replicates": 6})


@pytest.mark.parametrize("stays", [1, 50])
def test_too_little_history_is_said(server: LiveServer, stays: int) -> None:
    events = [
        event
        for number in range(stays)
        for event in (
            entered(f"2026-03-02T08:{number:02}:00Z", f"s{number}", number),
            left(f"2026-03-02T09:{number:02}:00Z", f"s{number}", number),
        )
    ]
    assert server.send(events, f"acme/few-{stays}").status_code < 300
    path = f"/v1/repos/acme/few-{stays}/forecast/recommendation"

    answer = wait_until(lambda: found if (found := _get(server, path))["state"] != "pending" else None)

    assert answer["state"] == "too_little_history"
    assert answer["detail"].startswith(
        "A forecast needs at least 200 merged pull requests and 14 days; there are "
    )
    assert (answer["search"], answer["computed_at"]) == (None, None)


def test_a_repository_without_any_event(server: LiveServer) -> None:
    server.http.put("/v1/repos/acme/silent/products", json={"products": []})

    assert _get(server, "/v1/repos/acme/silent/forecast/recommendation") == {
        "base_ref": None,
        "base_refs": [],
        "newest_event_at": None,
        "state": "too_little_history",
        "detail": "No pull request has entered a queue yet.",
        "progress": None,
        "line": None,
        "computed_at": None,
        "search": None,
    }


def test_a_branch_without_queues_is_refused(server: LiveServer) -> None:
    response = server.http.get(PATH, params={"branch": "mian"})

    assert response.status_code == 422
    assert response.json()["errors"] == [
        {
            "in": "query",
            "name": "branch",
            "message": "no queue of this branch is known; the branches with queues are: main",
        }
    ]


def test_who_may_not_read_the_repository_gets_no_recommendation(server: LiveServer) -> None:
    key = server.key("other", scopes=["read"])["key"]

    assert server.ask(key, PATH).status_code == 403
    with server.anonymous() as anyone:
        assert anyone.get(PATH).status_code == 403
