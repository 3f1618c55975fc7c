"""What is known about the sources of a repository."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import UNSET

from mergecast.incoming.intake.outdated import current_version
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.answers.sources import (
    Following,
    NotKeptCount,
    PolledSource,
    SourceOverview,
    Span,
    Translating,
    UntranslatedCount,
)
from mergecast.queues.model.delivery import IMPORT, LONGEST_LEASE_SECONDS, WEBHOOK, following_name
from mergecast.queues.model.instant import SECOND, format_instant, format_optional, is_ahead
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import plain_name
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import CursorRow, ExpiredRow, SkippedRow, SourceRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository, Lease

_NO_QUEUE = (
    "the webhook has delivered nothing about a merge queue; if pull requests have been queued since it was "
    "created, select the events Merge groups and Pull requests in its settings on GitHub"
)


class _Events(NamedTuple):
    events: int = 0
    first_at: int | None = None
    last_at: int | None = None
    derived_starts: int = 0


class _Stored(NamedTuple):
    counts: list[SourceRow]
    events: Mapping[str, _Events]
    untranslated: list[tuple[str, UntranslatedCount]]
    not_kept: list[SkippedRow]
    reached: Mapping[str, int | None]
    translating: Mapping[str, Translating]
    expired: Mapping[tuple[str, str], int]


async def source_overviews(
    store: Store, name: Repository, known: KnownRepository | None, now: int
) -> list[SourceOverview]:
    """One per source and way of delivery; also of a followed source that has delivered nothing yet."""
    stored, names = _Stored([], {}, [], [], {}, {}, {}), [str(name)]
    if known is not None:
        stored = await store.read(known.id, partial(_stored, known=known))
        names += map(plain_name, known.former_names or ())  # a server may follow it by any of them
    leases = await held_leases(store, now)
    followed = {
        source: lease
        for source in SOURCES
        for name in names
        if (lease := leases.get(following_name(source, name))) is not None
    }
    counts = {(row.source, row.kind): row for row in stored.counts}
    keys = sorted(
        {*counts, *((source, IMPORT) for source in followed), *_only_counted(stored), *stored.expired}
    )
    return [_overview(key, counts.get(key), stored, followed, now) for key in keys]


async def held_leases(store: Store, now: int) -> dict[str, Lease]:
    """The leases that are not over, by name."""
    leases, shared_now = await store.leases(), await store.shared_now(now)
    longest = LONGEST_LEASE_SECONDS * SECOND
    return {lease.name: lease for lease in leases if is_ahead(lease.until, shared_now, longest)}


async def polled_sources(store: Store, known: KnownRepository, now: int) -> tuple[PolledSource, ...]:
    """The sources that a server follows, without those that also send webhooks."""
    followed = _followed(known, await held_leases(store, now))
    if not followed:
        return ()
    reached, sending = await store.read(known.id, partial(_reached, repository_id=known.id))
    return tuple(
        PolledSource(
            source,
            SOURCES[source].title,
            format_optional(reached.get(source)),
            format_optional(lease.next_at),
        )
        for source, lease in followed
        if source not in sending
    )


def _reached(reader: Reader, repository_id: int) -> tuple[dict[str, int | None], set[str]]:
    """Up to when each source was read, and which sources send webhooks."""
    rows = read_rows(reader, repository_id, SourceRow)
    reached = {cursor.source: cursor.reached for cursor in read_rows(reader, repository_id, CursorRow)}
    return reached, {row.source for row in rows if row.kind == WEBHOOK}


def _stored(reader: Reader, known: KnownRepository) -> _Stored:
    cursors = read_rows(reader, known.id, CursorRow)
    counts = read_rows(reader, known.id, SourceRow)
    return _Stored(
        counts,
        {source: _Events(*row) for source, *row in reader.rows("derived_events_of_sources", [known.id])},
        [
            (source, UntranslatedCount(reason, int(count), format_instant(last_at)))
            for source, reason, count, last_at in reader.rows("untranslated", [known.id])
        ],
        sorted(read_rows(reader, known.id, SkippedRow)),
        {cursor.source: cursor.reached for cursor in cursors},
        _translating(reader, known.id, {row.source for row in counts}),
        {(row.source, row.kind): row.times for row in read_rows(reader, known.id, ExpiredRow)},
    )


def _translating(reader: Reader, repository_id: int, sources: set[str]) -> dict[str, Translating]:
    """The sources whose threads are being translated again."""
    found = {}
    for source in sources & SOURCES.keys():
        asked = [repository_id, source, current_version(source)]
        ((threads, outdated),) = reader.rows("translated_threads", asked)
        if outdated:
            found[source] = Translating(threads, threads - outdated)
    return found


def _only_counted(stored: _Stored) -> set[tuple[str, str]]:
    """The sources of which nothing was kept. Those without a cursor were not imported."""
    kept = {row.source for row in stored.counts}
    sources = {row.source for row in stored.not_kept} - kept
    return {(source, IMPORT if source in stored.reached else WEBHOOK) for source in sources}


def _overview(
    key: tuple[str, str], row: SourceRow | None, stored: _Stored, followed: Mapping[str, Lease], now: int
) -> SourceOverview:
    source, kind = key
    lease = followed.get(source) if kind == IMPORT else None
    events = stored.events.get(source, _Events())
    return SourceOverview(
        source,
        kind,
        None if row is None else format_instant(row.first_at),
        None if row is None else format_instant(row.last_at),
        _span(events),
        0 if row is None else row.deliveries,
        events.events,
        events.derived_starts,
        tuple(count for name, count in stored.untranslated if name == source),
        tuple(
            NotKeptCount(skipped.event, skipped.action, skipped.times)
            for skipped in stored.not_kept
            if skipped.source == source
        ),
        None if lease is None else _following(lease, stored.reached.get(source), now),
        _NO_QUEUE if kind == WEBHOOK and row is None else None,
        stored.translating.get(source),
        stored.expired.get(key, UNSET),
    )


def _span(events: _Events) -> Span | None:
    if events.first_at is None or events.last_at is None:
        return None
    return Span(format_instant(events.first_at), format_instant(events.last_at))


def _following(lease: Lease, reached: int | None, now: int) -> Following:
    return Following(
        lease.holder,
        format_optional(lease.next_at),
        None if reached is None else in_seconds(max(0, now - reached)),
        lease.error,
    )


class SourceState(NamedTuple):
    source: str
    age_seconds: float | None  # since the last delivery, or since it was last read to its end; None: never
    untranslated: int
    has_problem: bool  # following fails, or nothing that was delivered concerned a queue


async def source_states(
    store: Store, repositories: Sequence[KnownRepository], now: int
) -> dict[int, list[SourceState]]:
    """The sources of each repository, by its id; also a followed source that has delivered nothing yet."""
    ids = [known.id for known in repositories]
    rows = await store.read(None, lambda reader: reader.rows("source_states", [ids]))
    stored = {(id, source): (at, int(count)) for id, source, at, count in rows}
    leases = await held_leases(store, now)
    followed = {
        (known.id, source): lease for known in repositories for source, lease in _followed(known, leases)
    }
    states: dict[int, list[SourceState]] = {}
    for key in sorted({*stored, *followed}):
        at, untranslated = stored.get(key, (None, 0))
        age = None if at is None else max(0, now - at) / SECOND
        lease = followed.get(key)
        has_problem = at is None if lease is None else lease.error is not None
        states.setdefault(key[0], []).append(SourceState(key[1], age, untranslated, has_problem))
    return states


def _followed(known: KnownRepository, leases: Mapping[str, Lease]) -> list[tuple[str, Lease]]:
    """The sources of a repository that a server follows, by its name or a former one."""
    if not leases:
        return []
    names = [str(known.repository), *map(plain_name, known.former_names or ())]
    return [
        (source, lease)
        for source in SOURCES
        for name in names
        if (lease := leases.get(following_name(source, name))) is not None
    ]
