"""One pull request from the live platform: every part, in three rounds, and every failure."""

import asyncio
import json
from typing import Any

import pytest

from forge.widgets import (
    HEAD,
    NOT_PROTECTED,
    PROTECTION,
    ROOT,
    changed_file,
    check_run,
    conversation,
    moved_head,
    permission,
    pull,
    push,
    review,
    routes,
    thread,
    user,
)
from github_server import NOT_FOUND, TOKEN, Asked, GitHubServer, Reply, Route, one_after_another
from mergecast.errors import NotFound
from mergecast.incoming.forge.live import LiveForge
from mergecast.incoming.forge.part_readers import READERS
from mergecast.incoming.forge.session import HeadMoved, Moved
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import GitHub
from mergecast.queues.model.recorded import read_snapshot
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.snapshot import EVERYTHING, Needs
from waiting import MOST_SECONDS

NOW = 1_800_000_000_000_000
WIDGETS = Repository("Acme", "Widgets")
FORBIDDEN = Reply(403, {"message": "Resource not accessible by integration", "status": "403"})
PROTECTION_PATH = f"{ROOT}/branches/release%2F1.0/protection"


def _read(
    server: GitHubServer, needs: Needs = EVERYTHING, number: int = 12, repository: Repository = WIDGETS
) -> dict[str, Any]:
    async def read() -> bytes:
        github = GitHub(server.url, lambda: NOW, seconds=MOST_SECONDS)
        try:
            forge = LiveForge(github, lambda: NOW, MOST_SECONDS)
            return await forge.pull_request(repository, number, needs, TOKEN)
        finally:
            await github.close()

    document: dict[str, Any] = json.loads(asyncio.run(read()))
    return document


def _parts(*parts: str, teams: frozenset[str] | None = frozenset()) -> Needs:
    return Needs(frozenset(parts), teams)


def _part(key: str, changes: dict[str, Route], teams: frozenset[str] | None = frozenset()) -> Any:
    """The value of one part; "absent" if it is omitted."""
    with GitHubServer({**routes(), **changes}) as server:
        return _read(server, _parts(key, teams=teams)).get(key, "absent")


def _without(item: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != key}


def test_everything() -> None:
    """Every part that the platform has, in the shape of a recorded document."""
    with GitHubServer(routes()) as server:
        document = _read(server)

    assert {
        "pull": pull(),
        "files": [_without(changed_file(number), "patch") for number in (1, 2)],
        "commits": routes()[f"{ROOT}/pulls/12/commits"],
        "reviews": routes()[f"{ROOT}/pulls/12/reviews"],
        "review_threads": [{"is_resolved": True, "author": "ann"}, {"is_resolved": False, "author": None}],
        "check_runs": [_without(check_run(1), "output")],
        "statuses": [{"context": "legacy", "state": "success", "updated_at": "2026-11-02T11:00:00Z"}],
        "branch_protection": PROTECTION,
        "teams": {"Acme/design": ["ann", "bob"]},
        "permissions": {"ann": "maintain", "bob": "write"},
        "dependencies": {"Acme/Widgets#7": "merged", "Acme/Engine#3": "open"},
        "behind": 4,
        "deployments": [
            {"id": 5, "environment": "staging", "created_at": "2026-11-02T11:00:00Z", "state": "success"}
        ],
        "review_decision": "APPROVED",
        "rules": [{"type": "deletion"}],
        "head_history": [
            {"sha": "a" * 40, "at": "2026-11-01T09:00:00Z"},
            {"sha": "b" * 40, "at": "2026-11-01T20:00:00Z"},
        ],
        "recorded_at": "2027-01-15T08:00:00Z",
    } == document  # fmt: skip


def test_the_document_is_a_valid_record() -> None:
    """The reader of recorded pull requests accepts the document."""
    with GitHubServer(routes()) as server:
        snapshot = read_snapshot(_read(server), number=12, now=0)

    assert NOW == snapshot.recorded_at
    assert all(getattr(snapshot, key) is not None for key in READERS)
    assert ("ci",) == snapshot.branch_protection.required_checks  # type: ignore[union-attr]


def test_three_rounds() -> None:
    """The pull request and its reviews; all other parts concurrently; the pull request again."""
    needs = _parts(*READERS.keys() - {"deployments"}, teams=frozenset({"acme/design"}))
    with GitHubServer(
        {**routes(), "/orgs/acme/teams/design/members": [user("ann")]}, rounds=(2, 14)
    ) as server:
        _read(server, needs)

    first, parts, last = server.rounds()
    assert [f"{ROOT}/pulls/12", f"{ROOT}/pulls/12/reviews"] == first
    assert [f"{ROOT}/pulls/12"] == last
    assert (
        sorted(
            [
                "/graphql",
                "/orgs/acme/teams/design/members",
                "/repos/Acme/Engine/pulls/3",
                f"{ROOT}/activity",
                PROTECTION_PATH,
                f"{ROOT}/collaborators/ann/permission",
                f"{ROOT}/collaborators/bob/permission",
                f"{ROOT}/commits/{HEAD}/check-runs",
                f"{ROOT}/commits/{HEAD}/status",
                f"{ROOT}/compare/release%2F1.0...{HEAD}",
                f"{ROOT}/pulls/12/commits",
                f"{ROOT}/pulls/12/files",
                f"{ROOT}/pulls/7",
                f"{ROOT}/rules/branches/release%2F1.0",
            ]
        )
        == parts
    )
    assert 14 == server.most_at_once


def test_only_needed_parts_are_read() -> None:
    """Nothing else is fetched; keys that the platform does not have are ignored."""
    with GitHubServer(routes()) as server:
        document = _read(server, _parts("files", "queue", "scopes", "no such key"))

    assert {"pull", "files", "recorded_at"} == document.keys()
    assert [f"{ROOT}/pulls/12", f"{ROOT}/pulls/12/files", f"{ROOT}/pulls/12"] == server.paths


def test_the_pull_request_alone() -> None:
    """A single answer is consistent, so it is fetched only once."""
    with GitHubServer(routes()) as server:
        assert {"pull", "recorded_at"} == _read(server, _parts()).keys()
    assert [f"{ROOT}/pulls/12"] == server.paths


def test_the_token_is_sent_to_the_platform_only() -> None:
    """Every request has it, and the document does not."""
    with GitHubServer(routes()) as server:
        document = _read(server)

    assert {f"Bearer {TOKEN}"} == {asked.headers["authorization"] for asked in server.asked}
    assert TOKEN not in json.dumps(document)
    assert not [asked for asked in server.asked if TOKEN in asked.path + repr(asked.query) + repr(asked.body)]


def test_an_enterprise_server() -> None:
    """The REST API and the GraphQL API have different prefixes."""
    found = routes()
    with GitHubServer({**found, "/api/graphql": found["/graphql"]}) as server:
        server.prefix = "/api/v3"

        assert {"pull", "recorded_at", *READERS} == _read(server).keys()
    assert {"/api/v3", "/api/graphql"} == {
        path.partition("/repos")[0].partition("/orgs")[0] for path in server.paths
    }


def test_a_head_that_moves() -> None:
    """The parts belong to two states of the pull request, so nothing is returned."""
    moving = {f"{ROOT}/pulls/12": one_after_another(pull(), moved_head())}
    with GitHubServer({**routes(), **moving}) as server, pytest.raises(HeadMoved) as raised:
        _read(server, _parts("files"))

    (error,) = raised.value.errors
    assert ("path", "number") == (error.place, error.name)
    assert "pull request 12 changed while it was being read; try again" == error.message


def test_a_base_that_changes() -> None:
    """Parts read for one base do not apply to another."""
    other = pull(base={**pull()["base"], "ref": "main"})
    moving = {f"{ROOT}/pulls/12": one_after_another(pull(), other)}
    with GitHubServer({**routes(), **moving}) as server, pytest.raises(HeadMoved):
        _read(server, _parts("files"))


def test_mergeability_that_is_computed_late() -> None:
    """The second request has it."""
    computing = {f"{ROOT}/pulls/12": one_after_another(pull(mergeable=None), pull())}
    with GitHubServer({**routes(), **computing}) as server:
        assert _read(server, _parts("files"))["pull"]["mergeable"] is True


@pytest.mark.parametrize("status", [403, 404, 410, 451])
def test_an_unknown_pull_request(status: int) -> None:
    """A private repository gives the same error as a missing one."""
    refused = {f"{ROOT}/pulls/12": Reply(status, NOT_FOUND)}
    with GitHubServer({**routes(), **refused}) as server, pytest.raises(NotFound) as raised:
        _read(server)

    assert "the platform shows no pull request 12 of Acme/Widgets to this token" == str(raised.value)


@pytest.mark.parametrize("name", [".", ".."])
def test_a_dot_segment_as_a_name(name: str) -> None:
    """It would change the path; the client does not send the request."""
    with GitHubServer(routes()) as server, pytest.raises(NotFound) as raised:
        _read(server, repository=Repository("Acme", name))

    assert f"no repository is called `{name}`" == str(raised.value)
    assert [] == server.asked


def test_a_renamed_repository() -> None:
    """The error has the new name; the new repository is not read."""
    with GitHubServer({"/repositories/42": {"full_name": "Acme/Gadgets"}}) as server:
        moved = Reply(301, {}, {"Location": f"{server.url}/repositories/42/pulls/12"})
        server.routes[f"{ROOT}/pulls/12"] = moved
        with pytest.raises(Moved) as raised:
            _read(server)

    (error,) = raised.value.errors
    assert "the repository Acme/Widgets is now called Acme/Gadgets; use that name" == error.message
    assert ("path", "repository", "Acme/Gadgets") == (error.place, error.name, raised.value.name)


def test_a_redirect_to_another_host() -> None:
    """The repository counts as missing."""
    elsewhere = Reply(301, {}, {"Location": "https://elsewhere.example/repositories/42"})
    with GitHubServer({f"{ROOT}/pulls/12": elsewhere}) as server, pytest.raises(NotFound) as raised:
        _read(server)

    assert "the platform shows no repository Acme/Widgets to this token" == str(raised.value)


def test_an_answer_about_another_repository() -> None:
    """It counts as renamed."""
    base = {**pull()["base"], "repo": {**pull()["base"]["repo"], "full_name": "Acme/Gadgets"}}
    with GitHubServer({f"{ROOT}/pulls/12": pull(base=base)}) as server, pytest.raises(Moved):
        _read(server)


def test_names_are_case_insensitive() -> None:
    """The platform answers with its own spelling."""
    with GitHubServer(
        {path.replace(ROOT, "/repos/acme/WIDGETS"): route for path, route in routes().items()}
    ) as server:
        assert (
            12 == _read(server, _parts("files"), repository=Repository("acme", "WIDGETS"))["pull"]["number"]
        )


@pytest.mark.parametrize("path", [f"{ROOT}/pulls/12", f"{ROOT}/pulls/12/files", "/graphql"])
@pytest.mark.parametrize("body", [b"{", b"[1, 2", b'{"data": 5}', b'"text"', b"[" * 100_000, b"\xff"])
def test_answers_that_do_not_look_like_github(path: str, body: bytes) -> None:
    """Malformed, truncated, deeply nested or of another shape: the error has a reason."""
    odd = {path: Reply(200, body)}
    with GitHubServer({**routes(), **odd}) as server, pytest.raises(PlatformDown) as raised:
        _read(server)

    assert "the answer of the code-hosting platform does not look like GitHub's" == str(raised.value)


def test_a_part_that_fails_fails_the_whole() -> None:
    """A missing part means that the platform does not show it, not that the request failed."""
    broken = {f"{ROOT}/pulls/12/files": Reply(500, {})}
    with GitHubServer({**routes(), **broken}) as server, pytest.raises(PlatformDown) as raised:
        _read(server)

    assert f"the code-hosting platform answered 500 (request for {ROOT}/pulls/12/files)" == str(raised.value)


def test_a_rate_limit_on_a_part() -> None:
    """It does not count as a part that the token may not read."""
    limited = {
        f"{ROOT}/pulls/12/files": Reply(403, {"message": "secondary rate limit"}, {"Retry-After": "77"})
    }
    with GitHubServer({**routes(), **limited}) as server, pytest.raises(PlatformDown) as raised:
        _read(server)

    assert 77 == raised.value.retry_seconds


@pytest.mark.parametrize(
    "key", sorted(READERS.keys() - {"teams", "permissions", "deployments", "dependencies"})
)
@pytest.mark.parametrize("status", [403, 404])
def test_parts_that_the_token_may_not_read(key: str, status: int) -> None:
    """They are absent, neither empty nor null."""
    closed = {path: Reply(status, NOT_FOUND) for path in routes() if path != f"{ROOT}/pulls/12"}

    assert "absent" == _part(key, closed)


@pytest.mark.parametrize(
    ("route", "found"), [(NOT_PROTECTED, None), (FORBIDDEN, "absent"), (Reply(404, NOT_FOUND), "absent")]
)
def test_branch_protection(route: Route, found: Any) -> None:
    """A branch is unprotected only if the platform says so."""
    assert found == _part("branch_protection", {PROTECTION_PATH: route})


def test_many_files() -> None:
    """All pages are read, in order."""
    files = [changed_file(number) for number in range(250)]
    found = _part("files", {f"{ROOT}/pulls/12/files": files})

    assert [file["filename"] for file in files] == [file["filename"] for file in found]


def test_a_list_that_is_too_long() -> None:
    """An incomplete list would look complete, so the part is absent."""
    assert "absent" == _part("reviews", {f"{ROOT}/pulls/12/reviews": [review("bob")] * 3001})


def test_many_check_runs() -> None:
    """Lists inside an object have pages too."""
    runs = [check_run(number) for number in range(101)]
    path = f"{ROOT}/commits/{HEAD}/check-runs"

    assert 101 == len(_part("check_runs", {path: {"total_count": 101, "check_runs": runs}}))


def test_many_threads() -> None:
    """GraphQL queries have their own pages; the author of a thread is the author of its first comment."""

    def answer(asked: Asked) -> Route:
        after = json.loads(asked.body)["variables"]["after"]
        if after is None:
            return conversation([thread(is_resolved=True, author="ann")], after="second")
        assert "second" == after
        return conversation([thread(is_resolved=False, author="bob")])

    assert [{"is_resolved": True, "author": "ann"}, {"is_resolved": False, "author": "bob"}] == _part(
        "review_threads", {"/graphql": answer}
    )


@pytest.mark.parametrize(
    "answer",
    [
        {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND", "message": "Could not resolve"}]},
        {"data": {"repository": {"pullRequest": None}}},
        {"data": None, "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible"}]},
        {"errors": [{"message": "Something went wrong"}]},
    ],
)
def test_graphql_errors(answer: Route) -> None:
    """The part is absent."""
    assert "absent" == _part("review_decision", {"/graphql": answer})


def test_a_graphql_rate_limit() -> None:
    """GitHub reports it in a successful response."""
    limited = {"/graphql": {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}}
    with GitHubServer({**routes(), **limited}) as server, pytest.raises(PlatformDown) as raised:
        _read(server)

    assert "the code-hosting platform is limiting requests" == str(raised.value)
    assert 60 == raised.value.retry_seconds


def test_the_total_time_is_limited() -> None:
    """Each response arrives in time, but all of them together take too long."""

    async def read(url: str) -> None:
        github = GitHub(url, lambda: NOW, seconds=MOST_SECONDS)
        try:
            await LiveForge(github, lambda: NOW, seconds=0.3).pull_request(WIDGETS, 12, EVERYTHING, TOKEN)
        finally:
            await github.close()

    with GitHubServer(routes(), delay=0.2) as server, pytest.raises(PlatformDown) as raised:
        asyncio.run(read(server.url))

    assert "the code-hosting platform took longer than 0.3 seconds" == str(raised.value)


def test_no_review_decision() -> None:
    """Null is a value: the platform requires no review."""
    assert _part("review_decision", {"/graphql": conversation([], reviewDecision=None)}) is None


def test_threads_and_decision_share_one_query() -> None:
    """One GraphQL request returns both."""
    with GitHubServer(routes()) as server:
        _read(server, _parts("review_threads", "review_decision"))

    assert 1 == server.paths.count("/graphql")


DESIGN, HIDDEN = "/orgs/Acme/teams/design/members", "/orgs/Acme/teams/hidden/members"
WANTED = frozenset({"Acme/design", "Acme/hidden"})


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, {"Acme/design": ["ann", "bob"]}),  # the other does not exist, since the token can list teams
        ({HIDDEN: []}, {"Acme/design": ["ann", "bob"], "Acme/hidden": []}),
        ({HIDDEN: FORBIDDEN}, "absent"),
        ({"/orgs/Acme/teams": FORBIDDEN}, "absent"),
        ({"/orgs/Acme/teams": []}, "absent"),
    ],
)
def test_teams(changes: dict[str, Route], found: Any) -> None:
    """A team counts as missing only if the token can list teams."""
    assert found == _part("teams", changes, WANTED)


def test_teams_of_other_organisations() -> None:
    """A document cannot make our token read other organisations or other paths."""
    wanted = frozenset({"Other/secret", "Acme/..", "Acme/a/b", "Acme/", "nothing", "Acme/x?y=1"})
    with GitHubServer(routes()) as server:
        found = _read(server, _parts("teams", teams=wanted))

    assert "teams" not in found  # none of the names is valid
    assert not [path for path in server.paths if path.startswith("/orgs/Other")]
    assert "/orgs/Acme/members" not in server.paths


def test_too_many_teams() -> None:
    """The client requests none of them."""
    with GitHubServer(routes()) as server:
        _read(server, _parts("teams", teams=frozenset(f"Acme/t{number}" for number in range(101))))

    assert {f"{ROOT}/pulls/12"} == set(server.paths)


def test_permissions_without_reviews() -> None:
    """Only the permissions of requested reviewers matter."""
    assert {"ann": "maintain"} == _part("permissions", {})


@pytest.mark.parametrize(
    ("route", "found"),
    [
        (permission("admin", "admin"), {"ann": "admin"}),
        (permission("read", "triage"), {"ann": "triage"}),
        ({"permission": "none"}, {"ann": "none"}),
        (Reply(404, NOT_FOUND), {}),
        (FORBIDDEN, "absent"),
    ],
)
def test_permissions(route: Route, found: Any) -> None:
    """The role if it is a standard one; absent if permissions cannot be read."""
    assert found == _part("permissions", {f"{ROOT}/collaborators/ann/permission": route})


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (None, {}),
        ("Depends-On: #7", {"Acme/Widgets#7": "merged"}),
        ("Depends-On: #9", {}),  # not visible to the token
        ("Depends-On: Acme/..#3\nDepends-On: #7", {"Acme/Widgets#7": "merged"}),
        ("Depends-On: Other/thing#1\nDepends-On: #12", {}),
        ("\n".join(f"Depends-On: #{number}" for number in range(100, 151)), "absent"),
    ],
)
def test_dependencies(body: str | None, found: Any) -> None:
    """The state of each visible dependency, and none of other organisations."""
    assert found == _part("dependencies", {f"{ROOT}/pulls/12": pull(body=body)})


def test_a_dependency_closed_without_merging() -> None:
    """Its state is closed."""
    changes = {f"{ROOT}/pulls/12": pull(body="Depends-On: #7"), f"{ROOT}/pulls/7": pull(7, state="closed")}

    assert {"Acme/Widgets#7": "closed"} == _part("dependencies", changes)


def test_a_deployment_without_a_status() -> None:
    """Its state is unknown."""
    (found,) = _part("deployments", {f"{ROOT}/deployments/5/statuses": []})

    assert found["state"] is None


OPENED, CLOSED = "2026-11-01T09:00:00Z", "2026-11-03T09:00:00Z"


@pytest.mark.parametrize(
    ("pushes", "found"),
    [
        ([], []),
        ([push("0", "a", "2026-10-31T08:00:00Z", "branch_creation")], []),
        (
            [push("b", "c", "2026-11-04T08:00:00Z"), push("a", "b", "2026-11-02T08:00:00Z")],
            [{"sha": "a" * 40, "at": OPENED}],
        ),
        (
            [
                push("b", "0", "2026-11-03T08:00:00Z", "branch_deletion"),
                push("a", "b", "2026-11-02T08:00:00Z"),
            ],
            [{"sha": "a" * 40, "at": OPENED}],
        ),
        ([push("a", "b", "yesterday")], "absent"),
    ],
)
def test_head_history(pushes: list[Any], found: Any) -> None:
    """Heads that were replaced while the pull request was open."""
    changes = {f"{ROOT}/pulls/12": pull(closed_at=CLOSED, state="closed"), f"{ROOT}/activity": pushes}

    assert found == _part("head_history", changes)


def test_head_history_starts_at_the_opening() -> None:
    """The branch may be much older than its pull request."""
    old = [push("a", "b", "2026-10-01T08:00:00Z")] * 500
    with GitHubServer({**routes(), f"{ROOT}/activity": old}) as server:
        _read(server, _parts("head_history"))

    assert 1 == server.paths.count(f"{ROOT}/activity")
    assert "refs/heads/edges/round" == server.asked[1].query["ref"]


def test_the_head_of_a_fork() -> None:
    """Its history is read from the fork; a deleted fork has none."""
    fork = {"ref": "edges/round", "sha": HEAD, "repo": {"id": 2, "full_name": "mona/widgets-fork"}}
    moved = {f"{ROOT}/pulls/12": pull(head=fork), "/repos/mona/widgets-fork/activity": []}

    assert [] == _part("head_history", moved)
    assert "absent" == _part("head_history", {f"{ROOT}/pulls/12": pull(head={**fork, "repo": None})})
