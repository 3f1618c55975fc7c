"""Imports read every page once, whatever the platform does, and resume where they stopped."""

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from live_server import TOKEN, LiveServer
from mergecast.cli.import_run import ClientSink
from mergecast.client.client import Client
from mergecast.errors import MergecastError, RefusedCredential
from mergecast.incoming.intake.follower import StoreSink
from mergecast.incoming.intake.importing.following import FollowState, Pace, follow
from mergecast.incoming.intake.importing.importer import (
    Importer,
    ImportState,
    OpenStay,
    Sink,
    Stored,
    read_state,
)
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.gitlab.deliveries import item_delivery
from mergecast.incoming.sources.page import Place
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.store import Store
from sources.activity_log_stories import STORIES
from sources.bors_queue import BorsQueue
from sources.faulty_server import Failure, Reply, Request, faulty_server
from sources.github_deliveries import clock, sha
from sources.imports import HEADERS, Setup
from sources.platforms import ActivityLog, GitHubPlatform, GitLabPlatform, at

NOW = clock(600)
SINCE = NOW - 9 * DAY


def _log() -> ActivityLog:
    stories = [story().items for story in STORIES]
    entries = [entry for items in stories for entry in items]
    return ActivityLog(entries=[{**entry, "id": number} for number, entry in enumerate(entries, 1)])


def _github() -> GitHubPlatform:
    platform = GitHubPlatform()
    for number in range(1, 9):
        platform.added(number, number * 10)
        platform.run(number, sha(f"group {number}"), number * 10 + 1, number * 10 + 8)
        platform.merged(number, number * 10 + 9, sha(f"group {number}"))
    platform.added(20, 100)
    platform.removed(20, 120, "failed_checks", sha("group 20"))
    platform.checks[sha("group 20")] = [
        {
            "id": 5, "name": "unit", "status": "completed", "conclusion": "failure",
            "app": {"slug": "other-ci"}, "started_at": at(101), "completed_at": at(118),
        }
    ]  # fmt: skip
    return platform


def _gitlab() -> GitLabPlatform:
    platform = GitLabPlatform()
    for number in range(1, 9):
        platform.note(number, number, number * 10, "started a merge train")
        platform.car(5000 + number, number, number * 10, number * 10 + 9)
        platform.pipeline(200 + number, number, number * 10 + 1, number * 10 + 8, "success")
    platform.changed(77, 50)
    return platform


def _bors() -> BorsQueue:
    queue = BorsQueue()
    for number in range(1, 31):
        queue.says(number, number * 10, "bors r+")
        queue.result(number * 10 + 9, "Build succeeded:", number)
        queue.closed(number, number * 10 + 9.1, by="bors")
    queue.says(50, 100, "Looks good")  # of no concern to the queue
    queue.closed(50, 120)
    return queue


PLATFORMS: dict[str, Callable[[], Callable[[Request], Reply]]] = {
    "github": _github, "activity-log": _log, "gitlab": _gitlab, "bors": _bors,
}  # fmt: skip


def _expected(source: str) -> int:
    counts = {"github": 8 * 4 + 2 + 1, "gitlab": 8 * 3, "bors": 30 * 3}
    return len(_log_entries()) if source == "activity-log" else counts[source]


def _log_entries() -> list[dict[str, object]]:
    return [entry for entry in _log().entries if entry["type"] != "action.queue.change"]


@pytest.mark.parametrize("source", PLATFORMS)
def test_an_import_reads_everything_once(source: str) -> None:
    """And a second one finds nothing new and asks for little."""
    with faulty_server(PLATFORMS[source]()) as server:
        setup = Setup(source, server)

        assert _expected(source) == setup.once().stored
        assert (0, _expected(source)) == (setup.once().stored, len(setup.sink.kept))
        (part,) = read_state(setup.sink.text).parts
        assert (SINCE, NOW, True) == (*part.window, part.is_read)


@pytest.mark.parametrize("failure", Failure)
@pytest.mark.parametrize("source", PLATFORMS)
def test_a_failure_that_passes_is_waited_for(source: str, failure: Failure) -> None:
    """The import waits and asks again."""
    with faulty_server(PLATFORMS[source]()) as server:
        setup = Setup(source, server)
        server.plan = [None, failure, None, failure, failure]

        assert _expected(source) == setup.once().stored
        assert 3 <= len(setup.slept)  # a connection that was closed may cost one more


@pytest.mark.parametrize("failure", [Failure.BAD_GATEWAY, Failure.CUT, Failure.TRUNCATED, Failure.TOO_LONG])
@pytest.mark.parametrize("source", PLATFORMS)
def test_after_a_failure_that_stays_a_second_import_completes_the_first(
    source: str, failure: Failure
) -> None:
    """What was read before is not read again, and nothing is there twice."""
    with faulty_server(PLATFORMS[source]()) as server:
        for working in (1, 4, 9):
            setup = Setup(source, server)
            server.plan = [*[None] * working, *[failure] * 50]
            with pytest.raises(MergecastError, match=f"cannot read {server.url}"):
                setup.once()
            first = len(setup.sink.kept)
            server.plan = []

            assert _expected(source) == first + setup.once().stored == len(setup.sink.kept)


@pytest.mark.server
@pytest.mark.parametrize("source", PLATFORMS)
def test_after_failures_a_server_has_everything_once(source: str, server: LiveServer) -> None:
    """The same events as after an import that nothing interrupted."""
    with faulty_server(PLATFORMS[source]()) as platform, Client(server.url, TOKEN) as client:
        whole = Setup(source, platform, ClientSink(client, "acme/whole", source)).once()
        setup = Setup(source, platform, ClientSink(client, "acme/broken", source))
        for working, failure in enumerate((Failure.BAD_GATEWAY, Failure.CUT, Failure.TRUNCATED), start=1):
            platform.plan = [*[None] * working, *[failure] * 6]
            with pytest.raises(MergecastError, match=f"cannot read {platform.url}"):
                setup.once()
        platform.plan = []
        setup.once()
        stored = [client.sources(name).value[0] for name in ("acme/whole", "acme/broken")]
        lines = [sorted(b"".join(client.events(name)).split()) for name in ("acme/whole", "acme/broken")]

    assert [whole.stored] * 2 == [one.deliveries for one in stored]
    assert lines[0] == lines[1] != []


def _client_sink(_: Store, client: Client, name: str) -> Sink:
    return ClientSink(client, name, "github")


def _store_sink(store: Store, _: Client, name: str) -> Sink:
    intake = Intake(store, lambda: NOW, "tests")
    return StoreSink(store, intake, Repository(*name.split("/")), "github", lambda: NOW)


@pytest.mark.server
@pytest.mark.parametrize(("sink", "id"), [(_client_sink, 7004), (_store_sink, 7005)])
def test_a_repository_that_was_renamed_is_not_split(
    sink: Callable[[Store, Client, str], Sink], id: int, server: LiveServer
) -> None:
    """The import under its new name resumes where the one under its old name ended."""
    platform = _github()
    platform.id = id
    stored = []
    with faulty_server(platform) as github, Client(server.url, TOKEN) as client:
        for name in (f"acme/before-{id}", f"acme/after-{id}"):
            platform.repository = name
            stored.append(Setup("github", github, sink(server.store, client, name), name=name).once())

    assert [_expected("github"), 0] == [one.stored for one in stored]
    assert 409 == server.http.get(f"/v1/repos/acme/before-{id}/sources").status_code
    assert 200 == server.http.get(f"/v1/repos/acme/after-{id}/sources").status_code


def test_a_history_is_imported_even_if_its_repository_cannot_be_identified() -> None:
    platform = PLATFORMS["github"]()

    def answer(request: Request) -> Reply:
        if request.path == "/graphql" and "databaseId" in request.body["query"]:
            return Reply({"message": "unknown query"}, 400)
        return platform(request)

    with faulty_server(answer) as server:
        setup = Setup("github", server)

        assert _expected("github") == setup.once().stored
        assert setup.sink.identity is None


def test_nothing_is_stored_after_items_that_could_not_be_stored() -> None:
    """Otherwise the cursor would skip them."""
    with faulty_server(_log()) as server:
        setup = Setup("activity-log", server)
        setup.sink.fails_after = 10
        with pytest.raises(MergecastError, match="the store is full"):
            setup.once()
        setup.sink.fails_after = None

        setup.once()

        assert _expected("activity-log") == len(setup.sink.kept)


def test_while_one_request_is_stored_the_next_is_sent() -> None:
    """Whichever of them fails, a second import stores what is missing."""
    entries = _log_entries()[:15]
    for failing in range(1, 7):
        with faulty_server(ActivityLog(entries=entries)) as server:
            setup = Setup("activity-log", server, items_at_once=3)
            setup.sink.fails_at, setup.sink.first_waits = failing, True
            with pytest.raises(MergecastError, match="the store is full"):
                setup.once()
            kept = len(setup.sink.kept)

            assert len(entries) == kept + setup.once().stored == len(setup.sink.kept)
            assert setup.sink.most_under_way == 2
            assert setup.sink.under_way == 0


def test_a_longer_import_reads_what_is_older() -> None:
    """A window that is covered is not read again, unless more is asked for."""
    with faulty_server(_log()) as server:
        setup = Setup("activity-log", server)
        setup.once(NOW - HOUR)
        asked = len(server.requests)
        setup.once(SINCE)

        assert _expected("activity-log") == len(setup.sink.kept)
        assert asked < len(server.requests)


def test_windows_of_the_activity_log_are_at_most_93_days_long() -> None:
    """The service refuses longer ones."""
    with faulty_server(_log()) as server:
        setup = Setup("activity-log", server)
        setup.once(NOW - 365 * DAY)

        assert _expected("activity-log") == len(setup.sink.kept)


def test_checks_are_asked_for_only_where_no_workflow_ran() -> None:
    """One call per group would use up the hourly limit."""
    with faulty_server(_github()) as server:
        setup = Setup("github", server)
        setup.once()

        commits = [request.path for request in server.requests if "/commits/" in request.path]
        assert [f"/repos/acme-orbit/lander/commits/{sha('group 20')}/check-runs"] == commits
        assert {"check_run", "timeline", "workflow_run"} == {item.kind for item in setup.sink.kept.values()}


def test_statuses_stand_in_for_checks() -> None:
    """Some CI systems report commit statuses only."""
    platform = _github()
    platform.checks = {}
    platform.statuses[sha("group 20")] = [{"id": 9, "state": "failure", "context": "farm"}]
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.once()

        (status,) = [item for item in setup.sink.kept.values() if item.kind == "status"]
        assert (20, "main", sha("group 20")) == (
            status.body["number"], status.body["base_ref"], status.body["head_sha"],
        )  # fmt: skip


def test_a_long_timeline_is_read_back_to_the_window() -> None:
    """GitHub lists 100 entries of a timeline at once; here it lists 3."""
    platform = GitHubPlatform(timeline_page=3)
    for stay in range(10):
        platform.added(1, stay * 100)
        platform.removed(1, stay * 100 + 50, "manual")
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.once(clock(520))

        pages = [request for request in server.requests if request.path == "/graphql"]
        assert [f"node-1-{place}" for place in range(10, 20)] == sorted(setup.sink.kept)
        assert ["17", "14", "11"] == [
            request.body["variables"]["before"] for request in pages if "OfOne" in request.body["query"]
        ]


def test_a_timeline_says_which_base_branch_a_pull_request_had() -> None:
    """It was queued for another branch before; webhooks said so then.

    The second one left the queue because its branch was changed.
    """
    platform = GitHubPlatform()
    platform.added(2, 100, "main")
    platform.event(2, 105, "BaseRefChangedEvent", previousRefName="release/2.x", currentRefName="main")
    platform.removed(2, 105, "manual")
    platform.event(2, 110, "ClosedEvent")
    platform.added(1, 100, "main")
    platform.removed(1, 110, "manual")
    platform.event(1, 115, "BaseRefChangedEvent", previousRefName="release/2.x", currentRefName="main")
    platform.added(1, 120)
    platform.event(1, 130, "ClosedEvent")
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.once()

        assert {
            "node-1-0": "release/2.x",
            "node-1-1": "release/2.x",
            "node-1-3": "main",
            "node-1-4": "main",
            "node-2-0": "release/2.x",
            "node-2-2": "release/2.x",
            "node-2-3": "main",
        } == {id: item.body["base_ref"] for id, item in setup.sink.kept.items()}


def test_more_runs_than_github_lists_are_asked_for_in_parts() -> None:
    """GitHub lists 1,000 results of one search."""
    platform = GitHubPlatform(per_page=100)
    platform.added(1, 0)
    for number in range(1100):
        platform.run(1, sha(f"group {number}"), number / 10, number / 10 + 5)
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.once(NOW - DAY)

        assert 1101 == len(setup.sink.kept)


def test_a_poll_that_finds_nothing_new_costs_nothing() -> None:
    """Its list of runs has not changed, so GitHub answers 304 and counts no request."""
    with faulty_server(_github()) as server:
        setup = Setup("github", server)

        async def twice(importer: Importer) -> Stored:
            await importer.run(NOW - 6 * HOUR)
            setup.now += MINUTE
            server.requests.clear()
            return await importer.run(NOW - 6 * HOUR)

        assert Stored() == setup.run(twice)
        runs = [request for request in server.requests if request.path.endswith("/actions/runs")]
        assert all("If-None-Match" in request.headers for request in runs)


def _reports(setup: Setup, polls: int) -> list[FollowState]:
    reports: list[FollowState] = []

    async def some(importer: Importer) -> Stored:
        task = asyncio.current_task()

        def report(state: FollowState) -> None:
            reports.append(state)
            if len(reports) == polls and task is not None:
                task.cancel()

        with suppress(asyncio.CancelledError):
            await follow(importer, SINCE, report, Pace(), setup.sleep)
        return Stored()

    setup.run(some)
    return reports


def test_following_reads_what_is_new_and_slows_down_when_nothing_is() -> None:
    """A poll every minute at first, later every five."""
    log = _log()
    with faulty_server(log) as server:
        setup = Setup("activity-log", server)
        reports = _reports(setup, 6)

        assert [_expected("activity-log"), 0, 0, 0, 0, 0] == [report.stored for report in reports]
        assert [60, 90, 135, 202.5, 300] == setup.slept[:5]


def test_following_continues_after_a_failure() -> None:
    """The failure is reported, and the next poll waits longer."""
    with faulty_server(_log()) as server:
        setup = Setup("activity-log", server)
        server.plan = [Failure.BAD_GATEWAY] * 6
        first, second = _reports(setup, 2)

        assert f"cannot read {server.url}/v1/repos/acme-orbit/lander/logs: it answered 502" == first.error
        assert (None, _expected("activity-log")) == (second.error, second.stored)
        assert first.next_at - first.polled_at == 2 * MINUTE


@pytest.mark.parametrize("source", ["github", "activity-log"])
def test_an_import_resumes_although_its_cursor_has_expired(source: str) -> None:
    """The part of the list that the cursor belongs to is read again."""
    platform, refusals = PLATFORMS[source](), list[Reply]()
    outage = threading.Event()
    outages = [outage]  # begins once a part of the list was asked for by its cursor

    def answer(request: Request) -> Reply:
        cursor = request.body["variables"].get("after") if request.body else request.query.get("cursor")
        if outage.is_set():
            return Reply({"message": "Bad gateway"}, 502)
        if cursor and outages:
            outages.pop().set()
        return refusals.pop() if refusals and cursor else platform(request)

    with faulty_server(answer) as server:
        setup = Setup(source, server)
        with pytest.raises(MergecastError, match="it answered 502"):
            setup.once()
        outage.clear()
        invalid = {"data": None, "errors": [{"message": "`3` does not appear to be a valid cursor."}]}
        refusals.append(Reply(invalid, 200 if source == "github" else 422))
        setup.once()

        assert (0, _expected(source)) == (len(refusals), len(setup.sink.kept))


def test_a_car_gets_the_author_of_its_merge_request() -> None:
    """The list of merge requests names the author, that of cars only who added it to the train."""
    platform = _gitlab()
    platform.requests[3]["author"] = {"username": "mara"}
    with faulty_server(platform) as server:
        setup = Setup("gitlab", server)
        setup.once()

    abouts = [
        item_delivery(item.id, item.kind, json.dumps(item.body).encode(), NOW).about
        for item in setup.sink.kept.values()
    ]
    assert {(3, "mara")} == {(about.number, about.author) for about in abouts if about and about.author}


def test_the_list_of_a_train_gives_positions() -> None:
    """A branch has its own train; new cars are added at the end."""
    platform = _gitlab()
    for number, branch in ((11, "main"), (12, "next"), (13, "main")):
        platform.car(5000 + number, number, 200 + number)
        platform.cars[-1]["target_branch"] = branch
    with faulty_server(platform) as server:
        setup = Setup("gitlab", server)
        setup.run(lambda importer: importer.check_queue())

    abouts = [
        item_delivery(item.id, item.kind, json.dumps(item.body).encode(), NOW).about
        for item in setup.sink.kept.values()
    ]
    assert {(11, 1), (12, 1), (13, 2)} == {(about.number, about.position) for about in abouts if about}


def test_merge_requests_are_read_several_at_a_time() -> None:
    """Each takes two requests, and GitLab answers thousands per minute."""
    platform = _gitlab()
    asked: list[Request] = []
    has_met, waited = threading.Event(), []

    def answer(request: Request) -> Reply:
        if request.path.endswith("/notes"):
            asked.append(request)
            if len(asked) == 2:
                has_met.set()
            waited.append(has_met.wait(60))
        return platform(request)

    with faulty_server(answer) as server:
        assert _expected("gitlab") == Setup("gitlab", server).once().stored
    assert all(waited)


def test_gitlab_may_link_the_next_page_in_the_standard_header_only() -> None:
    platform = _gitlab()

    def answer(request: Request) -> Reply:
        reply = platform(request)
        following = reply.headers.get("X-Next-Page")
        link = f'<https://elsewhere.test/list?page={following}>; rel="next"' if following else ""
        return Reply(reply.value, reply.status, {"Link": link})

    with faulty_server(answer) as server:
        assert _expected("gitlab") == Setup("gitlab", server).once().stored


def test_a_note_has_the_target_branch_of_its_time() -> None:
    """A removed merge request has no car, and its target branch may have changed since."""
    platform = GitLabPlatform()
    platform.note(1, 59, 0, "started a merge train")
    platform.note(2, 59, 1, "changed target branch from `main` to `release/2.x`")
    platform.note(3, 59, 2, "removed this merge request from the merge train")
    platform.note(4, 59, 3, "added this merge request to the merge train at position 2")
    deleted = "deleted the `release/2.x` branch. This merge request now targets the `next` branch"
    platform.note(5, 59, 3, deleted)
    platform.note(6, 59, 4, "started a merge train")
    platform.requests[59]["target_branch"] = "next"
    with faulty_server(platform) as server:
        setup = Setup("gitlab", server)
        setup.once()

    found = {item.body["id"]: item.body["target_branch"] for item in setup.sink.kept.values()}
    assert {1: "main", 3: "release/2.x", 4: "release/2.x", 6: "next"} == found


def test_a_cursor_may_expire_during_an_import() -> None:
    """The window is read again, once: a service that refuses every cursor ends the import."""
    platform = _log()
    refusals: list[Reply] = []

    def answer(request: Request) -> Reply:
        return refusals.pop() if refusals and request.query.get("cursor") else platform(request)

    with faulty_server(answer) as server:
        refusals += [Reply({}, 422)]
        assert _expected("activity-log") == Setup("activity-log", server).once().stored
        refusals += [Reply({}, 422)] * 9
        with pytest.raises(MergecastError, match="it answered 422"):
            Setup("activity-log", server).once()


@pytest.mark.parametrize("source", ["github", "gitlab"])
def test_a_stay_that_disappeared_is_reported_at_the_second_check(source: str) -> None:
    """A pull request that merges leaves the queue a moment before."""
    place = Place("main", 99)
    with faulty_server(PLATFORMS[source]()) as server:
        setup = Setup(source, server)
        setup.sink.open = [OpenStay(place, NOW - HOUR)]
        setup.once()

        (absent,) = [item for item in setup.sink.kept.values() if item.kind == "absent"]
        assert (99, None) == (absent.body["number"], absent.body["last_seen_at"])
        assert [60.0] == setup.slept


def test_a_pull_request_may_disappear_from_the_queues_of_two_branches() -> None:
    """Its base branch was changed, and nothing said that it left either queue."""
    platform = _github()
    platform.queues["release/2.x"] = []
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.sink.open = [OpenStay(Place(base, 99), NOW - HOUR) for base in ("main", "release/2.x")]
        setup.once()

        absent = [item.body for item in setup.sink.kept.values() if item.kind == "absent"]
        assert ["main", "release/2.x"] == sorted(body["base_ref"] for body in absent)


def test_a_stay_that_was_seen_queued_says_when() -> None:
    """The stay then ends at that instant."""
    platform = _github()
    platform.enqueue(99, 590)
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.sink.open = [OpenStay(Place("main", 99), clock(590))]

        async def three(importer: Importer) -> Stored:
            await importer.check_queue()
            platform.dequeue(99)
            for _ in range(2):
                await setup.sleep(60)
                await importer.check_queue()
            return Stored()

        setup.run(three)

        queued, absent = setup.sink.kept.values()
        assert ("queued", "2026-09-14T19:50:00Z") == (queued.kind, queued.body["enqueued_at"])
        assert ("2026-09-14T20:00:00Z", "2026-09-14T20:02:00Z") == (
            absent.body["last_seen_at"], absent.body["at"],
        )  # fmt: skip


def test_a_queue_that_github_refuses_to_show_is_not_empty() -> None:
    """Otherwise every stay would seem to have left."""
    platform = _github()

    def answer(request: Request) -> Reply:
        if request.body and "QueueSnapshot" in request.body["query"]:
            found = {"repository": {"defaultBranchRef": {"name": "main"}, "mergeQueue": None}}
            refusal = {
                "type": "FORBIDDEN",
                "path": ["repository", "mergeQueue"],
                "message": "Resource not accessible by integration",
            }
            return Reply({"data": found, "errors": [refusal]})
        return platform(request)

    with faulty_server(answer) as server:
        setup = Setup("github", server)
        setup.sink.open = [OpenStay(Place("main", 99), NOW - HOUR)]
        with pytest.raises(MergecastError, match=r"may not read this; it needs read access to merge queues$"):
            setup.once()

        assert "absent" not in {item.kind for item in setup.sink.kept.values()}


def test_a_pull_request_whose_timeline_only_says_that_it_merged() -> None:
    """GitHub does not always write down that a pull request was queued; the stay is known from its group."""
    platform = _github()
    platform.event(99, 595, "MergedEvent", actor={"login": "github-merge-queue"})
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.sink.open = [OpenStay(Place("main", 99), clock(500))]
        setup.on_sleep = setup.sink.open.clear
        setup.once()

        assert "node-99-0" in setup.sink.kept


def test_the_history_of_one_pull_request_explains_what_a_list_did_not() -> None:
    """The timeline of the pull request itself says why it left."""
    platform = _github()
    platform.added(99, 500)
    platform.removed(99, 595, "manual")
    platform.pulls[99]["updatedAt"] = "2025-01-01T00:00:00Z"  # as if leaving the queue were no update
    with faulty_server(platform) as server:
        setup = Setup("github", server)
        setup.sink.open = [OpenStay(Place("main", 99), clock(500))]
        setup.on_sleep = setup.sink.open.clear
        setup.once()

        reasons = [
            item.body["node"].get("reason") for item in setup.sink.kept.values() if "node" in item.body
        ]
        assert "manual" in reasons
        assert "absent" not in {item.kind for item in setup.sink.kept.values()}


def test_a_project_that_moved_says_so() -> None:
    """A token goes only to the address that was given, so a redirect is not followed."""
    moved = Reply({"message": "Moved"}, 301, {"Location": "https://elsewhere.test/api/v4/projects/20"})
    with faulty_server(lambda _: moved) as server:
        message = "the project has moved; use its new path, and keep its name here with --as"
        with pytest.raises(MergecastError, match=message):
            Setup("gitlab", server).once()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("github", "GitHub does not accept the token"),
        ("activity-log", "the token may not read this repository"),
        ("gitlab", "invalid token"),
    ],
)
def test_a_wrong_token_says_what_to_set(source: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once: asking again would not help."""
    monkeypatch.setitem(HEADERS, source, {})
    with faulty_server(PLATFORMS[source]()) as server:
        setup = Setup(source, server)

        with pytest.raises(RefusedCredential, match=message):
            setup.once()

        assert [] == setup.slept


def _with_page_info(reply: Reply, info: dict[str, Any]) -> Reply:
    """A reply of GraphQL whose lists all continue in this way."""

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(item) for item in value]
        if isinstance(value, dict):
            return {name: info if name == "pageInfo" else changed(item) for name, item in value.items()}
        return value

    return Reply(changed(reply.value), reply.status, reply.headers)


def _linked(request: Request, reply: Reply) -> Reply:
    """Every page of the activity log, or of GitHub's runs, links to one of two pages in turn."""
    page = "a" if "b" in request.query.get("cursor", []) + request.query.get("page", []) else "b"
    address = (
        f"http://{request.headers['Host']}{request.path}?created={at(0)}..{at(1)}&cursor={page}&page={page}"
    )
    return Reply(reply.value, reply.status, {"Link": f'<{address}>; rel="next"'})


def _endless_runs(request: Request) -> Reply:
    if request.path.endswith("/runs"):
        return _linked(request, Reply({"total_count": 1, "workflow_runs": []}))
    return _github()(request)


def _endless_log(request: Request) -> Reply:
    return _linked(request, Reply({"events": []}))


def _endless_pulls(request: Request) -> Reply:
    after = "0" if request.body and request.body["variables"].get("after") == "3" else "3"
    reply = _github()(request)
    return _with_page_info(reply, {"hasNextPage": True, "endCursor": after}) if request.body else reply


def _endless_timelines(request: Request) -> Reply:
    before = "1" if request.body and request.body["variables"].get("before") == "2" else "2"
    reply = _github()(request)
    return _with_page_info(reply, {"hasPreviousPage": True, "startCursor": before}) if request.body else reply


def _endless_queue(request: Request) -> Reply:
    reply = _github()(request)
    is_queue = request.body and "QueueSnapshot" in request.body["query"]
    return _with_page_info(reply, {"hasNextPage": True, "endCursor": "a"}) if is_queue else reply


def _endless_trains(request: Request) -> Reply:
    reply = _gitlab()(request)
    return Reply(reply.value, 200, {"X-Next-Page": "1"}) if request.path.endswith("/merge_trains") else reply


def _endless_notes(request: Request) -> Reply:
    reply = _gitlab()(request)
    return Reply(reply.value, 200, {"X-Next-Page": "1"}) if request.path.endswith("/notes") else reply


@pytest.mark.parametrize(
    ("source", "platform"),
    [
        ("github", _endless_runs),
        ("github", _endless_pulls),
        ("github", _endless_timelines),
        ("github", _endless_queue),
        ("bors", _endless_pulls),
        ("bors", _endless_timelines),
        ("activity-log", _endless_log),
        ("gitlab", _endless_trains),
        ("gitlab", _endless_notes),
    ],
)
def test_pages_that_are_linked_in_a_circle(source: str, platform: Callable[[Request], Reply]) -> None:
    """The import ends with an error instead of reading them for ever."""
    with faulty_server(platform) as server:
        setup = Setup(source, server)
        server.answer = lambda request: platform(request) if len(server.requests) < 200 else Reply({}, 401)

        with pytest.raises(MergecastError, match="the platform links a page of a list to an earlier one"):
            setup.once()


@pytest.mark.parametrize(
    "text", ["{}", '{"until": "x"}', '{"until": 1e30}', '{"until": -99999999999999999999}']
)
@pytest.mark.parametrize("source", PLATFORMS)
def test_a_position_that_another_program_stored(source: str, text: str) -> None:
    """It is ignored, or the import begins at the end of its window."""
    with faulty_server(PLATFORMS[source]()) as server:
        setup = Setup(source, server)
        setup.sink.text = json.dumps({"window": [SINCE, NOW], "position": text})

        assert setup.once().stored <= _expected(source)


@pytest.mark.parametrize("window", [[-(10**30), 10**30], [0, 10**18], [5, 1]])
def test_a_window_that_does_not_exist(window: list[int]) -> None:
    """It counts as none, and everything is read again."""
    for name in ("window", "covered"):
        assert ImportState() == read_state(json.dumps({name: window}))


def test_ids_and_dates_that_no_store_accepts(server: LiveServer) -> None:
    """One of them does not stop the import. The exit in the year 9999 counts as missing."""
    github = _github()
    github.pulls[20]["timelineItems"]["nodes"][0]["id"] = "x" * 201
    github.pulls[20]["timelineItems"]["nodes"][1] |= {"id": "\0", "createdAt": "9999-12-31T23:59:59Z"}
    with faulty_server(github) as platform, Client(server.url, TOKEN) as client:
        setup = Setup("github", platform, ClientSink(client, "odd/ids", "github"))

        assert _expected("github") + 1 == setup.once().stored
