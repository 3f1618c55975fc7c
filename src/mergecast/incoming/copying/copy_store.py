"""Copies every repository that is missing or incomplete in another store, then compares the two."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from math import isclose
from typing import Any, NamedTuple

import msgspec

from mergecast.errors import Conflict, MergecastError, NotFound
from mergecast.incoming.intake.intake import Intake
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.credentials import ApplicationKey
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import DAY, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.summary import SUMMARY
from mergecast.queues.store.added_sources import (
    add_added_source,
    add_github_app,
    delete_added_source,
    read_added_sources,
    read_github_apps,
    reseal_github_app,
    set_installed_owners,
)
from mergecast.queues.store.audit_rows import add_audit_lines, all_audit_lines
from mergecast.queues.store.channel_rows import copy_channel, read_channels
from mergecast.queues.store.ci.prices import put_prices, read_prices
from mergecast.queues.store.delivery_copy import read_copied_rows, write_copied_rows
from mergecast.queues.store.held_repository import HeldRepository, subject_keys, subject_name
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import VerdictRow, VerdictStateRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows, read_rows
from mergecast.queues.store.table_pages import export_ci_checks
from mergecast.queues.store.values import Deliveries, KnownRepository, RecordedSnapshot

_EVENTS_PER_DELIVERY = 5_000
_VERDICTS_PER_PAGE = 2_000
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
    await _copy_added_sources(source, target)
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


async def is_empty(store: Store) -> bool:
    """Whether there is nothing that somebody would miss."""
    return not (
        await store.repositories()
        or await store.application_keys()
        or await read_channels(store)
        or await read_github_apps(store)
        or await read_added_sources(store)
    )


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
    for channel in await read_channels(source):
        await copy_channel(target, channel)


async def _copy_added_sources(source: Store, target: Store) -> None:
    """What is secret about them stays encrypted."""
    apps = {app.id: app for app in await read_github_apps(target)}
    for app in await read_github_apps(source):
        if (before := apps.get(app.id)) is None:
            await add_github_app(target, app)
        elif before != app:
            await reseal_github_app(target, before, app.sealed)
            await set_installed_owners(target, app.id, app.installed_owners)
    present = {added.id: added for added in await read_added_sources(target)}
    for added in await read_added_sources(source):
        if present.get(added.id) != added:
            await delete_added_source(target, added.id)
            await add_added_source(target, added)


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
    await _copy_verdicts(source, target, known)
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


def _report(different: Mapping[Repository, str], of: int) -> str:
    """One line per repository, below a line that says how many there are."""
    lines = [f"{repository}: {found}" for repository, found in different.items()]
    others = "" if len(different) == of else "; the others are the same"
    return "\n  ".join([f"{len(different)} of {of} repositories differ in the copy{others}", *lines])


_QUERY_SECONDS = 3600.0
_GROUPS_AT_ONCE = 100  # so that no answer has more rows than a store returns
# Databases may divide and interpolate with different errors in the last digits of a float.
_TOLERANCE = 1e-9
_STATISTICS = {**STATISTICS, SUMMARY.name: SUMMARY}


async def difference(source: Store, target: Store, known: KnownRepository) -> str | None:
    """The first difference between a repository and its copy, and what to do about it."""
    now, copy = await source.repository(known.repository), await target.repository(known.repository)
    if now is None or _version(now) != _version(known):
        return "it changed while it was copied; stop the servers of the source, then copy again"
    if copy is None:
        return "it is missing in the copy"
    if _counts(copy) != _counts(known):
        return f"it has {_counts(known)}, and the copy has {_counts(copy)}{_advice(known, copy)}"
    if await _digest(source, known) != await _digest(target, copy):
        return f"some of its events have other content in the copy{_advice(known, copy)}"
    if await _digest_of_verdicts(source, known) != await _digest_of_verdicts(target, copy):
        return "some of its verdicts on removals are different in the copy; copy again"
    return await _difference_of_facts(source, target, known, copy)


async def _difference_of_facts(
    source: Store, target: Store, known: KnownRepository, copy: KnownRepository
) -> str | None:
    """Compare what follows from the same events."""
    verified = await target.verify(copy)
    if verified.examples:
        return f"the copy is wrong: {verified.examples[0]}; `mergecast store rebuild` may repair it"
    different = [name async for name in _different_answers(source, target, known, copy)]
    if different:
        names = ", ".join(dict.fromkeys(different))
        return (
            f"the copy answers {names} differently; `mergecast store verify` checks the facts of the source"
        )
    return None


def _version(known: KnownRepository) -> tuple[int, ...]:
    return known.version, known.recordings, known.ci_version, known.verdict_version


def _counts(known: KnownRepository) -> str:
    checks = f", {known.ci_checks:,} executions of CI checks" if known.ci_checks else ""
    return (
        f"{known.events:,} events{checks}, {known.snapshots:,} snapshots and {known.deliveries:,} deliveries"
    )


def _advice(known: KnownRepository, copy: KnownRepository) -> str:
    if copy.events > known.events and not known.deliveries:
        return "; it must not have events of its own: copy into another place, or delete them there"
    if known.deliveries:
        return (
            "; an earlier version may have translated its deliveries: "
            "`mergecast admin sources translate` on the source translates them again"
        )
    return ""


async def _digest(store: Store, known: KnownRepository) -> int:
    """A number that two sets of events share only if they are the same, in whatever order they are stored."""
    total = 0
    async for page in store.export(known):
        for event in page:
            total += _number(event)
    async for reports in export_ci_checks(store, known):
        total += sum(map(_number, reports))
    return total


async def _digest_of_verdicts(store: Store, known: KnownRepository) -> int:
    """The same of verdicts; stays have other numbers in a copy."""
    total = 0
    async for rows in _verdict_pages(store, known):
        total += sum(_number(row._replace(repository_id=0, stay=0)) for row in rows)
    return total


def _number(event: AnyEvent | VerdictRow) -> int:
    return int.from_bytes(blake2b(msgspec.json.encode(event), digest_size=16).digest())


async def _different_answers(
    source: Store, target: Store, known: KnownRepository, copy: KnownRepository
) -> AsyncIterator[str]:
    """The names of statistics that differ over the whole history."""
    if known.first_at is None or known.last_at is None:
        return
    window = Window(known.first_at, known.last_at + DAY)
    groups = await _groups(source, known) | await _groups(target, copy)
    in_order = sorted(groups, key=repr)
    for start in range(0, len(in_order), _GROUPS_AT_ONCE):
        chunk = in_order[start : start + _GROUPS_AT_ONCE]
        expected = await _answers(source, known, window, chunk)
        actual = await _answers(target, copy, window, chunk)
        for name in expected:
            if not are_same(expected[name], actual[name]):
                yield name


async def _groups(store: Store, known: KnownRepository) -> set[Group]:
    return await store.read(known.id, lambda reader: set(reader.groups(known.id).values()))


async def _answers(
    store: Store, known: KnownRepository, window: Window, groups: Sequence[Group]
) -> dict[str, Any]:
    """What every statistic says about these groups."""

    def work(reader: Reader) -> dict[str, Any]:
        kept = {id: group for id, group in reader.groups(known.id).items() if group in groups}
        question = Question(
            known.id, window, window, grid_for(window), kept, known.first_at, with_intervals=True
        )
        return {
            name: msgspec.to_builtins(statistic.answer(reader, question))
            for name, statistic in _STATISTICS.items()
        }

    return await store.read(known.id, work, seconds=_QUERY_SECONDS)


def are_same(one: Any, other: Any) -> bool:
    """Whether two answers are equal, except for the last digits of floats."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=_TOLERANCE)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(are_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(are_same, one, other))
    return type(one) is type(other) and bool(one == other)


async def _copy_verdicts(source: Store, target: Store, known: KnownRepository) -> None:
    """Replace the verdicts of the copy, and what it has still to judge.

    They do not simply follow from the stored events: revisions are counted, and old events are deleted.
    """
    await target.change(known.repository, _delete_verdicts, create=True)
    async for rows in _verdict_pages(source, known):
        await target.change(known.repository, partial(_write_verdicts, rows=rows), create=True)
    days = await source.read(known.id, lambda reader: reader.column("days_of_verdict_states", [known.id]))
    for day in days:
        read = partial(read_rows, repository_id=known.id, row_type=VerdictStateRow, day=[day])
        states = await source.read(known.id, read)
        await target.change(known.repository, partial(_write_states, rows=states), create=True)
    await target.change(known.repository, partial(_write_progress, known=known), create=True)


async def _verdict_pages(store: Store, known: KnownRepository) -> AsyncIterator[list[VerdictRow]]:
    """All verdicts, page by page."""
    last = -1
    while rows := await store.read(known.id, partial(_verdict_page, repository_id=known.id, after=last)):
        yield rows
        last = rows[-1].stay


def _verdict_page(reader: Reader, repository_id: int, after: int) -> list[VerdictRow]:
    return [
        VerdictRow(*row) for row in reader.rows("verdicts_page", [repository_id, after, _VERDICTS_PER_PAGE])
    ]


def _delete_verdicts(held: HeldRepository) -> None:
    delete_rows(held, VerdictRow)
    delete_rows(held, VerdictStateRow)
    held.save(held.state)


def _write_verdicts(held: HeldRepository, rows: Sequence[VerdictRow]) -> None:
    """Stays have other numbers in the copy."""
    id = held.state.id
    names = {subject_name("stay", row.session_id): row for row in rows}
    numbers = held.subject_numbers(subject_keys(id, names))
    held.insert(names[name]._replace(repository_id=id, stay=number) for name, number in numbers.items())
    held.save(held.state)


def _write_states(held: HeldRepository, rows: Sequence[VerdictStateRow]) -> None:
    held.insert(row._replace(repository_id=held.state.id) for row in rows)
    held.save(held.state)


def _write_progress(held: HeldRepository, known: KnownRepository) -> None:
    state = replace(held.state, judge_from=known.judge_from, judge_by=known.judge_by)
    version = max(state.verdict_version, known.verdict_version + 1)
    held.save(replace(state, judging_from=known.judging_from, verdict_version=version))
