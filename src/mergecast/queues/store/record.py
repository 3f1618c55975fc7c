"""Stores deliveries of clients: events about queues and reports about CI checks, all or none of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.errors import Conflict, FieldError
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.store.add_events import Recording
from mergecast.queues.store.ci.add import CiRecording
from mergecast.queues.store.expired import SENT, count_expired, find_expired
from mergecast.queues.store.held_repository import HeldRepository, NamedEvent, named
from mergecast.queues.store.unless_renamed import unless_renamed
from mergecast.queues.store.values import Receipt, Sent


class _Delivery(NamedTuple):
    """The two parts of a delivery, and the place that each event had in it; without what is too old."""

    events: Sequence[NamedEvent]
    places: Sequence[int]
    reports: Sequence[tuple[int, CiCheckReport]]
    expired: Sequence[str] = ()  # the source of each event that is too old


def record(held: HeldRepository, deliveries: Sequence[Sent]) -> list[Receipt | Conflict]:
    """Store the new events; returns the result of each delivery.

    A delivery that contradicts what is stored, or an earlier delivery of this call, is left out whole.
    """
    ids = [delivery.repository_id for delivery in deliveries]
    return unless_renamed(held, deliveries, ids, _record)


def _record(held: HeldRepository, deliveries: Sequence[Sent]) -> list[Receipt | Conflict]:
    split = [_split(held, delivery) for delivery in deliveries]
    held.give_way()
    events = Recording(held, [delivery.events for delivery in split])
    checks = CiRecording(held, [report for delivery in split for _, report in delivery.reports])
    results = [_add(delivery, events, checks) for delivery in split]
    held.give_way()
    events.write()
    checks.write()
    if expired := Counter((source, SENT) for delivery in split for source in delivery.expired):
        count_expired(held, expired)
    return results


def _split(held: HeldRepository, sent: Sent) -> _Delivery:
    delivery = sent.events
    expired = find_expired(held, delivery, sent.keep_from)
    if not expired and CiCheckReport not in set(map(type, delivery)):  # much faster than looking at each
        return _Delivery([named(event) for event in delivery if isinstance(event, Event)], (), ())
    kept = [(place, event) for place, event in enumerate(delivery) if place not in expired]
    own = [(place, event) for place, event in kept if isinstance(event, Event)]
    reports = [(place, event) for place, event in kept if isinstance(event, CiCheckReport)]
    sources = [delivery[place].source for place in expired]
    return _Delivery([named(event) for _, event in own], [place for place, _ in own], reports, sources)


def _add(delivery: _Delivery, events: Recording, checks: CiRecording) -> Receipt | Conflict:
    if errors := checks.errors(delivery.reports):
        return Conflict(errors)
    result = events.add(delivery.events)
    if isinstance(result, Conflict):
        return Conflict([_moved(error, delivery.places) for error in result.errors], result.more)
    more = checks.add(delivery.reports)
    stored, duplicates = result.stored + more.stored, result.duplicates + more.duplicates
    return Receipt(stored, duplicates, len(delivery.expired))


def _moved(error: FieldError, places: Sequence[int]) -> FieldError:
    """The error with the place that its event had in the whole delivery."""
    if not places:
        return error
    _, place, *field = error.name.split("/")
    return replace(error, name="/".join(["", str(places[int(place)]), *field]))
