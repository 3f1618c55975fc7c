"""Titles and authors of pull requests that a client sends, because events do not contain them."""

from pathlib import Path
from typing import Any

import pytest

from builders import entered
from live_server import LiveServer, live_server

pytestmark = pytest.mark.server
_PULLS = "/v1/repos/acme/widgets/pulls"


def _describe(server: LiveServer, *pulls: dict[str, Any]) -> Any:
    return server.http.post(_PULLS, json=list(pulls))


def test_the_queue_and_the_search_show_what_was_sent(tmp_path: Path) -> None:
    """A later title replaces an earlier one."""
    with live_server(tmp_path) as server:
        server.send([entered("2026-03-02T10:00:00Z", "stay", 7)], "acme/widgets").raise_for_status()
        _describe(server, {"pull_request": 7, "title": "Assign berths", "author": "ada"})
        url = "https://forge.example/7"
        answer = _describe(
            server,
            {"pull_request": 7, "title": "Assign berths\n by draught\u202e", "author": "ada", "url": url},
            {"pull_request": 8, "title": "Show tides"},
        )

        found = server.http.get(_PULLS, params={"search": "berths"}).json()["pulls"]
        (queue,) = server.http.get("/v1/repos/acme/widgets/queue").json()["queues"]
        (waiting,) = queue["entries"]
        unnamed = server.http.get(f"{_PULLS}/8/history").json()["pull"]
    title = "Assign berths  by draught"
    assert (answer.status_code, answer.json()) == (200, {"described": 2})
    assert found == [{"pull_request": 7, "title": title, "author": "ada", "url": url}]
    assert (waiting["title"], waiting["author"]) == (title, "ada")
    assert unnamed == {"title": "Show tides", "author": None, "url": None}


@pytest.mark.parametrize(
    ("pulls", "name", "message"),
    [
        *(
            (
                [{"pull_request": 7, "title": "a", "url": url}],
                "/0/url",
                (
                    "must be a URL that begins with https:// or http:// and a host, "
                    "without a user or marks of direction"
                ),
            )
            for url in (
                "javascript:alert(1)",
                "https://forge.example@evil.example/7",
                "https://forge.example\\@evil.example/7",
                "https://a:b@evil.example/7",
                "https://forge.example/\u202e7",
            )
        ),
        ([{"pull_request": 7, "title": "a", "author": " "}], "/0/author", "must not be blank"),
        ([{"pull_request": 7, "title": "\u202e\x00 "}], "/0/title", "must not be blank"),
        (
            [{"pull_request": "7", "title": "a"}],
            "",
            (
                "the body must be a JSON array of up to 10000 descriptions: "
                "Expected `int`, got `str` - at `$[0].pull_request`"
            ),
        ),
    ],
)
def test_a_wrong_description_stores_nothing(
    tmp_path: Path, pulls: list[dict[str, Any]], name: str, message: str
) -> None:
    with live_server(tmp_path) as server:
        server.send([entered("2026-03-02T10:00:00Z", "stay", 7)], "acme/widgets").raise_for_status()
        answer = _describe(server, {"pull_request": 9, "title": "Show tides"}, *pulls)
        found = server.http.get(_PULLS, params={"search": "tides"}).json()["pulls"]

    place = name.replace("/0", "/1")
    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"in": "body", "name": place, "message": message.replace("[0]", "[1]")}
    ]
    assert found == []


def test_a_repository_must_be_known(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        assert _describe(server, {"pull_request": 9, "title": "Show tides"}).status_code == 404
