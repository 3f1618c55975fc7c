"""Reads the reports about CI checks of a repository, page by page."""

from collections.abc import AsyncIterator
from functools import partial
from typing import NamedTuple

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
