"""Stories told by signed webhooks over a real socket, and what is known of them afterwards."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

import pytest

from api.signed_webhooks import post_webhook
from live_server import LiveServer, live_server
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.queues.model.instant import SECOND, format_instant
from sources.github_deliveries import Delivery, Story, clock
from sources.github_stories import statuses_that_list_branches_of_others
from sources.github_translation import as_line, events_of
from waiting import wait_for

_SECRET = remember("a secret for stories")
_numbers = count(1)


class _Clock:
    """The server's clock: a delivery arrives at the instant that its story gives."""

    now = clock(0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    secrets = (WebhookSecret(_SECRET.encode()),)
    folder = tmp_path_factory.mktemp("data")
    with live_server(folder, webhook_secrets=secrets, now=lambda: _Clock.now) as live:
        yield live


def _tell(server: LiveServer, deliveries: Sequence[Delivery]) -> str:
    """Sends the deliveries for a new repository, in this order; returns its name."""
    number = next(_numbers)
    for sent in deliveries:
        _Clock.now = sent.received_at
        payload = json.loads(sent.body)
        payload["repository"] |= {"id": 800_000 + number, "full_name": f"acme/story-{number}"}
        answer = post_webhook(server, sent.event, payload, _SECRET, sent.id)
        assert 202 == answer.status_code, answer.text
    _Clock.now = clock(60)
    return f"acme/story-{number}"


def _events(server: LiveServer, name: str) -> list[Any]:
    answer = server.http.get(f"/v1/repos/{name}/events")
    return [json.loads(line) for line in answer.text.splitlines()] if answer.is_success else []


def _untranslated(server: LiveServer, name: str) -> list[tuple[str, int]]:
    sources = server.http.get(f"/v1/repos/{name}/sources").json()["sources"]
    return [(one["reason"], one["count"]) for source in sources for one in source["untranslated"]]


def _backwards(told: Sequence[Delivery]) -> list[Delivery]:
    return [one._replace(received_at=clock(30)) for one in reversed(told)]


@pytest.mark.parametrize("arrive", [list, _backwards])
def test_a_status_belongs_to_the_group_with_its_commit(
    server: LiveServer, arrive: Callable[[Sequence[Delivery]], list[Delivery]]
) -> None:
    """Whichever branches it lists, and also if it arrives before anything else about the group."""
    name = _tell(server, arrive(statuses_that_list_branches_of_others().deliveries))

    ends = ((1, 9, "SUCCESS"), (2, 11, "SUCCESS"), (3, 13, "CHECKS_FAILED"))

    def found() -> tuple[list[tuple[int, str, str]], int]:
        events = _events(server, name)
        ended = [event for event in events if event["type"] == "checks_ended"]
        return sorted((event["pull_request"], event["at"], event["outcome"]) for event in ended), len(events)

    # Each enters, starts CI, ends it, and leaves; and its status is a CI check.
    expected = [(number, format_instant(clock(minutes)), outcome) for number, minutes, outcome in ends]
    wait_for((expected, 5 * len(ends)), found)


def test_a_status_of_no_group_is_not_kept(server: LiveServer) -> None:
    """It may have arrived before its group, but nothing is listed because of it."""
    story = Story()
    story.status(0, 1, "of a fork", "success", 1, branches=[])
    story.status(1, 1, "of a branch", "success", 2, branches=[("feature", "of a branch")])

    name = _tell(server, story.deliveries)

    assert [] == _events(server, name)
    listed = server.http.get("/v1/repos").json()["repositories"]
    assert name not in [f"{one['owner']}/{one['repository']}" for one in listed]


@pytest.mark.parametrize("late", [(45, 1), (75, 1), (90, 30), (300, 200)], ids=str)
def test_an_entry_is_not_later_than_its_first_group(server: LiveServer, late: tuple[int, int]) -> None:
    """Deliveries are late, and the pull request did not change when it entered the queue.

    When it last changed, hours ago, says nothing.
    """
    story = Story()
    story.enqueued(0, 1)
    story.group(0.2, 1, "one")
    entered, group = story.deliveries
    payload = json.loads(entered.body)
    payload["pull_request"]["updated_at"] = format_instant(clock(-300))
    received = [
        entered._replace(body=json.dumps(payload).encode(), received_at=clock(0) + late[0] * SECOND),
        group._replace(received_at=clock(0.2) + late[1] * SECOND),
    ]

    name = _tell(server, received)

    built_at = format_instant(clock(0.2))
    wait_for(
        [("queue_entered", built_at), ("checks_started", built_at)],
        lambda: [(event["type"], event["at"]) for event in _events(server, name)],
    )


def test_a_reason_that_this_version_does_not_know_is_listed(server: LiveServer) -> None:
    """Once, however often GitHub reports the exit; a reason that GitHub does not give is none."""
    story = Story()
    for number, reason in ((1, "SOLAR_FLARE"), (2, "UNKNOWN_REMOVAL_REASON"), (3, ""), (4, "x" * 500)):
        story.enqueued(0, number)
        story.dequeued(5, number, reason)
    story.destroyed(5, 1, "one", "dequeued")

    name = _tell(server, story.deliveries)

    expected = [("unknown reason: SOLAR_FLARE", 1), (f"unknown reason: {'x' * 60}", 1)]
    wait_for(expected, lambda: sorted(_untranslated(server, name)))
    wait_for(
        ["UNKNOWN"] * 4,
        lambda: [event["reason"] for event in _events(server, name) if event["type"] == "queue_left"],
    )


def test_a_base_branch_may_have_its_full_name(server: LiveServer) -> None:
    """GitHub has been seen to send `refs/heads/main` when a pull request left."""
    story, full = Story(), Story()
    for told, base in ((story, "main"), (full, "refs/heads/main")):
        told.enqueued(0, 1)
        told.group(1, 1, "one")
        told.dequeued(5, 1, "MANUAL", base)
        told.dequeued(6, 2, "CI_FAILURE", base)

    name = _tell(server, full.deliveries)

    expected = events_of(story.deliveries)
    assert [as_line(event) for event in expected] == [as_line(event) for event in events_of(full.deliveries)]
    wait_for(
        sorted((event.id, "main") for event in expected),
        lambda: sorted((event["id"], event["base_ref"]) for event in _events(server, name)),
    )
