"""Stores deliveries of clients: events about queues and reports about CI checks, all or none of each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.errors import Conflict, FieldError
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.event import Event
from mergecast.queues.store.add_ci_checks import CiRecording
from mergecast.queues.store.add_events import Recording
from mergecast.queues.store.held_repository import HeldRepository, NamedEvent, named
from mergecast.queues.store.values import Receipt


class _Delivery(NamedTuple):
    """The two parts of a delivery, and the place that each event had in it."""

    events: Sequence[NamedEvent]
    places: Sequence[int]
    reports: Sequence[tuple[int, CiCheckReport]]


def record(held: HeldRepository, deliveries: Sequence[Sequence[AnyEvent]]) -> list[Receipt | Conflict]:
    """Store the new events; returns the result of each delivery.

    A delivery that contradicts what is stored, or an earlier delivery of this call, is left out whole.
    """
    split = [_split(delivery) for delivery in deliveries]
    held.give_way()
    events = Recording(held, [delivery.events for delivery in split])
    checks = CiRecording(held, [report for delivery in split for _, report in delivery.reports])
    results = [_add(delivery, events, checks) for delivery in split]
    held.give_way()
    events.write()
    checks.write()
    return results


def _split(delivery: Sequence[AnyEvent]) -> _Delivery:
    if CiCheckReport not in set(map(type, delivery)):  # much faster than looking at each
        return _Delivery([named(event) for event in delivery if isinstance(event, Event)], (), ())
    own = [(place, event) for place, event in enumerate(delivery) if isinstance(event, Event)]
    reports = [(place, event) for place, event in enumerate(delivery) if isinstance(event, CiCheckReport)]
    return _Delivery([named(event) for _, event in own], [place for place, _ in own], reports)


def _add(delivery: _Delivery, events: Recording, checks: CiRecording) -> Receipt | Conflict:
    if errors := checks.errors(delivery.reports):
        return Conflict(errors)
    result = events.add(delivery.events)
    if isinstance(result, Conflict):
        return Conflict([_moved(error, delivery.places) for error in result.errors], result.more)
    more = checks.add(delivery.reports)
    return Receipt(result.stored + more.stored, result.duplicates + more.duplicates)


def _moved(error: FieldError, places: Sequence[int]) -> FieldError:
    """The error with the place that its event had in the whole delivery."""
    if not places:
        return error
    _, place, *field = error.name.split("/")
    return replace(error, name="/".join(["", str(places[int(place)]), *field]))
