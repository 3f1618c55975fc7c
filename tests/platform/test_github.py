"""The client of GitHub's API, on a fake server that answers and fails like GitHub."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from github_server import NOT_FOUND, TOKEN, Asked, GitHubServer, Reply, one_after_another
from local_http import refusing_url
from mergecast.incoming.platform.fetch import Fetched, PlatformDown
from mergecast.incoming.platform.github import (
    Calls,
    GitHub,
    NoCallsLeft,
    PlatformCaller,
    TooManyPages,
    links,
    page_number,
)
from waiting import MOST_SECONDS

T = TypeVar("T")
NOW = 1_800_000_000_000_000
BUSY = Reply(502, b"<html>Bad gateway</html>")


class _Sleeps(list[float]):
    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def _run(
    server: GitHubServer,
    work: Callable[[GitHub], Awaitable[T]],
    sleeps: _Sleeps | None = None,
    seconds: float = MOST_SECONDS,
) -> T:
    async def run() -> T:
        sleep = _Sleeps() if sleeps is None else sleeps
        github = GitHub(server.url, lambda: NOW, seconds=seconds, sleep=sleep, jitter=lambda: 0.5)
        try:
            return await work(github)
        finally:
            await github.close()

    return asyncio.run(run())


def _asker(calls: int = 100, token: str = TOKEN) -> PlatformCaller:
    return PlatformCaller(token, Calls(calls))


def _get(server: GitHubServer, path: str, sleeps: _Sleeps | None = None, calls: int = 100) -> Fetched:
    return _run(server, lambda github: github.get(path, _asker(calls)), sleeps)


def _pages(server: GitHubServer, path: str) -> list[bytes]:
    async def read(github: GitHub) -> list[bytes]:
        return [answer.body async for answer in github.pages(path, _asker())]

    return _run(server, read)


def test_request_headers() -> None:
    """A request has the token, the accepted type, the API version and a user agent."""
    with GitHubServer({"/repos/a/b": {"full_name": "a/b"}}) as server:
        answer = _get(server, "/repos/a/b")

    (asked,) = server.asked
    assert (200, b'{"full_name": "a/b"}') == (answer.status, answer.body)
    assert f"Bearer {TOKEN}" == asked.headers["authorization"]
    assert "application/vnd.github+json" == asked.headers["accept"]
    assert "2022-11-28" == asked.headers["x-github-api-version"]
    assert asked.headers["user-agent"].startswith("mergecast/")


def test_pages_are_followed() -> None:
    """The client stops at the page without a next link."""
    with GitHubServer({"/things": list(range(250))}) as server:
        bodies = _pages(server, "/things?per_page=100")

    assert list(range(250)) == [item for body in bodies for item in json.loads(body)]
    assert [None, "2", "3"] == [asked.query.get("page") for asked in server.asked]


def test_the_number_of_pages_is_limited() -> None:
    """The client does not read an endless list."""
    with GitHubServer({"/things": list(range(31))}) as server, pytest.raises(TooManyPages) as raised:
        _pages(server, "/things?per_page=1")

    assert "the code-hosting platform has more than 30 pages of /things" == str(raised.value)
    assert 30 == len(server.asked)


@pytest.mark.parametrize("start", ["other", "lookalike"])
def test_a_link_to_another_host_is_not_followed(start: str) -> None:
    """The token is not sent there, even if the other URL has the same beginning."""
    with GitHubServer({"/things": [1]}) as other, GitHubServer() as server:
        target = other.url if start == "other" else f"{server.url}.example.com:1"
        server.routes["/things"] = Reply(200, [1], {"Link": f'<{target}/things?page=2>; rel="next"'})
        with pytest.raises(PlatformDown) as raised:
            _pages(server, "/things")

    assert "the code-hosting platform links /things to a different host" == str(raised.value)
    assert [] == other.asked


def test_redirects_are_returned_and_not_followed() -> None:
    """Whatever their target."""
    with GitHubServer({"/x": {}}) as other, GitHubServer() as server:
        server.routes["/repos/a/b"] = Reply(302, {}, {"Location": f"{other.url}/x"})

        assert 302 == _get(server, "/repos/a/b").status
    assert [] == other.asked


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_busy_platform_is_retried(status: int) -> None:
    """The pauses grow and have jitter."""
    sleeps = _Sleeps()
    busy = Reply(status, b"")
    with GitHubServer({"/x": one_after_another(busy, busy, {"fine": True})}) as server:
        answer = _get(server, "/x", sleeps)

    assert b'{"fine": true}' == answer.body
    assert [0.75, 1.5] == sleeps


def test_a_platform_that_stays_busy() -> None:
    """The client gives up after three attempts; the error has the path and not the token."""
    with GitHubServer({"/x": BUSY}) as server, pytest.raises(PlatformDown) as raised:
        _get(server, "/x?secret=1")

    assert "the code-hosting platform answered 502 (request for /x)" == str(raised.value)
    assert 3 == len(server.asked)


@pytest.mark.parametrize(
    "limited",
    [
        Reply(429, {}, {"Retry-After": "2"}),
        Reply(403, {"message": "You have exceeded a secondary rate limit."}, {"Retry-After": "2"}),
        Reply(503, {}, {"Retry-After": "2"}),
    ],
)
def test_a_short_rate_limit_is_waited_for(limited: Reply) -> None:
    """The client waits as long as the platform says, plus jitter."""
    sleeps = _Sleeps()
    with GitHubServer({"/x": one_after_another(limited, {})}) as server:
        _get(server, "/x", sleeps)

    assert [3.0] == sleeps


@pytest.mark.parametrize(
    ("limited", "seconds"),
    [
        (Reply(403, {}, {"Retry-After": "120"}), 120),
        (Reply(403, {}, {"Retry-After": "Fri, 15 Jan 2027 08:02:00 GMT"}), 120),
        (Reply(403, {}, {"Retry-After": "Fri, 15 Jan 2027 07:00:00 GMT"}), None),
        (Reply(403, {}, {"Retry-After": "in a minute"}), 60),
        (Reply(429, {}), 60),
        (Reply(403, {"message": "You have exceeded a secondary rate limit."}), 60),
        (Reply(403, {}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000090"}), 90),
        (Reply(403, {}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1900000000"}), 3600),
        (Reply(403, {}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000000"}), None),
        (Reply(429, {}, {"Retry-After": "0"}), None),
    ],
)
def test_a_long_rate_limit_is_an_error(limited: Reply, seconds: int | None) -> None:
    """The client does not wait for it; if it has passed by our clock, the client retries after a moment."""
    sleeps = _Sleeps()
    with GitHubServer({"/x": one_after_another(limited, {"fine": True})}) as server:
        if seconds is None:
            assert 200 == _get(server, "/x", sleeps).status
            assert [1.5] == sleeps
            return
        with pytest.raises(PlatformDown) as raised:
            _get(server, "/x", sleeps)

    assert "the code-hosting platform is limiting requests (request for /x)" == str(raised.value)
    assert (seconds, []) == (raised.value.retry_seconds, sleeps)


@pytest.mark.parametrize("status", [403, 404, 409, 410, 422, 451])
def test_client_errors_are_returned(status: int) -> None:
    """The caller decides what they mean; there is no retry."""
    with GitHubServer({"/x": Reply(status, NOT_FOUND)}) as server:
        assert status == _get(server, "/x").status
    assert 1 == len(server.asked)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(401, {}), "the code-hosting platform does not accept the token; it may have expired"),
        (Reply(500, {}), "the code-hosting platform answered 500 (request for /x)"),
        (Reply(304, b""), "the code-hosting platform answered 304 (request for /x)"),
        (
            Reply(200, b"x" * (17 << 20)),
            "the request to the code-hosting platform for /x failed: the answer is larger than 16 MiB",
        ),
    ],
)
def test_unusable_responses(reply: Reply, message: str) -> None:
    """Each error has its reason."""
    with GitHubServer({"/x": reply}) as server, pytest.raises(PlatformDown) as raised:
        _get(server, "/x")

    assert message == str(raised.value)


def test_a_slow_response() -> None:
    """The client waits no longer than its timeout."""
    message = "the request to the code-hosting platform for /x failed: no complete answer within 0.1 seconds"
    with GitHubServer({"/x": {}}, delay=60) as server, pytest.raises(PlatformDown) as raised:
        _run(server, lambda github: github.get("/x", _asker()), seconds=0.1)

    assert message == str(raised.value)


def test_an_unreachable_platform() -> None:
    """The error names the path and not the token."""

    async def ask(url: str) -> None:
        github = GitHub(url, lambda: NOW, sleep=_Sleeps())
        try:
            await github.get("/x", _asker())
        finally:
            await github.close()

    with refusing_url() as url, pytest.raises(PlatformDown) as raised:
        asyncio.run(ask(url))

    assert str(raised.value).startswith("the request to the code-hosting platform for /x failed: ")
    assert TOKEN not in str(raised.value)


def test_entity_tags_are_cached() -> None:
    """A repeated request is conditional, and a changed response replaces the cached one."""
    with GitHubServer({"/x": one_after_another(["a"], ["a"], ["b"])}) as server:

        async def ask(github: GitHub) -> list[bytes]:
            return [(await github.get("/x", _asker())).body for _ in range(3)]

        bodies = _run(server, ask)

    assert [b'["a"]', b'["a"]', b'["b"]'] == bodies
    assert [False, True, True] == ["if-none-match" in asked.headers for asked in server.asked]


def test_entity_tags_are_per_token() -> None:
    """A response to one token is not returned to another."""

    def answer(asked: Asked) -> Reply:
        is_known = asked.headers["authorization"] == f"Bearer {TOKEN}"
        return Reply(200, {"secret": 1}) if is_known else Reply(404, NOT_FOUND)

    with GitHubServer({"/x": answer}) as server:

        async def ask(github: GitHub) -> list[int]:
            return [(await github.get("/x", _asker(token=token))).status for token in (TOKEN, "other")]

        assert [200, 404] == _run(server, ask)
    assert "if-none-match" not in server.asked[1].headers


def test_pages_are_cached_with_their_links() -> None:
    """An unchanged list is complete when it is read again."""
    with GitHubServer({"/things": list(range(150))}) as server:

        async def ask(github: GitHub) -> list[int]:
            for _ in range(2):
                bodies = [answer.body async for answer in github.pages("/things?per_page=100", _asker())]
            return [item for body in bodies for item in json.loads(body)]

        assert list(range(150)) == _run(server, ask)
    assert [False, False, True, True] == ["if-none-match" in asked.headers for asked in server.asked]


def test_the_limit_of_concurrent_requests() -> None:
    """It holds however many callers there are."""
    with GitHubServer({"/x": {}}, delay=0.1, rounds=(16,)) as server:

        async def ask(github: GitHub) -> None:
            await asyncio.gather(*(github.get("/x", _asker()) for _ in range(60)))

        _run(server, ask)
    assert 16 == server.most_at_once


def test_calls_are_counted() -> None:
    """Retries count too."""
    sleeps = _Sleeps()
    with GitHubServer({"/x": BUSY}) as server, pytest.raises(NoCallsLeft) as raised:
        _get(server, "/x", sleeps, calls=2)

    assert "this takes more calls to the code-hosting platform than allowed" == str(raised.value)
    assert 2 == len(server.asked)


@pytest.mark.parametrize(("prefix", "path"), [("", "/graphql"), ("/api/v3", "/api/graphql")])
def test_the_graphql_endpoint(prefix: str, path: str) -> None:
    """On GitHub Enterprise Server it is next to the REST API, not below it."""
    with GitHubServer({path: {"data": {}}}) as server:
        server.prefix = prefix
        answer = _run(server, lambda github: github.query("query { x }", {"a": 1}, _asker()))

    (asked,) = server.asked
    assert b'{"data": {}}' == answer.body
    assert ("POST", path) == (asked.method, asked.path)
    assert {"query": "query { x }", "variables": {"a": 1}} == json.loads(asked.body)


def test_the_paths_of_an_enterprise_server() -> None:
    """Its pagination links have the same prefix."""
    with GitHubServer({"/things": list(range(3))}) as server:
        server.prefix = "/api/v3"
        bodies = _pages(server, "/things?per_page=2")

    assert [[0, 1], [2]] == [json.loads(body) for body in bodies]
    assert ["/api/v3/things", "/api/v3/things"] == server.paths


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("{url}/repositories/42", "acme/gadgets"),
        ("{url}/repositories/42/pulls/1", "acme/gadgets"),
        ("{url}/repositories/42?x=1", "acme/gadgets"),
        ("{url}/repositories/43", None),
        ("{url}/repositories/44", None),
        ("{url}/repositories/../users/1", None),
        ("{url}/users/1", None),
        ("http://other.example/repositories/42", None),
        ("", None),
    ],
)
def test_the_new_name_of_a_repository(location: str, name: str | None) -> None:
    """Only a redirect to a repository number on this platform is followed."""
    names = {"/repositories/42": {"full_name": "acme/gadgets"}, "/repositories/44": {"full_name": "<b>/x"}}
    with GitHubServer(names) as server:
        redirect = Fetched(301, {"location": location.format(url=server.url)}, b"")

        assert name == _run(server, lambda github: github.new_name(redirect, _asker()))


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ('<https://h/a?page=2>; rel="next", <https://h/a?page=9>; rel="last"',
         {"next": "https://h/a?page=2", "last": "https://h/a?page=9"}),
        ('<https://h/a?q=1,2;3>; title="x"; rel="next prev"',
         {"next": "https://h/a?q=1,2;3", "prev": "https://h/a?q=1,2;3"}),
        ("<https://h/a>", {}),
        ("nonsense", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_links(header: str, found: dict[str, str]) -> None:
    """URLs by their relation."""
    assert found == links({"link": header})


@pytest.mark.parametrize(
    ("url", "page"),
    [("https://h/a?per_page=1&page=12", 12), ("https://h/a?page=x", None), ("https://h/a", None), ("", None)],
)
def test_page_numbers(url: str, page: int | None) -> None:
    """The page number of a URL, or None."""
    assert page == page_number(url)
