"""The list of pull requests, most recently changed first, page by page."""

from collections.abc import Sequence

from mergecast.incoming.platform.pages_read import MOST_PAGES, PagesRead
from mergecast.incoming.platform.patient import Refused
from mergecast.incoming.sources.github.history.graphql import GraphQL
from mergecast.incoming.sources.github.history.position import Position
from mergecast.incoming.sources.payload import Payload, instant

AT_ONCE = 25  # pull requests that are read one by one for a page


class PullList:
    """Reads the pull requests that have changed since then, and moves the position."""

    def __init__(self, graphql: GraphQL, position: Position, since: int) -> None:
        self._graphql, self._position, self._since = graphql, position, since
        self._may_restart = position.after is not None
        self._read = PagesRead(MOST_PAGES)

    async def following(self) -> list[Payload]:
        """The pull requests of the next page."""
        position = self._position
        pulls, following = await self._page()
        recent = [pull for pull in pulls if (instant(pull, "updatedAt") or 0) >= self._since]
        if following is not None and recent and len(recent) == len(pulls):
            position.after, position.pulls_until = following, instant(recent[-1], "updatedAt") or 0
            self._read.add(following)
        else:  # an import that reaches further back continues with the same page
            position.is_list_read, position.pulls_until = following is None and recent == pulls, self._since
        return recent

    async def again(self, numbers: Sequence[int]) -> list[Payload]:
        """Pull requests that were listed before, and whose timelines are to be read further back."""
        for number in numbers:
            self._position.note(number, None)
        return [await self._graphql.pull(number) for number in numbers]

    async def _page(self) -> tuple[list[Payload], str | None]:
        try:
            return await self._graphql.pulls(self._position.after)
        except Refused:
            if not self._may_restart:
                raise
            # GitHub may no longer know this cursor: the list is read from its beginning.
            self._position.after = None
            return await self._graphql.pulls(None)
        finally:
            self._may_restart = False
