"""Random merge queues end in the events that they should, however their webhooks arrive."""

import json
from collections.abc import Callable, Iterable
from random import Random

import pytest

from mergecast.queues.model.event import CHECKS_STARTED, QUEUE_ENTERED, Event
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, format_instant
from sources.generated_queues import Expected, GeneratedQueue
from sources.github_deliveries import Delivery, clock, sha
from sources.github_translation import events_of

_SEEDS = range(25)
_TOLERANCE = 2 * SECOND  # a group is destroyed when the webhook is received, a second later


def _in_any_order(sent: list[Delivery], random: Random) -> list[Delivery]:
    return random.sample(sent, len(sent))


def _with_pushes_instead_of_groups(sent: list[Delivery], _: Random) -> list[Delivery]:
    """As from a webhook that is not sent merge groups."""
    return [_push(one) if one.event == "merge_group" else one for one in sent]


def _push(sent: Delivery) -> Delivery:
    payload = json.loads(sent.body)
    group, is_deleted = payload["merge_group"], payload["action"] == "destroyed"
    commits = [group["head_sha"], "0" * 40]
    before, after = commits if is_deleted else reversed(commits)
    push = {
        "ref": group["head_ref"], "before": before, "after": after, "deleted": is_deleted,
        "head_commit": None if is_deleted else group["head_commit"], "repository": payload["repository"],
    }  # fmt: skip
    return sent._replace(event="push", body=json.dumps(push).encode())


def _with_entries_that_change_nothing(sent: list[Delivery], _: Random) -> list[Delivery]:
    """GitHub does not promise that a pull request changes when it enters a queue."""
    changed_at: dict[int, str] = {}
    received = []
    for one in sent:
        payload = json.loads(one.body)
        pull = payload.get("pull_request")
        if pull is not None:
            if payload["action"] == "enqueued":
                pull["updated_at"] = changed_at.get(pull["number"], format_instant(clock(-120)))
            changed_at[pull["number"]] = pull["updated_at"]
        received.append(one._replace(body=json.dumps(payload).encode()))
    return received


def _with_entries_that_change_nothing_and_are_late(sent: list[Delivery], random: Random) -> list[Delivery]:
    """Deliveries that are late by different times do not mean that the clock of this server is wrong."""
    return [
        one._replace(received_at=one.received_at + random.randint(30, 90) * SECOND)
        for one in _with_entries_that_change_nothing(sent, random)
    ]


def _with_a_fast_clock(sent: list[Delivery], _: Random) -> list[Delivery]:
    return [one._replace(received_at=one.received_at + 3 * MINUTE) for one in sent]


def _with_a_slow_clock(sent: list[Delivery], _: Random) -> list[Delivery]:
    return [one._replace(received_at=one.received_at - 3 * MINUTE) for one in sent]


def _with_an_outage(sent: list[Delivery], random: Random) -> list[Delivery]:
    """What was sent for some time is repeated later, one per second."""
    received = [one.received_at for one in sent]
    begins, ends = sorted(random.choices(received, k=2))
    repeated_at = ends + random.randint(0, 6 * HOUR)
    return [
        one._replace(received_at=repeated_at + place * SECOND) if begins <= one.received_at <= ends else one
        for place, one in enumerate(sent)
    ]


@pytest.mark.parametrize(
    "arrive",
    [
        _in_any_order,
        _with_pushes_instead_of_groups,
        _with_entries_that_change_nothing,
        _with_entries_that_change_nothing_and_are_late,
        _with_a_fast_clock,
        _with_a_slow_clock,
        _with_an_outage,
    ],
)
def test_however_webhooks_arrive(arrive: Callable[[list[Delivery], Random], list[Delivery]]) -> None:
    """The times may differ."""
    for seed in _SEEDS:
        queue = GeneratedQueue(seed)
        received = arrive(queue.story.deliveries, Random(seed))

        assert _without_times(_expected(queue.expected)) == _without_times(_found(events_of(received))), seed


def test_the_times_of_events() -> None:
    """As exact as GitHub's dates, or the reception of its webhooks."""
    for seed in range(50):
        queue = GeneratedQueue(seed)
        expected, found = _expected(queue.expected), _found(events_of(queue.story.deliveries))

        assert _without_times(expected) == _without_times(found), seed
        late = [
            line
            for line, other in zip(expected, found, strict=True)
            if abs(line[-1] - other[-1]) > _TOLERANCE
        ]
        assert [] == late, seed


def test_no_entry_is_later_than_its_first_group() -> None:
    """Whatever the webhook says about when the pull request last changed."""
    for seed in range(50):
        sent = GeneratedQueue(seed).story.deliveries
        events = events_of(_with_entries_that_change_nothing_and_are_late(sent, Random(seed)))
        entered = {event.session_id: event.happened_at for event in events if event.type == QUEUE_ENTERED}

        started = [event for event in events if event.type == CHECKS_STARTED]
        assert [] == [one for one in started if one.happened_at < entered[one.session_id]], seed


_Line = tuple[int, str, str, str, str, int]


def _expected(events: Iterable[Expected]) -> list[_Line]:
    return sorted(
        (
            one.number,
            one.type,
            sha(one.head) if one.head else "",
            one.outcome or "",
            one.commit or "",
            clock(one.minutes),
        )
        for one in events
    )


def _found(events: Iterable[Event]) -> list[_Line]:
    return sorted(
        (
            one.pull_request or 0,
            one.type,
            one.batch_id or "",
            one.reason or one.outcome or "",
            one.head_sha or "",
            one.happened_at,
        )
        for one in events
    )


def _without_times(lines: Iterable[_Line]) -> list[tuple[int, str, str, str, str]]:
    return [line[:-1] for line in lines]
