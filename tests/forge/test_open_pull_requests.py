"""All open pull requests of a repository, within a limited number of calls."""

import asyncio
import json
import threading
from contextlib import suppress
from typing import Any

import pytest

from forge.widgets import HEAD, NOT_PROTECTED, ROOT, changed_file, permission, pull, review
from github_server import NOT_FOUND, TOKEN, Asked, GitHubServer, Reply, Route, one_after_another
from mergecast.errors import NotFound
from mergecast.incoming.forge.live import LiveForge, OpenPullRequests
from mergecast.incoming.forge.session import Moved
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import GitHub, NoCallsLeft
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import Needs

WIDGETS = Repository("Acme", "Widgets")
LIST = f"{ROOT}/pulls"
_OF_THE_WHOLE = ("merged", "mergeable", "commits", "additions", "deletions", "changed_files", "merged_by")


def _listed(number: int, **changes: Any) -> dict[str, Any]:
    """A pull request as listed, with fewer fields than on its own."""
    return {name: value for name, value in pull(number, **changes).items() if name not in _OF_THE_WHOLE}


def _routes(count: int) -> dict[str, Route]:
    """This many open pull requests, the newest first."""
    numbers = range(count, 0, -1)
    each = {
        path: route
        for number in numbers
        for path, route in {
            f"{ROOT}/pulls/{number}": pull(number, body=None),
            f"{ROOT}/pulls/{number}/files": [changed_file(number)],
            f"{ROOT}/pulls/{number}/reviews": [review("bob")],
        }.items()
    }
    shared = {
        f"{ROOT}/branches/release%2F1.0/protection": NOT_PROTECTED,
        f"{ROOT}/collaborators/ann/permission": permission("read", "read"),
        f"{ROOT}/collaborators/bob/permission": permission("write", "write"),
    }
    return {LIST: [_listed(number) for number in numbers], **each, **shared}


def _read(server: GitHubServer, *parts: str, budget: int = 1000, seconds: float = 600.0) -> OpenPullRequests:
    async def read() -> OpenPullRequests:
        github = GitHub(server.url, lambda: 0, seconds=600)
        try:
            forge = LiveForge(github, lambda: 0, seconds)
            return await forge.open_pull_requests(WIDGETS, Needs(frozenset(parts)), TOKEN, budget)
        finally:
            await github.close()

    return asyncio.run(read())


def _numbers(found: OpenPullRequests) -> list[int]:
    return [number for number, _ in found.records]


def test_all_open_pull_requests() -> None:
    """The newest come first, each as if it were read alone."""
    with GitHubServer(_routes(3)) as server:
        found = _read(server, "files")

    assert ([3, 2, 1], 3, 0) == (_numbers(found), found.total, found.not_looked_at)
    assert {
        "pull": pull(2, body=None),
        "files": [{name: value for name, value in changed_file(2).items() if name != "patch"}],
        "recorded_at": "1970-01-01T00:00:00Z",
    } == json.loads(found.records[1][1])


def test_no_open_pull_requests() -> None:
    """A repository without open pull requests gives an empty list."""
    with GitHubServer({LIST: []}) as server:
        assert OpenPullRequests((), 0) == _read(server, "files")


def test_shared_parts_are_requested_once() -> None:
    """One request per protected branch and per person's permission; the list is read again at the end."""
    with GitHubServer(_routes(20)) as server:
        found = _read(server, "branch_protection", "reviews", "permissions")

    document = json.loads(found.records[7][1])
    assert 20 == len(found.records)
    assert 2 + 3 + 20 * 2 == len(server.asked)
    assert {"ann": "read", "bob": "write"} == document["permissions"]
    assert document["branch_protection"] is None
    assert [LIST, LIST] == [server.paths[0], server.paths[-1]]
    assert "if-none-match" in server.asked[-1].headers


def test_hidden_shared_parts_are_requested_once() -> None:
    """A part that the platform refuses is not requested again."""
    hidden = {f"{ROOT}/branches/release%2F1.0/protection": Reply(403, {})}
    with GitHubServer({**_routes(5), **hidden}) as server:
        found = _read(server, "branch_protection")

    assert 2 + 1 + 5 == len(server.asked)
    assert not [1 for _, record in found.records if "branch_protection" in json.loads(record)]


def test_at_most_a_hundred() -> None:
    """The others are counted."""
    with GitHubServer(_routes(103)) as server:
        found = _read(server)

    assert list(range(103, 3, -1)) == _numbers(found)
    assert (103, 3) == (found.total, found.not_looked_at)
    assert 3 + 100 == len(server.asked)


@pytest.mark.parametrize(
    ("budget", "looked_at"), [(2, 0), (3, 0), (4, 1), (5, 1), (6, 2), (20, 9), (41, 19), (42, 20), (1000, 20)]
)
def test_the_limit_of_calls(budget: int, looked_at: int) -> None:
    """It is never exceeded, and the newest pull requests are read first."""
    with GitHubServer(_routes(20)) as server:
        found = _read(server, "files", budget=budget)

    assert len(server.asked) <= budget
    assert list(range(20, 20 - looked_at, -1)) == _numbers(found)
    assert (20, 20 - looked_at) == (found.total, found.not_looked_at)


def test_a_pull_request_that_takes_more_calls_than_are_left() -> None:
    """It is skipped; others are read."""
    long = {f"{ROOT}/pulls/2/files": [changed_file(number) for number in range(1000)]}
    with GitHubServer({**_routes(3), **long}) as server:
        found = _read(server, "files", budget=2 + 3 * 2 + 4)

    assert [3, 1] == _numbers(found)
    assert 1 == found.not_looked_at
    assert len(server.asked) <= 12


@pytest.mark.parametrize("budget", [0, 1])
def test_too_few_calls_for_a_list(budget: int) -> None:
    """Reading fails, because not even the list can be read."""
    with GitHubServer(_routes(1)) as server, pytest.raises(NoCallsLeft):
        _read(server, budget=budget)


def test_no_time_left() -> None:
    """Those that were read in time are returned, the others counted."""
    late = threading.Event()

    def wait_and_fail(_: Asked) -> Reply:
        late.wait(600)
        return Reply(500)

    never = {f"{ROOT}/pulls/{number}/files": wait_and_fail for number in range(1, 51)}
    with GitHubServer({**_routes(60), **never}) as server:
        found = _read_some(server)
        late.set()

    assert 0 < len(found.records) < 60
    assert (60, 60 - len(found.records)) == (found.total, found.not_looked_at)
    assert _numbers(found) == sorted(_numbers(found), reverse=True)


def _read_some(server: GitHubServer) -> OpenPullRequests:
    """Within as little time as this machine needs for those that are answered."""
    for seconds in (0.5, 2.0, 8.0, 32.0):
        with suppress(PlatformDown):
            found = _read(server, "files", seconds=seconds)
            if found.records:
                return found
    raise AssertionError("nothing was read in time")


def test_the_limit_of_concurrent_requests() -> None:
    """One repository does not use all connections."""
    with GitHubServer(_routes(30), delay=0.01) as server:
        _read(server, "files")

    assert server.most_at_once <= 8


def test_pull_requests_that_change_during_reading() -> None:
    """A pull request whose head moved or that was closed is skipped."""
    head = {**pull()["head"], "sha": "f" * 40}
    before = [_listed(3), _listed(2), _listed(1)]
    after = [_listed(4), _listed(3, head=head), _listed(1)]
    with GitHubServer({**_routes(3), LIST: one_after_another(before, after)}) as server:
        found = _read(server, "files")

    assert [1] == _numbers(found)
    assert (3, 2) == (found.total, found.not_looked_at)
    assert HEAD == json.loads(found.records[0][1])["pull"]["head"]["sha"]


def test_a_pull_request_that_disappears() -> None:
    """It is skipped."""
    with GitHubServer({**_routes(2), f"{ROOT}/pulls/2": Reply(404, NOT_FOUND)}) as server:
        assert [1] == _numbers(_read(server))


def test_an_unknown_repository() -> None:
    """A private repository gives the same error."""
    with GitHubServer({}) as server, pytest.raises(NotFound) as raised:
        _read(server)

    assert "the platform shows no repository Acme/Widgets to this token" == str(raised.value)


def test_a_renamed_repository() -> None:
    """The error has the new name."""
    with GitHubServer({"/repositories/42": {"full_name": "Acme/Gadgets"}}) as server:
        server.routes[LIST] = Reply(301, {}, {"Location": f"{server.url}/repositories/42/pulls"})
        with pytest.raises(Moved) as raised:
            _read(server)

    assert "Acme/Gadgets" == raised.value.name


def test_a_failing_platform() -> None:
    """Reading fails; an incomplete list would mislead."""
    with (
        GitHubServer({**_routes(2), f"{ROOT}/pulls/1": Reply(500, {})}) as server,
        pytest.raises(PlatformDown),
    ):
        _read(server)
