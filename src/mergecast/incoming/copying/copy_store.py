"""Copies every repository that is missing or incomplete in another store, then compares the two."""

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from mergecast.errors import Conflict, MergecastError, NotFound
from mergecast.incoming.copying.compare import difference
from mergecast.incoming.intake.intake import Intake
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.credentials import ApplicationKey
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.audit_rows import add_audit_lines, all_audit_lines
from mergecast.queues.store.channel_rows import add_channel, note_result, read_channels
from mergecast.queues.store.ci.export import export_ci_checks
from mergecast.queues.store.ci.prices import put_prices, read_prices
from mergecast.queues.store.delivery_copy import read_copied_rows, write_copied_rows
from mergecast.queues.store.store import Store
from mergecast.queues.store.targets import read_targets, set_targets
from mergecast.queues.store.values import Deliveries, KnownRepository, RecordedSnapshot

_EVENTS_PER_DELIVERY = 5_000
_HOLDER = "copy"


class Difference(MergecastError):
    """Some repositories are not the same in the copy; the message names them all."""


class Step(NamedTuple):
    """How far a copy has got with one repository."""

    repository: Repository
    events: int
    of: int
    is_comparing: bool = False


async def copy_store(source: Store, target: Store, now: int) -> AsyncIterator[Step]:
    """Copy everything that is missing, and compare each repository once it is copied.

    What is wrong with one repository does not keep the others from being copied; `Difference` reports it at
    the end.
    """
    await _copy_keys(source, target)
    await _copy_channels(source, target)
    async for lines in all_audit_lines(source):
        await add_audit_lines(target, lines)
    await _translate_waiting(source, now)
    repositories = await source.repositories()
    different: dict[Repository, str] = {}
    for known in repositories:
        try:
            async for step in _copy_repository(source, target, known):
                yield step
            found = await difference(source, target, known)
        except (Conflict, Difference, NotFound) as error:
            found = str(error)
        if found is not None:
            different[known.repository] = found
    if different:
        raise Difference(_report(different, len(repositories)))


async def surplus_keys(source: Store, target: Store) -> list[ApplicationKey]:
    """Keys of the copy that the source does not have: its own, or revoked since an earlier copy."""
    known = await source.application_keys()
    return [key for key in (await target.application_keys()).values() if key.id not in known]


async def _copy_keys(source: Store, target: Store) -> None:
    existing = await target.application_keys()
    for key in (await source.application_keys()).values():
        if key.id not in existing:
            await target.add_application_key(key)


async def _copy_channels(source: Store, target: Store) -> None:
    """Channels stay encrypted: whoever has the key can use them in the copy too.

    Messages that wait are not copied, because both stores would send them.
    """
    existing = {channel.id for channel in await read_channels(target)}
    for channel in await read_channels(source):
        if channel.id not in existing:
            await add_channel(target, channel)
            if channel.result is not None:
                await note_result(target, channel.id, channel.paused_at, channel.result)


async def _translate_waiting(source: Store, now: int) -> None:
    """Translate what a server stored just before it stopped: the copy translates it too."""
    intake = Intake(source, lambda: now, _HOLDER)
    for name in await source.repositories_with_waiting_threads():
        await intake.translate(name)


async def _copy_repository(source: Store, target: Store, known: KnownRepository) -> AsyncIterator[Step]:
    copied = 0
    async for page in source.export(known, is_sent=True):
        for start in range(0, len(page), _EVENTS_PER_DELIVERY):
            part = page[start : start + _EVENTS_PER_DELIVERY]
            await _record(target, known.repository, part)
            copied += len(part)
            yield Step(known.repository, copied, known.events)
    async for reports in export_ci_checks(source, known, is_sent=True):
        await _record(target, known.repository, reports)
    await _copy_rest(source, target, known)
    await _copy_sources(source, target, known)
    await _copy_targets(source, target, known)
    yield Step(known.repository, known.events, known.events, is_comparing=True)


async def _record(target: Store, name: Repository, events: Sequence[AnyEvent]) -> None:
    try:
        await target.record(name, events)
    except Conflict as conflict:
        first = conflict.errors[0]
        event = events[int(first.name.split("/")[1])]  # a pointer such as /7/id
        raise Difference(f"the copy refuses event `{event.id}`: {first.message}") from conflict


async def _copy_rest(source: Store, target: Store, known: KnownRepository) -> None:
    """Products, prices of CI and snapshots."""
    prices = await source.read(known.id, partial(read_prices, repository_id=known.id))
    if prices is not None:
        await target.change(known.repository, partial(put_prices, prices=prices), create=True)
    if known.products is not None:
        await target.set_products(known.repository, known.products)
    for number, is_open in await source.snapshot_numbers(known):
        document = await source.snapshot(known, number)
        if document is not None:
            snapshot = RecordedSnapshot(number, is_open, document.decode())
            await target.put_snapshot(known.repository, snapshot)


async def _copy_sources(source: Store, target: Store, known: KnownRepository) -> None:
    """What sources delivered, from which events are translated in the copy, and what follows from nothing."""
    async for page in source.deliveries(known):
        await target.receive(known.repository, Deliveries(page))
    last = known.last_at or 0
    await Intake(target, lambda: last, _HOLDER).translate(known.repository)
    tables = await source.read(known.id, partial(read_copied_rows, repository_id=known.id))
    work = partial(write_copied_rows, tables=tables, known=known)
    await target.change(known.repository, work, create=True)


async def _copy_targets(source: Store, target: Store, known: KnownRepository) -> None:
    found = await source.read(known.id, partial(read_targets, repository_ids=[known.id]))
    targets = found.get(known.id, [])
    await target.change(known.repository, partial(set_targets, targets=targets), create=True)


def _report(different: Mapping[Repository, str], of: int) -> str:
    """One line per repository, below a line that says how many there are."""
    lines = [f"{repository}: {found}" for repository, found in different.items()]
    others = "" if len(different) == of else "; the others are the same"
    return "\n  ".join([f"{len(different)} of {of} repositories differ in the copy{others}", *lines])
