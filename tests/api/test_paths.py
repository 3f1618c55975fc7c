"""Which paths exist, which methods they support, and which repository names are valid."""

import pytest

from api.problem_documents import NO_PATH, error, invalid, problem
from api.raw_http import AUTHORIZED, exchange, head_of, status_of
from builders import entered
from live_server import LiveServer

_BAD_OWNER = invalid(error("path", "owner", "must be 1 to 40 letters, digits or hyphens"))
_BAD_NAME = invalid(
    error("path", "repository", "must be 1 to 100 letters, digits, underscores, hyphens or dots")
)


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v2/repos",
        "/v1/repos/",
        "/v1/repos/acme",
        "/v1/repos/acme/widgets/stats",
        "/v1/repos/acme/widgets/stats/nothing",
        "/v1/repos/acme/widgets/stats/queues/",
        "/v1/repos/acme/widgets/events/",
        "/v1/repos/acme/wid/gets/events",
        "/V1/repos",
        "/healthz/",
        "/v1%2Frepos",
    ],
)
@pytest.mark.parametrize("authorization", [None, AUTHORIZED], ids=["no credential", "admin"])
def test_no_such_path(server: LiveServer, path: str, authorization: str | None) -> None:
    """404 comes before the check of the credential."""
    headers = [authorization] if authorization else []

    answer = exchange(server, head_of("GET", path, *headers))

    assert 404 == status_of(answer)
    assert b"there is no such path; " in answer
    assert b"/docs lists all paths" in answer


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/v1/repos/acme/widgets/stats/queue_sise", "/v1/repos/acme/widgets/stats/queue_size"),
        ("/v1/repo/acme/widgets/stat/queue_size", "/v1/repos/acme/widgets/stats/queue_size"),
        ("/v1/repos/acme/widgets/stats/queues/", "/v1/repos/acme/widgets/stats/queues"),
        ("/v1/repos/acme/widgets/queue_size", "/v1/repos/acme/widgets/stats/queue_size"),
        ("/repos/acme/widgets/stats/queue_size", "/v1/repos/acme/widgets/stats/queue_size"),
        ("/v1/repos/acme/widgets/pull/7/simulator", "/v1/repos/acme/widgets/pulls/7/simulator"),
        ("/V1/repos", "/v1/repos"),
        ("/healtz", "/healthz"),
    ],
)
def test_an_unknown_path_names_the_nearest(server: LiveServer, path: str, meant: str) -> None:
    answer = server.http.get(path)

    detail = f"there is no such path; did you mean {meant}? /docs lists all paths"
    assert (404, detail) == (answer.status_code, answer.json()["detail"])


@pytest.mark.parametrize(
    "path",
    [
        "/v1/repos/acme/widgets/stats",
        "/v1/repos/acme/widgets/stats/nothing",
        "/v1/repos/acme/wid/gets/events",
        "/v1/repos/acme",
        "/v2/repos",
        "/favicon.ico",
        "/" + "v1/" * 40,
        "/v1/repos/acme/widgets/stats/" + "queue_size" * 100,
    ],
)
def test_a_path_that_is_not_near_any_gets_no_suggestion(server: LiveServer, path: str) -> None:
    assert NO_PATH == server.http.get(path).json()


def test_a_final_slash_is_forgiven(server: LiveServer) -> None:
    """People type the address of the page in both ways."""
    answer = server.http.get("/docs/", follow_redirects=False)

    assert (307, "/docs") == (answer.status_code, answer.headers["location"])


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_no_such_path_with_any_method(server: LiveServer, method: str) -> None:
    """The whole problem document is the same for every method."""
    answer = server.http.request(method, "/nowhere")

    assert (404, NO_PATH) == (answer.status_code, answer.json())
    assert "application/problem+json" == answer.headers["content-type"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/v1/repos/acme/widgets/stats/queues", "GET, HEAD"),
        ("DELETE", "/v1/repos", "GET, HEAD"),
        ("PUT", "/v1/repos/acme/widgets/events", "DELETE, GET, HEAD, POST"),
        ("OPTIONS", "/v1/repos/acme/widgets/events", "DELETE, GET, HEAD, POST"),
        ("GET", "/v1/repos/acme/widgets", "DELETE"),
        ("HEAD", "/v1/repos/acme/widgets", "DELETE"),
        ("GET", "/v1/admin/rebuild", "POST"),
        ("HEAD", "/v1/admin/rebuild", "POST"),
        ("POST", "/healthz", "GET, HEAD"),
        ("TRACE", "/docs", "GET, HEAD"),
    ],
)
def test_unsupported_methods(server: LiveServer, method: str, path: str, allowed: str) -> None:
    """The response is 405 with Allow, even without a credential."""
    answer = server.http.request(method, path, headers={"Authorization": ""})

    assert (405, allowed) == (answer.status_code, answer.headers["allow"])
    if method != "HEAD":
        assert problem(405, f"this path allows {allowed}") == answer.json()


@pytest.mark.parametrize(
    "owner",
    ["", "a" * 41, "ac%2Fme", "acme%00", "acme%0A", "%0Aacme", "ac%20me", "ac+me", "ac_me", "ac.me", "%C3%A9",
     "%FF", "%", "%zz", "acme%25"],
)  # fmt: skip
def test_invalid_owners(server: LiveServer, owner: str) -> None:
    """The whole owner must match the pattern, in ASCII, after decoding once."""
    target = f"/v1/repos/{owner}/widgets/stats/queues"

    answer = exchange(server, head_of("GET", target, AUTHORIZED))

    assert 422 == status_of(answer)
    assert _BAD_OWNER["detail"].encode() in answer


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a" * 101,
        "wid%2Fgets",
        "widgets%00",
        "widgets%0A",
        "wid%20gets",
        "wid+gets",
        "%C3%A9",
        "%FF",
        "a~b",
    ],
)
def test_invalid_repository_names(server: LiveServer, name: str) -> None:
    """The whole name must match the pattern, in ASCII, after decoding once."""
    target = f"/v1/repos/acme/{name}/stats/queues"

    answer = exchange(server, head_of("GET", target, AUTHORIZED))

    assert 422 == status_of(answer)
    assert _BAD_NAME["detail"].encode() in answer


def test_owner_and_name_are_both_invalid(server: LiveServer) -> None:
    """Errors in the path and the query are reported together."""
    answer = server.http.get("/v1/repos/a_b/c~d/stats/queues", params={"at": "now"})

    errors = answer.json()["errors"]

    assert 422 == answer.status_code
    assert [("path", "owner"), ("path", "repository"), ("query", "at")] == [
        (one["in"], one["name"]) for one in errors
    ]
    assert 3 == len(answer.json()["detail"].splitlines())


@pytest.mark.parametrize("name", ["a" * 40 + "/" + "b" * 100, "A-1/_.-", "0/0", "%61cme/w%69dgets"])
def test_valid_names(server: LiveServer, name: str) -> None:
    """The longest names, every valid character and percent encoding are accepted."""
    sent = server.send([entered("2026-03-02T10:00:00Z", "s", 1)], name)

    read = server.http.get(f"/v1/repos/{name}/stats/queues")

    assert (200, 200) == (sent.status_code, read.status_code)


def test_names_are_case_insensitive(server: LiveServer, repository: str) -> None:
    """`Acme/Fresh` and `acme/fresh` are one repository, shown as it was first spelled."""
    first = repository.title()
    server.send([entered("2026-03-02T10:00:00Z", "s", 1, id="one")], first).raise_for_status()

    again = server.send([entered("2026-03-02T10:00:00Z", "s", 1, id="one")], repository)
    read = server.http.get(f"/v1/repos/{repository.upper()}/stats/queues")
    listed = server.http.get("/v1/repos").json()["repositories"]

    assert {"stored": 0, "duplicates": 1} == again.json()
    assert 200 == read.status_code
    assert [first] == [
        f"{one['owner']}/{one['repository']}"
        for one in listed
        if one["repository"].lower() == repository.partition("/")[2]
    ]
