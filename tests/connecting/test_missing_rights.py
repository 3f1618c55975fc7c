"""The test of a token that lacks one right says which one, and not that the repository is unknown."""

import asyncio

import pytest

from mergecast.incoming.connecting.added_sources import check_source
from mergecast.incoming.sources.origin import Account
from mergecast.queues.answers import sources as answers
from sources.faulty_server import Reply, Request, faulty_server
from sources.imports import NOW
from sources.platforms import GitHubPlatform

pytestmark = pytest.mark.server

_REFUSED = "Resource not accessible by personal access token"
_ALL = "actions, checks, commit statuses, contents, merge queues and pull requests"


def _tested(part: str, refusal: Reply) -> answers.TestedSource:
    """The test of a source that refuses requests with this in their path or their query."""
    platform = GitHubPlatform()

    def answer(request: Request) -> Reply:
        query = "" if request.body is None else request.body["query"]
        return refusal if part in request.path or part in query else platform(request)

    with faulty_server(answer) as server:
        account = Account("github", server.url, "ghp_reader")
        return asyncio.run(check_source(account, platform.repository, lambda: NOW))


def _lacks(right: str) -> answers.TestedSource:
    why = f"the token may not read this; it needs read access to {right}"
    return answers.TestedSource(False, f"GitHub does not accept the token: {why}.", "/token")


@pytest.mark.parametrize(
    ("permissions", "right"),
    [
        ("actions=read", "actions"),
        ("pull_requests=read,contents=read", "pull requests and contents"),
        ("", _ALL),
    ],
)
def test_a_header_names_the_right(permissions: str, right: str) -> None:
    refusal = Reply({"message": _REFUSED}, 403, {"X-Accepted-GitHub-Permissions": permissions})

    assert _lacks(right) == _tested("actions/runs", refusal)


@pytest.mark.parametrize(("path", "right"), [(["repository", "mergeQueue"], "merge queues"), (None, _ALL)])
def test_an_error_of_a_query_names_the_right(path: list[str] | None, right: str) -> None:
    error = {"type": "FORBIDDEN", "path": path, "message": _REFUSED}
    refusal = Reply({"data": {"repository": {"mergeQueue": None}}, "errors": [error]})

    assert _lacks(right) == _tested("QueueSnapshot", refusal)
