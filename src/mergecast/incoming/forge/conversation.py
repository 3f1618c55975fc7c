"""What only the GraphQL API provides: review threads and the review decision."""

import msgspec

from mergecast.incoming.forge.session import Account, Item, NotGiven, Session
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.platform.github import MOST_PAGES, OK, decoded

_QUERY = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewDecision
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { isResolved comments(first: 1) { nodes { author { login } } } }
      }
    }
  }
}
"""
_LARGEST_INT = 2**31 - 1  # of GraphQL
_RATE_LIMITED = "RATE_LIMITED"
_WAIT_SECONDS = 60


class Conversation(msgspec.Struct, frozen=True):
    decision: str | None
    threads: list[Item]


class _Comment(msgspec.Struct, frozen=True):
    author: Account | None = None


class _Comments(msgspec.Struct, frozen=True):
    nodes: tuple[_Comment, ...] = ()


class _Thread(msgspec.Struct, frozen=True, rename="camel"):
    is_resolved: bool
    comments: _Comments

    @property
    def opened_by(self) -> str | None:
        author = self.comments.nodes[0].author if self.comments.nodes else None
        return author.login if author else None


class _Page(msgspec.Struct, frozen=True, rename="camel"):
    has_next_page: bool
    end_cursor: str | None = None


class _Threads(msgspec.Struct, frozen=True, rename="camel"):
    page_info: _Page
    nodes: tuple[_Thread, ...]


class _PullRequest(msgspec.Struct, frozen=True, rename="camel"):
    review_threads: _Threads
    review_decision: str | None = None


class _Repository(msgspec.Struct, frozen=True, rename="camel"):
    pull_request: _PullRequest | None = None


class _Data(msgspec.Struct, frozen=True):
    repository: _Repository | None = None


class _Error(msgspec.Struct, frozen=True):
    type: str = ""


class _Answer(msgspec.Struct, frozen=True):
    data: _Data | None = None
    errors: tuple[_Error, ...] = ()


async def read_conversation(session: Session, number: int) -> Conversation:
    """The review threads and the review decision of a pull request, read once per session."""
    return await session.once(f"conversation {number}", lambda: _read(session, number))


async def _read(session: Session, number: int) -> Conversation:
    threads: list[Item] = []
    after = None
    for _ in range(MOST_PAGES):
        found = await _page(session, number, after)
        threads += [
            {"is_resolved": thread.is_resolved, "author": thread.opened_by}
            for thread in found.review_threads.nodes
        ]
        after = found.review_threads.page_info.end_cursor
        if not found.review_threads.page_info.has_next_page:
            return Conversation(found.review_decision, threads)
    raise NotGiven("there are too many review threads")


async def _page(session: Session, number: int, after: str | None) -> _PullRequest:
    if number > _LARGEST_INT:
        raise NotGiven("no pull request has this number", is_missing=True)
    repository = session.repository
    variables = {"owner": repository.owner, "name": repository.name, "number": number, "after": after}
    answer = await session.github.query(_QUERY, variables, session.caller)
    if answer.status != OK:
        raise NotGiven(f"the platform answered {answer.status} to a query")
    result = decoded(answer, _Answer)
    if any(error.type == _RATE_LIMITED for error in result.errors):
        raise PlatformDown("the code-hosting platform is limiting requests", _WAIT_SECONDS)
    if result.errors or result.data is None or result.data.repository is None:
        raise NotGiven("the platform does not answer queries about this pull request")
    if result.data.repository.pull_request is None:
        raise NotGiven("the platform does not answer queries about this pull request")
    return result.data.repository.pull_request
