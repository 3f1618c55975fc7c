"""The configuration document of a repository, read from its default branch."""

import asyncio

import pytest

from github_server import TOKEN, GitHubServer, Reply
from mergecast.errors import NotFound, SeveralDocuments
from mergecast.incoming.forge.live import LiveForge
from mergecast.incoming.forge.session import Moved
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import GitHub
from mergecast.queues.model.repository import DOCUMENT_PATHS
from waiting import MOST_SECONDS

PATHS = [f"/repos/acme/widgets/contents/{path}" for path in DOCUMENT_PATHS]
FIRST, _, SECOND, _, THIRD, LAST = PATHS
RAW = {"Content-Type": "application/vnd.github.raw+json; charset=utf-8"}


def _document(server: GitHubServer, name: str = "widgets") -> str | None:
    async def read() -> str | None:
        github = GitHub(server.url, lambda: 0, seconds=MOST_SECONDS)
        try:
            return await LiveForge(github, lambda: 0, MOST_SECONDS).document("acme", name, TOKEN)
        finally:
            await github.close()

    return asyncio.run(read())


def _raw(text: bytes) -> Reply:
    return Reply(200, text, RAW)


@pytest.mark.parametrize(
    ("routes", "text"),
    [
        *(({path: _raw(b"a: 1")}, "a: 1") for path in PATHS),
        ({THIRD: _raw("\ufeffc: äß".encode())}, "c: äß"),
        ({FIRST: _raw(b"")}, ""),
        ({FIRST: _raw(b"a: \xff")}, "a: \ufffd"),
        ({FIRST: [{"type": "file", "name": "x"}], THIRD: _raw(b"c: 3")}, "c: 3"),  # a folder
        ({FIRST: Reply(403, {})}, None),
        ({}, None),
    ],
)
def test_the_document_is_at_one_of_its_paths(routes: dict[str, object], text: str | None) -> None:
    """The client requests the raw content of all six paths."""
    with GitHubServer(routes) as server:
        assert text == _document(server)
    assert set(PATHS) == set(server.paths)
    assert {"application/vnd.github.raw+json"} == {asked.headers["accept"] for asked in server.asked}


@pytest.mark.parametrize("number", range(2, 7))
def test_several_documents(number: int) -> None:
    """The error lists them in the order of reading and names the one that is read, even if it is empty."""
    present = PATHS[-number:]
    names = [f"`{path}`" for path in DOCUMENT_PATHS[-number:]]
    with (
        GitHubServer({path: _raw(b"") for path in present}) as server,
        pytest.raises(SeveralDocuments) as raised,
    ):
        _document(server)

    others = "the others" if number > 2 else "the other one"
    expected = (
        f"in acme/widgets, several configuration documents are in place: {', '.join(names[:-1])} and "
        f"{names[-1]}; only {names[0]} is read, so remove {others}"
    )
    assert [expected] == [error.message for error in raised.value.errors]


def test_a_renamed_repository() -> None:
    """The error has the new name."""
    with GitHubServer({"/repositories/42": {"full_name": "acme/gadgets"}}) as server:
        moved = Reply(301, {}, {"Location": f"{server.url}/repositories/42/contents/x"})
        server.routes.update(dict.fromkeys(PATHS, moved))
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
