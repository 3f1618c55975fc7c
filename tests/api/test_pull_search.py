"""`GET …/pulls`: pull requests by words of their titles."""

import pytest

from api.recorded_pulls import scenario
from builders import entered
from live_server import LiveServer


def test_a_recorded_title_is_found(server: LiveServer, repository: str) -> None:
    _, record = scenario("draft")
    pull = record["pull"]
    path = f"/v1/repos/{repository}/pulls/{pull['number']}/snapshot"
    server.http.put(path, json=record).raise_for_status()

    found = server.http.get(f"/v1/repos/{repository}/pulls", params={"search": pull["title"].upper()})

    listed = {
        "pull_request": pull["number"],
        "title": pull["title"],
        "author": pull["user"]["login"],
        "url": pull.get("html_url"),
    }
    assert (200, {"pulls": [listed], "next": None}) == (found.status_code, found.json())
    server.http.delete(path).raise_for_status()
    server.send([entered("2026-03-02T10:00:00Z", "a", 1)], repository)
    assert {"pulls": [], "next": None} == server.http.get(f"/v1/repos/{repository}/pulls").json()


@pytest.mark.parametrize("url", ["https://forge.example@evil.example/7", "javascript:alert(1)", 7])
def test_a_recorded_link_that_hides_where_it_leads_is_not_shown(
    server: LiveServer, repository: str, url: object
) -> None:
    _, record = scenario("draft")
    pull = {**record["pull"], "html_url": url}
    path = f"/v1/repos/{repository}/pulls/{pull['number']}/snapshot"
    server.http.put(path, json={**record, "pull": pull}).raise_for_status()
    found = server.http.get(f"/v1/repos/{repository}/pulls", params={"search": pull["title"]}).json()

    assert [None] == [one["url"] for one in found["pulls"]]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"search": ""}, "search: must have 1 to 255 characters"),
        ({"search": "x" * 256}, "search: must have 1 to 255 characters"),
        ({"after": "-1"}, "after: must be a number from 0 to 9223372036854775807, in plain decimal digits"),
        ({"after": "1e3"}, "after: must be a number from 0 to 9223372036854775807, in plain decimal digits"),
        ({"limit": "1001"}, "limit: must be a number from 1 to 1000, in plain decimal digits"),
        (
            {"serach": "x"},
            "serach: is not a parameter of this endpoint, did you mean search? It takes search, after, limit",
        ),
    ],
)
def test_wrong_parameters_are_refused(server: LiveServer, query: dict[str, str], message: str) -> None:
    answer = server.http.get("/v1/repos/acme/widgets/pulls", params=query)

    assert (422, message) == (answer.status_code, answer.json()["detail"])


def test_a_key_of_another_owner_finds_nothing(server: LiveServer) -> None:
    key = server.key("somebody-else", scopes=["read"])["key"]

    assert 403 == server.ask(key, "/v1/repos/acme/widgets/pulls?search=x").status_code
