"""Copies verdicts from one store to another.

They do not simply follow from the stored events: revisions are counted, and old events are deleted.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial

from mergecast.queues.store.held_repository import HeldRepository, subject_keys, subject_name
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import VerdictRow, VerdictStateRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows, read_rows
from mergecast.queues.store.values import KnownRepository

_PAGE = 2_000


async def copy_verdicts(source: Store, target: Store, known: KnownRepository) -> None:
    """Replace the verdicts of the copy, and what it has still to judge."""
    await target.change(known.repository, _delete_all, create=True)
    async for rows in verdict_pages(source, known):
        await target.change(known.repository, partial(_write, rows=rows), create=True)
    days = await source.read(known.id, lambda reader: reader.column("days_of_verdict_states", [known.id]))
    for day in days:
        read = partial(read_rows, repository_id=known.id, row_type=VerdictStateRow, day=[day])
        states = await source.read(known.id, read)
        await target.change(known.repository, partial(_write_states, rows=states), create=True)
    await target.change(known.repository, partial(_write_progress, known=known), create=True)


async def verdict_pages(store: Store, known: KnownRepository) -> AsyncIterator[list[VerdictRow]]:
    """All verdicts, page by page."""
    last = -1
    while rows := await store.read(known.id, partial(_page, repository_id=known.id, after=last)):
        yield rows
        last = rows[-1].stay


def _page(reader: Reader, repository_id: int, after: int) -> list[VerdictRow]:
    return [VerdictRow(*row) for row in reader.rows("verdicts_page", [repository_id, after, _PAGE])]


def _delete_all(held: HeldRepository) -> None:
    delete_rows(held, VerdictRow)
    delete_rows(held, VerdictStateRow)
    held.save(held.state)


def _write(held: HeldRepository, rows: Sequence[VerdictRow]) -> None:
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
