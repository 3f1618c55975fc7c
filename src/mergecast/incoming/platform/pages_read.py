"""Notices lists without an end: a platform may link their pages in a circle."""

from mergecast.incoming.platform.fetch import PlatformDown

MOST_PAGES = 100_000


class PagesRead:
    """The pages of one list that were read. A platform that links them in a circle never reaches an end."""

    def __init__(self, most: int = 1_000) -> None:
        self._most = most
        self._read: set[int] = set()

    def add(self, page: str | int | None) -> None:
        """Remember a page that is read next; None is the first one."""
        if hash(page) in self._read:
            raise PlatformDown("the platform links a page of a list to an earlier one")
        if len(self._read) == self._most:
            raise PlatformDown(f"the platform lists more than {self._most:,} pages")
        self._read.add(hash(page))
