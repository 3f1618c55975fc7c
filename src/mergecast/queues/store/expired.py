"""Leaves out what arrives again although it was deleted because of its age, and counts it."""

from collections import Counter
from collections.abc import Mapping, Sequence

from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.ci_run import placed_at
from mergecast.queues.model.connected import connected
from mergecast.queues.store.ci.memory import run_name
from mergecast.queues.store.held_repository import HeldRepository, SubjectName, named, subject_keys
from mergecast.queues.store.rows import ExpiredRow
from mergecast.queues.store.stored_rows import stored_rows

SENT = "api"  # how it arrived; imports and webhooks have their own names
# Whoever may send events can invent any number of sources.
_MOST_SOURCES = 200
_OTHER = "other"


def expired_before(kept_since: int | None, keep_from: int | None) -> int | None:
    """Before which instant something is too old; None if nothing is.

    `keep_from` follows from the present setting. If that keeps more than before, an import can bring back
    what was deleted. A clock that is ahead makes nothing too old that is not deleted yet.
    """
    return None if kept_since is None or keep_from is None else min(kept_since, keep_from)


def find_expired(held: HeldRepository, sent: Sequence[AnyEvent], keep_from: int | None) -> frozenset[int]:
    """The places of events that are too old, and not connected with anything that is stored or newer."""
    limit = expired_before(held.state.kept_since, keep_from)
    if limit is None or all(_at(event) >= limit for event in sent):
        return frozenset()
    names = [_names(event) for event in sent]
    groups = [places for places in connected(names) if all(_at(sent[place]) < limit for place in places)]
    asked = {name for places in groups for place in places for name in names[place]}
    stored = held.subject_numbers(subject_keys(held.state.id, asked))
    return frozenset(
        place
        for places in groups
        if not any(name in stored for one in places for name in names[one])
        for place in places
    )


def _at(event: AnyEvent) -> int:
    return placed_at(event) if isinstance(event, CiCheckReport) else event.happened_at


def _names(event: AnyEvent) -> list[SubjectName]:
    if isinstance(event, CiCheckReport):
        return [run_name(event)]
    return [name for name in named(event)[1:] if name is not None]


def count_expired(held: HeldRepository, times: Mapping[tuple[str, str], int]) -> None:
    """Add to the counts of sources and of how they delivered."""
    known = {row.source for row in stored_rows(held.rows, ExpiredRow)}
    counts: Counter[tuple[str, str]] = Counter()
    for (source, kind), more in times.items():
        counts[source if source in known or len(known) < _MOST_SOURCES else _OTHER, kind] += more
        known.add(source)
    held.insert(
        [
            ExpiredRow(held.state.id, source, kind, more)
            for (source, kind), more in counts.items()
            if not held.change_rows("add_to_expired", source, kind, more)
        ]
    )
    held.save(held.state)
