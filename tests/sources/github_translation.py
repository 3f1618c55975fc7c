"""Deliveries of a story → its events, without a store."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mergecast.model.event import Event
from mergecast.model.instant import format_instant
from mergecast.sources.github.groups import Surroundings, merge_groups
from mergecast.sources.github.observation import Observation, Seen
from mergecast.sources.github.stays import github_stays, groups_ahead, surroundings_of
from mergecast.sources.github.translate import translate
from mergecast.sources.github.webhook import read_webhook
from sources.github_deliveries import Delivery


def events_of(deliveries: Iterable[Delivery]) -> list[Event]:
    """The events of all threads, in a fixed order."""
    return events_in(
        [
            observation
            for delivery in {delivery.id: delivery for delivery in deliveries}.values()
            for observation in read_webhook(
                delivery.event, delivery.id, delivery.body, delivery.received_at
            ).observations
        ]
    )


def events_in(seen: Iterable[Observation]) -> list[Event]:
    """Each pull request is explained by all others of its base branch, and by all pushes to it."""
    threads: defaultdict[tuple[str, int], list[Observation]] = defaultdict(list)
    pushes: defaultdict[str, list[int]] = defaultdict(list)
    for one in seen:
        if one.number is not None:
            threads[one.base_ref, one.number].append(one)
        elif one.seen is Seen.BASE_PUSHED and not one.is_by_queue:
            pushes[one.base_ref].append(one.instant)
    events: list[Event] = []
    for (base_ref, number), observations in sorted(threads.items()):
        others = [of for other, of in threads.items() if base_ref == other[0] and number != other[1]]
        around = _surroundings(others, pushes[base_ref])
        events += translate(base_ref, number, observations, around).events
    return events


def _surroundings(others: Iterable[Sequence[Observation]], pushes: Sequence[int]) -> Surroundings:
    groups: dict[str, str | None] = {}
    for observations in others:
        groups |= groups_ahead(github_stays(observations, merge_groups(observations), Surroundings()))
    return surroundings_of(groups, pushes)


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
