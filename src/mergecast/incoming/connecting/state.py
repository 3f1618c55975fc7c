"""How far the import of a source has got, and how it goes."""

from msgspec import Struct

from mergecast.incoming.intake.follower import SINCE
from mergecast.incoming.intake.importing.importer import read_state
from mergecast.incoming.intake.overview import source_overviews
from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.sources import ImportProgress, SourceState
from mergecast.queues.model.delivery import following_name
from mergecast.queues.model.instant import HOUR, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import Lease


class SourceProgress(Struct, frozen=True):
    progress: ImportProgress | None  # None once everything is read
    events: int
    last_delivery_at: DateTime | None
    lease: Lease | None

    def state(self, *, is_paused: bool) -> SourceState:
        if is_paused:
            return "paused"
        if self.lease is None:
            return "waiting"
        if self.lease.error is not None:
            return "failing"
        return "current" if self.progress is None else "importing"


async def source_progress(
    store: Store, source: str, here: Repository, leases: dict[str, Lease], now: int
) -> SourceProgress:
    known = await store.repository(here) or await store.repository_formerly_named(here)
    position = None if known is None else (await store.cursor(known, source)).position
    overviews = await source_overviews(store, here, known, now)
    own = [one for one in overviews if one.source == source]
    return SourceProgress(
        import_progress(position, now),
        max((one.events for one in own), default=0),
        max((one.last_at for one in own if one.last_at is not None), default=None),
        leases.get(following_name(source, here)),
    )


def import_progress(position: str | None, now: int) -> ImportProgress | None:
    """What the stored position of an import says.

    A poll begins a part of a few minutes, which it reads at once: that is no import.
    """
    parts = read_state(position).parts
    start = min((part.window.start for part in parts), default=now - SINCE)
    end = max((part.window.end for part in parts), default=now)
    unread = [part for part in parts if not part.is_read and part.window.end - part.window.start > HOUR]
    if parts and not unread:
        return None
    left = sum(part.read_until - part.window.start for part in unread) if parts else end - start
    share = min(1.0, max(0.0, 1 - left / max(1, end - start)))
    reached = unread[0].read_until if unread else end
    return ImportProgress(
        format_instant(start), format_instant(end), format_instant(reached), round(share, 4)
    )
