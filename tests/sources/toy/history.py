"""Reads the reports of the toy queue, newest first: `GET /REPOSITORY/reports?before=INSTANT`."""

from collections.abc import AsyncGenerator, Mapping
from typing import Any
from urllib.parse import urlencode

from mergecast.incoming.platform.pages_read import PagesRead
from mergecast.incoming.platform.patient import PatientApi, require_ok
from mergecast.incoming.sources.history_reader import HistoryReader
from mergecast.incoming.sources.page import Item, Page, Part
from mergecast.queues.model.instant import format_instant, parse_instant

_MEANINGS = {403: "invalid token; set MERGECAST_TOY_QUEUE_TOKEN"}


async def _pages(api: PatientApi, url: str, repository: str, part: Part) -> AsyncGenerator[Page]:
    until, read = part.read_until, PagesRead()
    while until > part.window.start:
        read.add(until)
        address = f"{url}/{repository}/reports?{urlencode({'before': format_instant(until)})}"
        reports: list[dict[str, Any]] = require_ok(await api.get(address), address, _MEANINGS).value
        until = parse_instant(reports[-1]["at"]) if reports else part.window.start
        items = tuple(Item(str(report["id"]), report["what"], report) for report in reports)
        yield Page(items, str(until), max(until, part.window.start))


def _headers(token: str) -> Mapping[str, str]:
    return {"Authorization": f"Toy {token}"}


HISTORY = HistoryReader(_pages, _headers)
