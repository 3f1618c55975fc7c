"""Deliveries of a story → its events, without a store."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from mergecast.incoming.sources.github.groups import merge_groups
from mergecast.incoming.sources.github.history_items import read_history_item
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import with_server_clock_corrected
from mergecast.incoming.sources.github.stays.sequence import github_stays
from mergecast.incoming.sources.github.surroundings import (
    GroupFate,
    Surroundings,
    fates_of_groups,
    surroundings_of,
)
from mergecast.incoming.sources.github.threads import by_base, placed
from mergecast.incoming.sources.github.translate import translate
from mergecast.incoming.sources.github.webhook import read_webhook
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import format_instant
from sources.github_deliveries import Delivery

_TIMELINE_ITEMS = {
    "enqueued": "AddedToMergeQueueEvent",
    "dequeued": "RemovedFromMergeQueueEvent",
    "closed": "ClosedEvent",
}
_NOTHING_AROUND = Surroundings()
_TIMELINE_REASONS = {"MERGE": "merged", "CI_FAILURE": "failed_checks"}


def events_of(deliveries: Iterable[Delivery]) -> list[Event]:
    """The events of all threads, in a fixed order."""
    return events_in(observations_of(deliveries))


def observations_of(deliveries: Iterable[Delivery]) -> list[Observation]:
    return [
        observation
        for delivery in {delivery.id: delivery for delivery in deliveries}.values()
        for observation in read_webhook(
            delivery.event, delivery.id, delivery.body, delivery.received_at
        ).observations
    ]


def timelines_of(deliveries: Iterable[Delivery], imported_at: int) -> list[Observation]:
    """What the timelines of the pull requests say after these webhooks were sent."""
    found: list[Observation] = []
    for delivery in deliveries:
        payload = json.loads(delivery.body)
        pull, reason = payload.get("pull_request"), payload.get("reason", "")
        if pull is None or payload["action"] == "synchronize":
            continue
        merger = pull.get("merged_by")
        kind = "MergedEvent" if merger else _TIMELINE_ITEMS[payload["action"]]
        reason = _TIMELINE_REASONS.get(reason, reason.lower())
        node = {"__typename": kind, "createdAt": pull["updated_at"], "reason": reason, "actor": merger}
        item = {
            "number": pull["number"], "base_ref": pull["base"]["ref"], "node": node,
            "pull_sha": pull["head"]["sha"],
        }  # fmt: skip
        found += read_history_item("timeline", f"node {delivery.id}", item, imported_at)
    return found


def events_in(seen: Iterable[Observation]) -> list[Event]:
    """Each pull request is explained by all others, and by all pushes to its base branch."""
    threads: defaultdict[int, list[Observation]] = defaultdict(list)
    pushes: defaultdict[str, list[int]] = defaultdict(list)
    for one in placed(list(seen)):
        if one.number is not None:
            threads[one.number].append(one)
        elif one.seen is Seen.BASE_PUSHED and not one.is_by_queue:
            pushes[one.base_ref].append(one.instant)
    bases = {
        number: by_base(with_server_clock_corrected(observations)) for number, observations in threads.items()
    }
    events: list[Event] = []
    for base_ref, number in sorted((base_ref, number) for number, own in bases.items() for base_ref in own):
        others = [of.get(base_ref, []) for other, of in bases.items() if number != other]
        around = _surroundings(others, pushes[base_ref])
        events += events_of_pull_request(base_ref, number, bases[number][base_ref], around)
    return events


def events_of_pull_request(
    base_ref: str, number: int, observations: Sequence[Observation], around: Surroundings = _NOTHING_AROUND
) -> tuple[Event, ...]:
    """The events that follow from these observations, all of which are about one pull request."""
    stays = github_stays(observations, merge_groups(observations))
    return translate(base_ref, number, stays, around).events


def _surroundings(others: Iterable[Sequence[Observation]], pushes: Sequence[int]) -> Surroundings:
    fates: dict[str, GroupFate] = {}
    for observations in others:
        fates |= fates_of_groups(github_stays(observations, merge_groups(observations)))
    return surroundings_of(fates, pushes)


def as_line(event: Event) -> str:
    """An event as a person reads it.

    Commits are shortened; what an event does not have is left out.
    """
    parts = (
        format_instant(event.happened_at)[11:19],
        f"{event.base_ref}#{event.pull_request}",
        event.type,
        (event.batch_id or "")[:7],
        f"attempt {event.attempt}" if event.attempt else "",
        f"of {event.batch_pull_requests}" if event.batch_pull_requests else "",
        event.reason or event.outcome or "",
    )
    return "  ".join(part for part in parts if part)
