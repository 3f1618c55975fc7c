"""The state of the sources of many repositories, in few numbers: for metrics."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mergecast.incoming.intake.overview import held_leases
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.delivery import following_name
from mergecast.queues.model.instant import SECOND
from mergecast.queues.model.repository_names import plain_name
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository, Lease


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
