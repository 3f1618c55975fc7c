"""Finds pull requests by words of their titles, the newest first.

Stores differ in how they compare letters of other alphabets, so titles are compared here. A request looks at
a limited number of titles and bytes of snapshots; the next page continues where it stopped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import Any, Final, NamedTuple
from unicodedata import normalize

import msgspec

from mergecast.queues.answers.pulls import AboutPull, FoundPull, FoundPulls
from mergecast.queues.model.showable import WEB_ADDRESS
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import PullRequestRow, SnapshotRow
from mergecast.queues.store.stored_rows import read_rows


class _Pull(msgspec.Struct, frozen=True):
    """The fields of the platform's answer about a pull request that are shown; only the title is checked."""

    title: str
    user: Any = None
    html_url: Any = None


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


_recorded = msgspec.json.Decoder(_Recorded)


def about(title: str, author: str, url: str) -> AboutPull:
    """From the columns of a statement; a source may leave author and URL empty."""
    return AboutPull(title, author or None, url or None)


def about_pull(reader: Reader, repository_id: int, number: int) -> AboutPull | None:
    """What a source says, or else the recorded snapshot."""
    found = about_from_source(reader, repository_id, number)
    if found is None:
        for snapshot in read_rows(reader, repository_id, SnapshotRow, number=[number]):
            return about_from_snapshot(snapshot.document)
    return found


def about_from_source(reader: Reader, repository_id: int, number: int) -> AboutPull | None:
    """What a source says about a pull request, if it has delivered its title."""
    for row in read_rows(reader, repository_id, PullRequestRow, number=[number]):
        if row.title:
            return about(row.title, row.author, row.url)
    return None


def about_from_snapshot(document: bytes | str) -> AboutPull:
    pull = _recorded.decode(document).pull
    login = pull.user.get("login") if isinstance(pull.user, dict) else None
    url = pull.html_url if isinstance(pull.html_url, str) and WEB_ADDRESS.fullmatch(pull.html_url) else None
    return AboutPull(pull.title, login if isinstance(login, str) else None, url)


_PAGE: Final = 2_000  # titles read at once
_MOST_TITLES: Final = 100_000
_PART_BYTES: Final = 4 << 20  # of snapshots read at once, unless one is larger
_MOST_BYTES: Final = 32 << 20
_LARGEST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for, in pull requests with a number below `after`."""

    search: str = ""
    after: int | None = None
    limit: int = 100
    most_titles: int = _MOST_TITLES
    most_bytes: int = _MOST_BYTES


class _Candidate(NamedTuple):
    number: int
    about: AboutPull


@dataclass(slots=True)
class _Described:
    """All pull requests with a title, read as far as they are needed and the limits allow."""

    reader: Reader
    repository_id: int
    search: Search
    unread: int = field(default=-1)  # the largest number that was not looked at because of a limit

    def __iter__(self) -> Iterator[_Candidate]:
        both = merge(self._titles(), self._snapshots(), key=lambda candidate: -candidate.number)
        for candidate in both:
            if candidate.number <= self.unread:
                return
            yield candidate

    @property
    def _top(self) -> int:
        return _LARGEST if self.search.after is None else self.search.after - 1

    def _titles(self) -> Iterator[_Candidate]:
        top, left = self._top, self.search.most_titles
        while left > 0:
            size = min(_PAGE, left)
            rows = self.reader.rows("titles_page", [self.repository_id, top, size])
            yield from (_Candidate(number, about(*columns)) for number, *columns in rows)
            if len(rows) < size:
                return
            top, left = rows[-1][0] - 1, left - size
        self.unread = max(self.unread, top)

    def _snapshots(self) -> Iterator[_Candidate]:
        """Of pull requests that no source describes."""
        sizes = self.reader.rows("sizes_of_untitled_snapshots", [self.repository_id, self._top])
        left = self.search.most_bytes
        for part in _parts(sizes):
            if left <= 0:
                self.unread = max(self.unread, part[0][0])
                return
            left -= sum(size for _, size in part)
            numbers = [number for number, _ in part]
            for number, document in self.reader.rows("snapshots_of", [self.repository_id, numbers]):
                yield _Candidate(number, about_from_snapshot(document))


def _parts(sizes: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """In the same order, each with few enough bytes to be read at once."""
    part: list[tuple[int, int]] = []
    total = 0
    for number, size in sizes:
        if part and total + size > _PART_BYTES:
            yield part
            part, total = [], 0
        part.append((number, size))
        total += size
    if part:
        yield part


def search_pulls(reader: Reader, repository_id: int, search: Search) -> FoundPulls:
    """The pull requests whose titles contain all words, in any case and order, or whose number is a word."""
    words = _folded(search.search).split()
    described = _Described(reader, repository_id, search)
    matching = (found for found in described if _matches(found, words))
    found = list(islice(matching, search.limit + 1))
    listed = found[: search.limit]
    pulls = [FoundPull(one.number, one.about.title, one.about.author, one.about.url) for one in listed]
    if len(found) > search.limit:
        return FoundPulls(pulls, listed[-1].number)
    return FoundPulls(pulls, described.unread + 1 if described.unread >= 0 else None)


def _matches(candidate: _Candidate, words: Sequence[str]) -> bool:
    title = _folded(candidate.about.title)
    return all(word in title or word.removeprefix("#") == str(candidate.number) for word in words)


def _folded(text: str) -> str:
    """Texts that differ only in case or in how accents are encoded become equal.

    >>> _folded("Straße") == _folded("STRASSE")
    True
    """
    return normalize("NFC", normalize("NFC", text).casefold())
