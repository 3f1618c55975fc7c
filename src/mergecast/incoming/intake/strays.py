"""Gives threads the stray deliveries about their commits that arrived before these commits were known."""

from collections import defaultdict
from collections.abc import Mapping

from mergecast.incoming.intake.loading import LoadedThread
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.translation import MOST_DELIVERIES
from mergecast.queues.store.field_packing import MOST_FIELD_BYTES, unpack_short_fields
from mergecast.queues.store.held_repository import HeldRepository, subject_keys, thread_name


def take_strays(held: HeldRepository, threads: Mapping[int, LoadedThread]) -> None:
    """Move strays to the threads that own their commits; what arrives later finds its thread at once."""
    places = {
        (thread.row.source, place) for thread in threads.values() for place in thread.standing.strays_in
    }
    sources = {thread_name(source, place): source for source, place in sorted(places)}
    stored = held.subject_numbers(subject_keys(held.state.id, sources)) if sources else {}
    if not stored:
        return
    source_of = {number: sources[name] for name, number in stored.items()}
    owners = {
        (thread.row.source, name): number
        for number, thread in sorted(threads.items(), reverse=True)
        for name in thread.standing.owns
    }
    moved: defaultdict[int, list[int]] = defaultdict(list)
    for delivery, number, happened_at, _, packed in held.rows(
        "deliveries_of_threads", list(source_of), MOST_DELIVERIES, MOST_FIELD_BYTES
    ):
        source, fields = source_of[number], unpack_short_fields(packed)
        if fields is None:
            continue
        commit_of_stray = SOURCES[source].translator().rules.commit_of_stray
        owner = owners.get((source, commit_of_stray(fields))) if commit_of_stray else None
        if owner is not None:
            moved[owner].append(delivery)
            threads[owner].add(fields, happened_at)
    for owner, deliveries in moved.items():
        held.change_rows("move_deliveries", deliveries, owner)
        threads[owner].find_standing()
