"""A history of bors-ng, read from an imitated GitHub."""

from collections import defaultdict
from collections.abc import Iterable

import pytest

from live_server import TOKEN, LiveServer
from mergecast.cli.import_run import ClientSink
from mergecast.client.client import Client
from mergecast.incoming.sources.bors.history.bot import Bot
from mergecast.incoming.sources.bors.history.timelines import read_timeline
from mergecast.queues.model.event import CHECKS_ENDED, CHECKS_STARTED, Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, format_instant, parse_instant
from sources.bors_queue import BorsQueue, events_of
from sources.bors_recorded import RECORDED, Recorded, queue_of, recorded_events
from sources.bors_stories import FAILED, SPLIT, SUCCEEDED
from sources.faulty_server import faulty_server
from sources.github_deliveries import clock
from sources.imports import Setup
from sources.platforms import at

_needs_history = pytest.mark.skipif(not RECORDED.exists(), reason=f"not beside the project: {RECORDED}")
_Run = tuple[int, frozenset[int]]  # when it ended, and its members


def _recorded_runs(events: Iterable[Recorded]) -> dict[_Run, int]:
    """When each run began, without those that one with a higher priority interrupted."""
    starts, members, ends = {}, defaultdict(set), {}
    for event in events:
        if event["type"] == "checks_started":
            starts[event["batch_id"]] = parse_instant(event["at"])
            members[event["batch_id"]].add(event["pull_request"])
        elif event["type"] == "checks_ended" and "PRIORITY" not in event["outcome"]:
            ends[event["batch_id"]] = parse_instant(event["at"])
    return {(end, frozenset(members[batch])): starts[batch] for batch, end in ends.items()}


def _runs(events: Iterable[Event]) -> dict[_Run, int]:
    starts = {event.batch_id: event for event in events if event.type == CHECKS_STARTED}
    found = {}
    for event in events:
        if event.type == CHECKS_ENDED and event.outcome != "PR_WITH_HIGHER_PRIORITY_QUEUED":
            start = starts[event.batch_id]
            numbers = frozenset(map(int, (start.batch_pull_requests or "").split(",")))
            found[event.happened_at, numbers] = start.happened_at
    return found


@_needs_history
def test_the_runs_of_a_recorded_history_come_out_of_its_comments() -> None:
    """Members and ends of 99 % of the runs; the start of nine in ten, within half a minute.

    The others waited for checks of their own first, which the recorded history does not say.
    """
    recorded = recorded_events()
    expected = _recorded_runs(recorded)
    events = events_of(queue_of(recorded).items(since=0))
    found = _runs(events)
    shared = expected.keys() & found.keys()
    close = [run for run in shared if abs(found[run] - expected[run]) <= MINUTE // 2]

    assert len(shared) >= 0.99 * len(expected)
    assert len(found) <= 1.01 * len(expected)
    assert len(close) >= 0.9 * len(shared)
    entered = sum(event["type"] == "queue_entered" for event in recorded)
    types = [event.type for event in events]
    assert (entered, entered) == (types.count("queue_entered"), types.count("queue_left"))
    started = {event.batch_id for event in events if event.type == "bisection_started"}
    ended = {event.batch_id for event in events if event.type == "bisection_ended"}
    assert started
    assert started == ended


@_needs_history
@pytest.mark.thorough
def test_an_imported_history_has_statistics_and_a_forecast(server: LiveServer) -> None:
    """Two weeks of a large public repository, through the command's part of an import and a real server."""
    since = parse_instant("2024-07-01T00:00:00Z")
    until = since + 16 * DAY
    sessions = {
        event["session_id"]
        for event in recorded_events()
        if event["type"] == "queue_entered" and since <= parse_instant(event["at"]) < until - DAY
    }
    recorded = [event for event in recorded_events() if event.get("session_id") in sessions]
    queue = queue_of(recorded)
    queue.per_page = 25
    with faulty_server(queue) as platform, Client(server.url, TOKEN) as client:
        sink = ClientSink(client, "acme/library", "bors")
        Setup("bors", platform, sink, now=until + DAY).once(since - DAY)
        requests = len(platform.requests)
        (source,) = client.sources("acme/library").value

    period = {"start_at": format_instant(since), "end_at": format_instant(until)}
    answers = {
        name: server.http.get(f"/v1/repos/acme/library/stats/{name}", params=period)
        for name in ("queues_merged_count", "batch_size", "queues_checks_outcome_count")
    }
    asked = {"base_ref": "master", "candidate": {"settings": {"batch_size": 4}}, **period}
    forecast = server.http.post("/v1/repos/acme/library/forecast", json=asked, timeout=300)
    merged = sum(event.get("reason") == "PR_MERGED" for event in recorded)
    groups = answers["queues_merged_count"].json()["groups"]

    assert requests <= len(queue.pulls) / 25 + 4
    assert source.derived_starts == len(_recorded_runs(recorded))
    assert [200] * 3 == [answer.status_code for answer in answers.values()]
    assert merged == sum(entry["merged"] for group in groups for entry in group["stats"])
    assert 200 == forecast.status_code, forecast.text
    assert forecast.json()["trust"]["grade"] in {"good", "fair", "poor"}


def test_starts_that_were_derived_are_counted(server: LiveServer) -> None:
    """Once per run, however many members it has; a run with a commit is not counted."""
    queue = BorsQueue()
    for number in (1, 2, 3):
        queue.says(number, 0, "bors r+")
    queue.result(10, SPLIT, 1, 2, 3)
    queue.result(20, SUCCEEDED, 1)
    queue.staged(20.1, 2, 3)
    queue.result(30, SUCCEEDED, 2, 3)
    with faulty_server(queue) as platform, Client(server.url, TOKEN) as client:
        Setup("bors", platform, ClientSink(client, "acme/derived", "bors")).once()
        (source,) = client.sources("acme/derived").value

    assert (2, ()) == (source.derived_starts, source.untranslated)


def test_a_bot_with_another_name_is_named_with_the_repository() -> None:
    """Its replies are read; without the name they would be a person's."""
    queue = BorsQueue(bot="merge-helper")
    queue.says(7, 0, "bors r+")
    queue.result(9, SUCCEEDED, 7)
    with faulty_server(queue) as server:
        found = []
        for name in ("acme-orbit/lander", "acme-orbit/lander@Merge-Helper[bot]"):
            setup = Setup("bors", server, name=name)
            setup.once()
            found.append([item.kind for item in setup.sink.kept.values()])

    assert [["comment"], ["comment", "reply"]] == found


def test_a_stay_that_was_under_way_is_read_from_its_beginning() -> None:
    """And nothing before it."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.result(20, FAILED, 7)
    queue.says(7, 100, "bors r+")
    queue.says(7, 101, "bors r+")
    queue.replies(101.1, "Already running a review", 7)
    queue.result(120, SPLIT, 7)
    queue.result(200, SUCCEEDED, 7)
    (pull,) = queue.pulls.values()

    found = read_timeline(pull, clock(150), Bot())
    later = read_timeline(pull, clock(250), Bot())

    assert [f"node-7-{place}" for place in range(2, 7)] == [item.id for item in found.items]
    assert clock(20) == found.left_out_at
    assert ([], clock(200)) == later


def test_a_retry_is_read_with_the_command_that_it_repeats() -> None:
    """After a try it would be no entry."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.result(20, FAILED, 7)
    queue.says(7, 100, "bors retry")
    (pull,) = queue.pulls.values()

    found = read_timeline(pull, clock(50), Bot())

    assert ["node-7-0", "node-7-1", "node-7-2"] == [item.id for item in found.items]


def test_a_comment_is_stored_without_what_people_discuss() -> None:
    queue = BorsQueue()
    queue.says(7, 0, "My address is 1 Main Street.\r\n  bors r+\r\nbors r+\nThanks!")
    (item,) = queue.items()

    assert {"createdAt": "2026-09-14T10:00:00Z", "author": {"login": "ines"}, "body": "bors r+"} == item.body[
        "node"
    ]


def test_reviews_contain_commands_too() -> None:
    """They count when they are submitted, not when someone begins to write them."""
    queue = BorsQueue()
    queue.event(7, 0, "PullRequestReview", body="LGTM\nbors r+", author={"login": "ines"})
    queue.event(7, 1, "PullRequestReview", body=None, author=None)
    queue.event(8, 0, "PullRequestReview", body="bors r+", author={"login": "ines"}, submittedAt=at(20))

    found = [(event.type, event.happened_at) for event in events_of(queue.items())]
    assert [("queue_entered", clock(0)), ("queue_entered", clock(20))] == found


def test_the_base_branch_is_the_one_at_that_time() -> None:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.result(10, FAILED, 7)
    queue.event(7, 20, "BaseRefChangedEvent", previousRefName="release/2.x", currentRefName="main")
    queue.says(7, 30, "bors r+")

    entered = [event.base_ref for event in events_of(queue.items()) if event.type == "queue_entered"]
    assert ["release/2.x", "main"] == entered


def test_comments_are_read_with_few_requests() -> None:
    """One for 25 pull requests, one to identify the repository, and one for comments on lines of code."""
    queue = BorsQueue(per_page=25)
    for number in range(1, 101):
        queue.says(number, number, "bors r+")
        queue.result(number + 0.5, SUCCEEDED, number)
    with faulty_server(queue) as server:
        setup = Setup("bors", server, now=clock(0) + 3 * HOUR)
        setup.once()

        assert 2 + 4 == len(server.requests)


def test_a_long_timeline_is_read_back_to_the_window() -> None:
    """GitHub lists 100 entries of a timeline at once; here it lists 3."""
    queue = BorsQueue(timeline_page=3)
    for stay in range(10):
        queue.says(1, stay * 2000, "bors r+")
        queue.result(stay * 2000 + 50, SUCCEEDED, 1)
    with faulty_server(queue) as server:
        setup = Setup("bors", server, now=clock(20_000))
        setup.once(clock(10_000) - SECOND)

        assert [f"node-1-{place}" for place in range(10, 20)] == sorted(setup.sink.kept)


def _imported(queue: BorsQueue, name: str = "acme-orbit/lander") -> list[str]:
    """When pull requests entered, by what an import reads."""
    with faulty_server(queue) as server:
        setup = Setup("bors", server, name=name)
        setup.once()
    events = [event for event in events_of(setup.sink.kept.values()) if event.type == "queue_entered"]
    return [f"#{event.pull_request} {format_instant(event.happened_at)[11:16]}" for event in events]


def test_comments_on_lines_of_code_contain_commands_too() -> None:
    """They count when their review is submitted; GitHub lists them apart from timelines."""
    queue = BorsQueue(per_page=2)
    queue.event(7, 20, "PullRequestReview", databaseId=51, body="", submittedAt=at(20))
    queue.result(30, SUCCEEDED, 7)
    queue.says_inline(7, 5, "Well done.\nbors r+", review=51)
    queue.event(8, 6, "PullRequestReview", databaseId=52, body="", submittedAt=at(6))
    queue.says_inline(8, 6, "bors r+", review=53)
    queue.says_inline(8, 7, "Please write bors r+ here.")
    for minutes in range(10, 15):
        queue.says_inline(9, minutes, "Why?")
    queue.says(9, 15, "Because.")

    assert ["#7 10:20", "#8 10:06"] == _imported(queue)


def test_only_recent_comments_on_lines_of_code_are_read() -> None:
    """GitHub lists those of all pull requests, newest first."""
    queue = BorsQueue(per_page=2)
    queue.says(7, 0, "bors r+")
    for day in range(100):
        queue.says_inline(7, -day * 24 * 60, "Why?")
    with faulty_server(queue) as server:
        Setup("bors", server).once(clock(0) - DAY)

        assert 3 == sum(request.path.endswith("/pulls/comments") for request in server.requests)


def test_the_description_contains_commands_too() -> None:
    """Bors reads it when the pull request is opened: what was edited later does not count."""
    queue = BorsQueue()
    queue.result(30, SUCCEEDED, 7)
    queue.describes(7, 3, "A small change.\n\nbors r+")
    queue.says(8, 9, "Hello.")
    queue.describes(8, 4, "bors r+", edited=8)
    queue.says(9, 12, "bors r+")
    queue.describes(9, -60 * 24 * 30, "bors r+")

    assert ["#7 10:03", "#9 10:12"] == _imported(queue)


def test_an_old_description_is_read_by_an_import_that_reaches_back_to_it() -> None:
    queue = BorsQueue()
    queue.result(-60 * 24 * 30 + 20, FAILED, 7)
    queue.describes(7, -60 * 24 * 30, "bors r+")
    queue.says(7, 0, "bors r+")
    with faulty_server(queue) as server:
        setup = Setup("bors", server)
        setup.once(clock(0) - DAY)
        few = len(setup.sink.kept)
        setup.once(clock(0) - 40 * DAY)

    entered = [event for event in events_of(setup.sink.kept.values()) if event.type == "queue_entered"]
    assert (1, 2) == (few, len(entered))


def test_a_bot_that_listens_to_another_word_is_named_with_it() -> None:
    """The word stands after the repository; other words are no commands then."""
    queue = BorsQueue(bot="merge-helper")
    queue.says(7, 0, "MergeBot: r+ p=5")
    queue.says(8, 1, "bors r+")
    queue.result(9, SUCCEEDED, 7)

    assert ["#8 10:01"] == _imported(queue)
    assert ["#7 10:00"] == _imported(queue, "acme-orbit/lander@merge-helper:mergebot")
    assert ["#7 10:00"] == _imported(queue, "acme-orbit/lander:mergebot")
