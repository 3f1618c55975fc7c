"""The activity log, page by page: newest first, in windows that the service accepts."""

from collections.abc import AsyncGenerator
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import msgspec

from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import headers_for, links
from mergecast.incoming.platform.pages_read import MOST_PAGES, PagesRead
from mergecast.incoming.platform.patient import Answer, PatientApi, require_ok
from mergecast.incoming.sources.activity_log.entry import TYPES
from mergecast.incoming.sources.history_reader import HistoryReader, SavedPages
from mergecast.incoming.sources.page import Item, Page, Part, read_position
from mergecast.incoming.sources.payload import is_number, text
from mergecast.queues.model.instant import DAY, NotAnInstant, Window, format_instant, parse_instant

# The service refuses more than 93 days at once.
_WIDEST = 90 * DAY
_PER_PAGE = 100
_INVALID = 422
_MEANINGS = {
    401: "invalid token; set MERGECAST_ACTIVITY_LOG_TOKEN to an application key with the scope `admin`",
    403: "the token may not read this repository; use an application key with the scope `admin`",
    404: "the service does not know this repository",
}


class _Position(msgspec.Struct):
    """The position of an import: the window that it requests, and the page within it."""

    until: int
    cursor: str | None = None
    since: int | None = None  # a cursor is for this window only


async def history(api: PatientApi, url: str, repository: str, part: Part) -> AsyncGenerator[Page]:
    """Every entry of a part of the log that has not been read, newest first."""
    window = part.window
    position = read_position(part.position, _Position) or _Position(part.read_until)
    position.until = min(position.until, window.end)
    read = PagesRead(MOST_PAGES)
    may_restart = True
    while position.until > window.start:
        since = max(window.start, position.until - _WIDEST, position.since or 0)
        address = _address(url, repository, Window(since, position.until), position.cursor)
        answer = await api.get(address)
        if answer.status == _INVALID and position.cursor is not None and may_restart:
            # The service no longer knows this cursor: its window is read again.
            position, read, may_restart = _Position(position.until), PagesRead(MOST_PAGES), False
            continue
        items = _entries_of(require_ok(answer, address, _MEANINGS).value)
        read.add(address)
        following = _next_cursor(answer)
        position = _Position(position.until, following, since) if following else _Position(since)
        yield Page(tuple(_entry_item(entry) for entry in items), _written(position), _oldest(items) or since)


def _headers(token: str) -> dict[str, str]:
    return headers_for(token, "application/json")


def _address(url: str, repository: str, window: Window, cursor: str | None) -> str:
    parameters = [
        ("received_from", format_instant(window.start)),
        ("received_to", format_instant(window.end)),
        ("per_page", str(_PER_PAGE)),
        *(("event_type", name) for name in TYPES),
        *([("cursor", cursor)] if cursor else []),
    ]
    return f"{url.removesuffix('/v1')}/v1/repos/{quote(repository)}/logs?{urlencode(parameters)}"


def _entries_of(page: object) -> list[dict[str, Any]]:
    """The entries of a page as the service sends it, or of a saved list of entries."""
    entries = page.get("events") if isinstance(page, dict) else page
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PlatformDown("a page of the activity log is an object with a list of `events`")
    return entries


def _next_cursor(answer: Answer) -> str | None:
    following = links(answer.headers).get("next")
    return parse_qs(urlsplit(following).query).get("cursor", [None])[0] if following else None


def _entry_item(entry: dict[str, Any]) -> Item:
    id, type = entry.get("id"), entry.get("type")
    # Entries without an id cannot be translated, but each of them is counted.
    name = str(id) if is_number(id) else sha256(msgspec.json.encode(entry)).hexdigest()
    return Item(name, type if isinstance(type, str) else "no type", entry)


def _oldest(items: list[dict[str, Any]]) -> int | None:
    try:
        return parse_instant(str(items[-1].get("received_at"))) if items else None
    except NotAnInstant:
        return None


def _written(position: _Position) -> str:
    return msgspec.json.encode(position).decode()


def _repository_of(entry: dict[str, Any]) -> str | None:
    """The service writes the repository into each entry."""
    return text(entry, "repository")


HISTORY = HistoryReader(pages=history, headers=_headers)
SAVED_PAGES = SavedPages(_entries_of, _entry_item, _repository_of)
