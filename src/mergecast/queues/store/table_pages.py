"""The rows of a repository's tables in pages, for exports: events, their facts, and CI checks."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.store.reader import Reader, check_exists
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

_PAGE = 5_000


class _Page(NamedTuple):
    """Whole runs, in the order in which their first reports arrived; `last_run` is None after the last."""

    reports: list[CiCheckReport]
    last_run: int | None


async def export_ci_checks(
    store: Store, known: KnownRepository, *, is_sent: bool = False
) -> AsyncIterator[list[CiCheckReport]]:
    """The reports that count, or only those that clients sent, page by page.

    Raises `NotFound` when the repository is deleted meanwhile.
    """
    run: int | None = 0
    while run is not None:
        page = await store.read(known.id, partial(_read_page, known=known, after=run, is_sent=is_sent))
        run = page.last_run
        if page.reports:
            yield page.reports


def _read_page(reader: Reader, known: KnownRepository, after: int, *, is_sent: bool) -> _Page:
    check_exists(reader, known)
    rows = reader.rows("ci_checks_page", [known.id, after, known.last_ci_run, _PAGE])
    reports = [CiCheckReport(*report) for thread, _, *report in rows if thread is None or not is_sent]
    return _Page(reports, rows[-1][1] if rows else None)


PAGE = 5_000
# How many of the first columns of each statement say where the next page begins.
_PLACES = {"stays": 1, "checks": 2, "runs": 2, "bisections": 2}


async def table_pages(
    store: Store, known: KnownRepository, table: str
) -> AsyncIterator[Sequence[tuple[Any, ...]]]:
    """The rows of a table that exist now, page by page; their columns are those of `queues/export`.

    Each page is read in a transaction of its own. Raises `NotFound` when the repository is deleted meanwhile.
    """
    if table == "events":
        async for events in store.export(known):
            yield events
        return
    if table == "ci_checks":
        async for reports in export_ci_checks(store, known):
            yield reports
        return
    width = _PLACES[table]
    place: tuple[Any, ...] = (0, -1)[:width]
    while rows := await store.read(known.id, partial(_page, known=known, table=table, after=place)):
        place = rows[-1][:width]
        yield [row[width:] for row in rows]


def _page(
    reader: Reader, known: KnownRepository, table: str, after: tuple[Any, ...]
) -> list[tuple[Any, ...]]:
    check_exists(reader, known)
    return reader.rows(f"{table}_page", [known.id, *after, known.last_subject, PAGE])
