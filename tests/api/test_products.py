"""Which products are enabled on a repository, and how the setting makes a repository known."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.problem_documents import error, invalid, problem, unknown_repository
from builders import entered, worked_example
from empty_store import copy_empty_store
from live_server import DAY, LiveServer, live_server
from mergecast.queues.model.repository import PRODUCTS, Repository, in_order
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store

_KNOWN = "workflow_automation, merge_queue, merge_protections"


def _put(server: LiveServer, repository: str, products: object) -> httpx.Response:
    return server.http.put(f"/v1/repos/{repository}/products", json={"products": products})


def _get(server: LiveServer, repository: str) -> tuple[int, Any]:
    answer = server.http.get(f"/v1/repos/{repository}/products")
    return answer.status_code, answer.json()


def test_products_that_were_never_set(server: LiveServer) -> None:
    """Null means undetermined."""
    assert (200, {"products": None}) == _get(server, "acme/widgets")


def test_an_unknown_repository(server: LiveServer, repository: str) -> None:
    """The response is 404."""
    assert (404, unknown_repository(repository)) == _get(server, repository)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ([], []),
        (["merge_queue"], ["merge_queue"]),
        (["merge_protections", "merge_queue"], ["merge_queue", "merge_protections"]),
        (["merge_protections", "workflow_automation", "merge_queue"], list(PRODUCTS)),
    ],
)
def test_setting(server: LiveServer, repository: str, sent: list[str], kept: list[str]) -> None:
    """A setting replaces the previous one and is listed in a fixed order; repeating it changes nothing."""
    _put(server, repository, ["workflow_automation"]).raise_for_status()

    answers = [_put(server, repository, sent) for _ in range(2)]

    assert [(200, {"products": kept})] * 2 == [(one.status_code, one.json()) for one in answers]
    assert (200, {"products": kept}) == _get(server, repository)


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("/products", f"is missing; it is a list of {_KNOWN}")]),
        (
            {"products": None},
            [("/products", f"must be a list with any of {_KNOWN} (empty: none is enabled); got null")],
        ),
        (
            {"products": "merge_queue"},
            [
                (
                    "/products",
                    f"must be a list with any of {_KNOWN} (empty: none is enabled); got a string",
                )
            ],
        ),
        (
            {"products": [1]},
            [
                (
                    "/products",
                    f"must be a list with any of {_KNOWN} (empty: none is enabled), each a string",
                )
            ],
        ),
        (
            {"products": ["merge-queue", "merge_queue", "ci", "merge_queue"]},
            [
                (
                    "/products/0",
                    f"'merge-queue' is not a product; did you mean merge_queue? There are {_KNOWN}",
                ),
                ("/products/2", f"'ci' is not a product; there are {_KNOWN}"),
                ("/products/3", "merge_queue is listed twice"),
            ],
        ),
        ({"products": ["merge_queue"] * 101}, [("/products", f"holds 101 names; there are {_KNOWN}")]),
        (
            {"product": [], "x/y": 1, "products": []},
            [
                ("/product", "is not a field of this body, did you mean products? It takes products"),
                ("/x~1y", "is not a field of this body; it takes products"),
            ],
        ),
    ],
    ids=str,
)
def test_invalid_settings(
    server: LiveServer, repository: str, body: object, errors: list[tuple[str, str]]
) -> None:
    """The response lists every error, with the nearest name; nothing is set."""
    answer = server.http.put(f"/v1/repos/{repository}/products", json=body)

    assert (422, invalid(*(error("body", *one) for one in errors))) == (answer.status_code, answer.json())
    assert 404 == _get(server, repository)[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the body is not valid JSON: Input data was truncated"),
        (b"[]", "the body must be a JSON object with the field products"),
        (b'{"products": [}', "the body is not valid JSON: invalid character (byte 14)"),
        (b'{"products": []}{', "the body is not valid JSON: trailing characters (byte 17)"),
        (b'{"a\xff": []}', "the body is not valid JSON: not UTF-8"),
        (b'{"x":' + b"[" * 100_000, "the body is not valid JSON: nested too deeply"),
        (b'{"x": "' + b"y" * 200_000 + b'"}', "the body holds far more than the field products"),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else "",
)
def test_malformed_json(server: LiveServer, repository: str, content: bytes, message: str) -> None:
    """The server rejects it and says why."""
    answer = server.http.put(
        f"/v1/repos/{repository}/products", content=content, headers={"Content-Type": "application/json"}
    )

    assert (422, invalid(error("body", "", message))) == (answer.status_code, answer.json())


def test_other_bodies(server: LiveServer, repository: str) -> None:
    """Unsupported types and large bodies are rejected, compressed ones are accepted."""
    path = f"/v1/repos/{repository}/products"
    json = {"Content-Type": "application/json"}

    other = server.http.put(path, content=b"products: []", headers={"Content-Type": "text/yaml"})
    large = server.http.put(path, content=b" " * (1 << 20) + b"{}", headers=json)
    bomb = server.http.put(
        path, content=gzip.compress(b" " * (2 << 20)), headers={**json, "Content-Encoding": "gzip"}
    )
    packed = server.http.put(
        path, content=gzip.compress(b'{"products": []}'), headers={**json, "Content-Encoding": "gzip"}
    )

    too_large = problem(413, "the body may be at most 1 MiB, decompressed")
    assert (415, problem(415, "the body must be of type application/json; got text/yaml")) == (
        other.status_code,
        other.json(),
    )
    assert [(413, too_large)] * 2 == [(one.status_code, one.json()) for one in (large, bomb)]
    assert (200, {"products": []}) == (packed.status_code, packed.json())


def test_a_repository_with_only_a_setting(tmp_path: Path) -> None:
    """It is known: it is listed, every statistic gives an empty answer, and it accepts events."""
    with live_server(tmp_path) as server:
        _put(server, "Acme/Only", []).raise_for_status()
        (listed,) = server.http.get("/v1/repos").json()["repositories"]
        statistics = [server.http.get(f"/v1/repos/acme/only/stats/{name}") for name in STATISTICS]
        events = server.http.get("/v1/repos/acme/only/events")
        metrics = server.http.get("/metrics")
        rebuilt = server.http.post("/v1/admin/rebuild")
        server.send(worked_example(), "acme/ONLY").raise_for_status()
        (later,) = server.http.get("/v1/repos").json()["repositories"]

        nothing = {"events": 0, "first_event_at": None, "last_event_at": None}
        assert {"owner": "Acme", "repository": "Only", **nothing} == listed
        assert {200} == {one.status_code for one in [*statistics, metrics, rebuilt, events]}
        assert b"" == events.content
        assert ("Acme", "Only", 12, "2026-03-02T10:00:00Z") == (
            later["owner"],
            later["repository"],
            later["events"],
            later["first_event_at"],
        )
        assert 1 == len(server.stats("total_queue_time", "acme/only")["groups"])
        assert (200, {"products": []}) == _get(server, "acme/only")


def test_deleting_the_last_event(server: LiveServer, repository: str) -> None:
    """A repository with a setting stays known without events; deleting it deletes the setting too."""
    server.send([entered("2026-03-02T10:00:00Z", "s", 1)], repository).raise_for_status()
    _put(server, repository, ["merge_queue"]).raise_for_status()

    removed = server.http.delete(f"/v1/repos/{repository}/events", params={"source": "api"}).json()
    answers = [server.stats("queue_size", repository, **DAY), _get(server, repository)]
    forgotten = server.http.delete(f"/v1/repos/{repository}").json()

    assert [{"deleted": 1}, {"deleted": 0}] == [removed, forgotten]
    assert [{"groups": []}, (200, {"products": ["merge_queue"]})] == answers
    assert 404 == _get(server, repository)[0]
    server.send([entered("2026-03-02T10:00:00Z", "s", 1)], repository).raise_for_status()
    assert (200, {"products": None}) == _get(server, repository)


def test_the_setting_is_persistent(tmp_path: Path) -> None:
    """Another process reads it, for repositories with and without events."""
    with live_server(tmp_path) as server:
        server.send(worked_example()).raise_for_status()
        for name in ("acme/widgets", "acme/only"):
            _put(server, name, ["merge_protections", "merge_queue"]).raise_for_status()
    with live_server(tmp_path) as server:
        assert [(200, {"products": ["merge_queue", "merge_protections"]})] * 2 == [
            _get(server, name) for name in ("acme/widgets", "ACME/only")
        ]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abA"), st.frozensets(st.sampled_from(sorted(PRODUCTS))))))
def test_settings_of_several_repositories(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, frozenset[str]]]
) -> None:
    """The last one wins, whatever came before and however the name was spelled, even after a restart."""
    folder = tmp_path_factory.mktemp("store")
    copy_empty_store(folder)
    expected = {Repository("acme", name): in_order(products) for name, products in changes}
    database = open_store(folder)
    try:
        asyncio.run(_set(database, changes))
        before = {known.repository: known.products for known in asyncio.run(database.repositories())}
    finally:
        database.close()
    database = open_store(folder)
    after = {known.repository: known.products for known in asyncio.run(database.repositories())}
    database.close()

    assert expected == before == after


async def _set(database: Store, changes: list[tuple[str, frozenset[str]]]) -> None:
    for name, products in changes:
        await database.set_products(Repository("acme", name), in_order(products))


@pytest.mark.parametrize(
    ("query", "rest"),
    [("", ""), ("?enable=merge_queue", "?enable=merge_queue"), ("?enable=%0d%0aX:%20y", "")],
)
def test_the_link_of_a_simulation_leads_to_the_settings(server: LiveServer, query: str, rest: str) -> None:
    """It needs no credential and names what it was about; the dashboard asks for the rest."""
    with server.anonymous() as http:
        answer = http.get(f"/repos/acme/widgets/products{query}")

    location = f"/r/acme/widgets/settings{rest}"
    assert (302, location) == (answer.status_code, answer.headers["location"])


def test_the_link_of_a_name_that_cannot_be(server: LiveServer) -> None:
    """The answer is one that no browser renders as HTML."""
    with server.anonymous() as http:
        answer = http.get("/repos/acme/%3Cimg%20src=x%3E/products")

    assert (422, "application/problem+json") == (answer.status_code, answer.headers["content-type"])
