"""Finding pull requests by their titles, on every kind of store."""

import asyncio
import json
from collections.abc import Mapping

import pytest

from mergecast.queues.answers.pulls import FoundPull, FoundPulls
from mergecast.queues.model.delivery import About, Delivery
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.pull_search import Search, search_pulls
from mergecast.queues.store.add_deliveries import note_pull_requests
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import RecordedSnapshot

_WIDGETS, _OTHER = Repository("acme", "widgets"), Repository("acme", "other")
_TITLES = {
    3: "Fix the Login page",
    5: "Größere Schrift",
    8: "Login: <img src=x onerror=alert(1)>",
    13: "fix typo",
    2**63 - 1: "The last one",
}
_RECORDED = {4: "Recorded login fix", 5: "superseded by the source", 9: "LOGIN again"}


def _deliver(store: Store, repository: Repository, titles: Mapping[int, str]) -> None:
    def delivery(number: int, title: str) -> Delivery:
        empty = Delivery("github", "import", f"d{number}", b"", "pull_request", "opened", 1_000, b"{}")
        return empty._replace(about=About(number, title, "alice", ""))

    found = [delivery(number, title) for number, title in titles.items()]
    asyncio.run(store.change(repository, lambda held: note_pull_requests(held, found, ()), create=True))


def _snapshot(store: Store, number: int, title: str, **fields: object) -> None:
    pull = {"title": title, "user": {"login": "bob"}, "html_url": f"https://x/{number}", **fields}
    recorded = RecordedSnapshot(number, number % 2 == 0, json.dumps({"pull": pull}))
    asyncio.run(store.put_snapshot(_WIDGETS, recorded))


@pytest.fixture
def filled(store: Store) -> Store:
    _deliver(store, _WIDGETS, _TITLES)
    _deliver(store, _OTHER, {77: "Login elsewhere"})
    for number, title in _RECORDED.items():
        _snapshot(store, number, title)
    return store


def _found(store: Store, search: Search) -> FoundPulls:
    known = asyncio.run(store.repository(_WIDGETS))
    assert known is not None
    return asyncio.run(store.read(known.id, lambda reader: search_pulls(reader, known.id, search)))


def _numbers(store: Store, text: str, **more: int) -> list[int]:
    return [one.pull_request for one in _found(store, Search(text, **more)).pulls]


def _pages(store: Store, **more: int) -> list[list[int]]:
    pages, after = [], None
    while True:
        found = _found(store, Search("login", after, **more))
        pages.append([one.pull_request for one in found.pulls])
        if found.next is None:
            return pages
        assert after is None or found.next < after
        after = found.next


def test_titles_of_sources_and_snapshots_are_searched(filled: Store) -> None:
    """The newest comes first. Words match in any case and order; other repositories are not searched."""
    assert [9, 8, 4, 3] == _numbers(filled, "login")
    assert [4, 3] == _numbers(filled, "FIX login")
    assert [5] == _numbers(filled, "GRÖSSERE")
    assert [5] == _numbers(filled, "gro\u0308ßer")
    assert [2**63 - 1] == _numbers(filled, "last")
    assert [13] == _numbers(filled, "#13") == _numbers(filled, "13 typo")
    assert [] == _numbers(filled, "elsewhere") == _numbers(filled, "superseded") == _numbers(filled, "\0%_")
    assert 7 == len(_numbers(filled, "")) == len(_numbers(filled, " "))


def test_what_is_found_says_who_and_where(filled: Store) -> None:
    _snapshot(filled, 21, "Odd", user=None, html_url=7)

    found = _found(filled, Search("login", limit=2))

    assert [
        FoundPull(9, "LOGIN again", "bob", "https://x/9"),
        FoundPull(8, "Login: <img src=x onerror=alert(1)>", "alice", None),
    ] == found.pulls
    assert [FoundPull(21, "Odd", None, None)] == _found(filled, Search("odd")).pulls


def test_pages_continue_where_the_last_one_ended(filled: Store) -> None:
    """Also if a page ends because it has looked at enough titles or bytes, and has found nothing."""
    everything = [[9, 8, 4, 3]]

    assert everything == _pages(filled)
    assert [[9, 8], [4, 3]] == _pages(filled, limit=2)
    for limits in ({"most_titles": 1}, {"most_bytes": 1}, {"most_titles": 2, "most_bytes": 1, "limit": 1}):
        assert everything == [[number for page in _pages(filled, **limits) for number in page]]
