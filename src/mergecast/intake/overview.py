"""What is known about the sources of a repository."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from mergecast.model.delivery import IMPORT, following_name
from mergecast.model.instant import format_instant
from mergecast.model.repository import Repository
from mergecast.model.repository_names import plain_name
from mergecast.model.seconds import in_seconds
from mergecast.sources.registry import SOURCES
from mergecast.stats.answer import DateTime
from mergecast.store.delivery_rows import CursorRow, SkippedRow, SourceRow
from mergecast.store.store import Reader, Store
from mergecast.store.values import KnownRepository, Lease


class UntranslatedCount(Struct, frozen=True):
    reason: str
    count: int
    last_at: DateTime


class NotKeptCount(Struct, frozen=True):
    """Deliveries of this event and action that did not concern a queue; the action may be empty."""

    event: str
    action: str
    count: int


class Following(Struct, frozen=True):
    """Which server follows the source, and the state of following."""

    by: str
    next_at: DateTime | None
    behind_seconds: float | None
    error: str | None


class SourceOverview(Struct, frozen=True):
    """Events, and what was not translated or not kept, are counted per source, however it was delivered."""

    source: str
    kind: str
    first_at: DateTime | None
    last_at: DateTime | None
    deliveries: int
    events: int
    untranslated: tuple[UntranslatedCount, ...]
    not_kept: tuple[NotKeptCount, ...]
    following: Following | None


class _Stored(NamedTuple):
    counts: list[SourceRow]
    events: Mapping[str, int]
    untranslated: list[tuple[str, UntranslatedCount]]
    not_kept: list[SkippedRow]
    reached: Mapping[str, int | None]


async def source_overviews(
    store: Store, name: Repository, known: KnownRepository | None, now: int
) -> list[SourceOverview]:
    """One per source and way of delivery; also of a followed source that has delivered nothing yet."""
    stored, names = _Stored([], {}, [], [], {}), [str(name)]
    if known is not None:
        stored = await store.read(known.id, partial(_stored, known=known))
        names += map(plain_name, known.former_names or ())  # a server may follow it by any of them
    leases = {lease.name: lease for lease in await store.leases() if lease.until > now}
    followed = {
        source: lease
        for source in SOURCES
        for name in names
        if (lease := leases.get(following_name(source, name))) is not None
    }
    counts = {(row.source, row.kind): row for row in stored.counts}
    keys = sorted({*counts, *((source, IMPORT) for source in followed)})
    return [_overview(key, counts.get(key), stored, followed, now) for key in keys]


def _stored(reader: Reader, known: KnownRepository) -> _Stored:
    cursors = [CursorRow(*row) for row in reader.rows("cursors", [known.id])]
    return _Stored(
        [SourceRow(*row) for row in reader.rows("sources", [known.id])],
        dict(reader.rows("derived_events_of_sources", [known.id])),
        [
            (source, UntranslatedCount(reason, int(count), format_instant(last_at)))
            for source, reason, count, last_at in reader.rows("untranslated", [known.id])
        ],
        [SkippedRow(*row) for row in reader.rows("skipped_deliveries", [known.id])],
        {cursor.source: cursor.reached for cursor in cursors},
    )


def _overview(
    key: tuple[str, str], row: SourceRow | None, stored: _Stored, followed: Mapping[str, Lease], now: int
) -> SourceOverview:
    source, kind = key
    lease = followed.get(source) if kind == IMPORT else None
    return SourceOverview(
        source,
        kind,
        None if row is None else format_instant(row.first_at),
        None if row is None else format_instant(row.last_at),
        0 if row is None else row.deliveries,
        stored.events.get(source, 0),
        tuple(count for name, count in stored.untranslated if name == source),
        tuple(
            NotKeptCount(one.event, one.action, one.times) for one in stored.not_kept if one.source == source
        ),
        None if lease is None else _following(lease, stored.reached.get(source), now),
    )


def _following(lease: Lease, reached: int | None, now: int) -> Following:
    return Following(
        lease.holder,
        None if lease.next_at is None else format_instant(lease.next_at),
        None if reached is None else in_seconds(max(0, now - reached)),
        lease.error,
    )
