"""Copies a store into another, of the same kind or not, and compares the two."""

from collections.abc import AsyncIterator
from functools import partial
from typing import NamedTuple

import msgspec

from mergecast.errors import MergecastError
from mergecast.intake.intake import Intake
from mergecast.model.instant import DAY
from mergecast.model.repository import Repository
from mergecast.model.window import Window, grid_for
from mergecast.stats.published import STATISTICS
from mergecast.stats.question import Question
from mergecast.store.delivery_copy import read_source_tables, write_source_tables
from mergecast.store.store import Reader, Store
from mergecast.store.values import Deliveries, KnownRepository, RecordedSnapshot

_EVENTS_PER_DELIVERY = 5_000


class Difference(MergecastError):
    """The copy does not answer as the original does."""


class Step(NamedTuple):
    """How far a copy has got with one repository."""

    repository: Repository
    events: int
    of: int


async def copy_store(source: Store, target: Store) -> AsyncIterator[Step]:
    """Copy everything that is missing. Every repository is compared once it is copied."""
    existing = await target.application_keys()
    for key in (await source.application_keys()).values():
        if key.id not in existing:
            await target.add_application_key(key)
    for known in await source.repositories():
        copied = 0
        async for page in source.export(known, is_sent=True):
            for start in range(0, len(page), _EVENTS_PER_DELIVERY):
                part = page[start : start + _EVENTS_PER_DELIVERY]
                await target.record(known.repository, part)
                copied += len(part)
                yield Step(known.repository, copied, known.events)
        await _copy_rest(source, target, known)
        await _copy_deliveries(source, target, known)
        await _compare(source, target, known)
        yield Step(known.repository, known.events, known.events)


async def _copy_rest(source: Store, target: Store, known: KnownRepository) -> None:
    """Products and snapshots."""
    if known.products is not None:
        await target.set_products(known.repository, known.products)
    for number, is_open in await source.snapshot_numbers(known):
        document = await source.snapshot(known, number)
        if document is not None:
            snapshot = RecordedSnapshot(number, is_open, document.decode())
            await target.put_snapshot(known.repository, snapshot)


async def _copy_deliveries(source: Store, target: Store, known: KnownRepository) -> None:
    """What sources delivered; their events follow from it, and are translated in the copy."""
    if not known.deliveries and not known.former_names:
        return
    async for page in source.deliveries(known):
        await target.receive(known.repository, Deliveries(page))
    last = known.last_at or 0
    await Intake(target, lambda: last, "copy").translate(known.repository)
    tables = await source.read(known.id, partial(read_source_tables, repository_id=known.id))
    work = partial(write_source_tables, tables=tables, known=known)
    await target.change(known.repository, work, create=True)


async def _compare(source: Store, target: Store, known: KnownRepository) -> None:
    """Raise unless counts and the answers of all statistics are the same."""
    copy = await target.repository(known.repository)
    if copy is None:
        raise Difference(f"{known.repository} is missing in the copy")
    if _counts(copy) != _counts(known):
        raise Difference(
            f"{known.repository} has {_counts(known)}, the copy has {_counts(copy)}; "
            "did the source change meanwhile, or did an earlier version translate its deliveries? "
            "`mergecast sources translate` translates them again"
        )
    expected, actual = await _answers(source, known), await _answers(target, copy)
    different = [name for name in expected if expected[name] != actual[name]]
    if different:
        raise Difference(f"{known.repository}: the copy answers {', '.join(different)} differently")


def _counts(known: KnownRepository) -> str:
    return f"{known.events} events, {known.snapshots} snapshots and {known.deliveries} deliveries"


async def _answers(store: Store, known: KnownRepository) -> dict[str, bytes]:
    """Every statistic over the whole history."""
    if known.first_at is None or known.last_at is None:
        return {}
    window = Window(known.first_at, known.last_at + DAY)

    def work(reader: Reader) -> dict[str, bytes]:
        question = Question(known.id, window, window, grid_for(window), reader.groups(known.id))
        return {
            name: msgspec.json.encode(statistic.answer(reader, question))
            for name, statistic in STATISTICS.items()
        }

    return await store.read(known.id, work, seconds=_COMPARE_SECONDS)


_COMPARE_SECONDS = 3600.0
