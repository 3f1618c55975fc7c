"""The configuration document of a repository, read from its default branch."""

import asyncio

import pytest

from github_server import TOKEN, GitHubServer, Reply
from mergecast.errors import NotFound
from mergecast.forge.live import LiveForge
from mergecast.forge.session import Moved
from mergecast.platform.fetch import PlatformDown
from mergecast.platform.github import GitHub

FIRST, SECOND, THIRD = (
    f"/repos/acme/widgets/contents/{path}"
    for path in (".mergify.yml", ".mergify/config.yml", ".github/mergify.yml")
)
RAW = {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"}


def _document(server: GitHubServer, name: str = "widgets") -> str | None:
    async def read() -> str | None:
        github = GitHub(server.url, lambda: 0)
        try:
            return await LiveForge(github, lambda: 0).document("acme", name, TOKEN)
        finally:
            await github.close()

    return asyncio.run(read())


def _raw(text: bytes) -> Reply:
    return Reply(200, text, RAW)


@pytest.mark.parametrize(
    ("routes", "text"),
    [
        ({FIRST: _raw(b"a: 1"), SECOND: _raw(b"b: 2"), THIRD: _raw(b"c: 3")}, "a: 1"),
        ({SECOND: _raw(b"b: 2"), THIRD: _raw(b"c: 3")}, "b: 2"),
        ({THIRD: _raw("\ufeffc: äß".encode())}, "c: äß"),
        ({FIRST: _raw(b""), THIRD: _raw(b"c: 3")}, ""),
        ({FIRST: _raw(b"a: \xff")}, "a: \ufffd"),
        ({FIRST: [{"type": "file", "name": "x"}], THIRD: _raw(b"c: 3")}, "c: 3"),  # a folder
        ({FIRST: Reply(403, {})}, None),
        ({}, None),
    ],
)
def test_the_first_existing_path_is_used(routes: dict[str, object], text: str | None) -> None:
    """The client requests the raw content of all three paths."""
    with GitHubServer(routes) as server:
        assert text == _document(server)
    assert {FIRST, SECOND, THIRD} == set(server.paths)
    assert {"application/vnd.github.raw+json"} == {asked.headers["accept"] for asked in server.asked}


def test_a_renamed_repository() -> None:
    """The error has the new name."""
    with GitHubServer({"/repositories/42": {"full_name": "acme/gadgets"}}) as server:
        moved = Reply(301, {}, {"Location": f"{server.url}/repositories/42/contents/x"})
        server.routes.update({FIRST: moved, SECOND: moved, THIRD: moved})
        with pytest.raises(Moved) as raised:
            _document(server)

    assert "acme/gadgets" == raised.value.name


def test_a_dot_segment_as_a_name() -> None:
    """The client does not send the request."""
    with GitHubServer() as server, pytest.raises(NotFound):
        _document(server, "..")

    assert [] == server.asked


def test_a_failing_platform() -> None:
    """A failed request does not count as a missing document."""
    with GitHubServer({FIRST: Reply(500, {}), THIRD: _raw(b"c: 3")}) as server, pytest.raises(PlatformDown):
        _document(server)
