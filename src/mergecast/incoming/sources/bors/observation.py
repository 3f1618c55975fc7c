"""Imported items → what translation needs of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field, structs

from mergecast.incoming.sources.bors.commands import CommandKind, commands_in
from mergecast.incoming.sources.bors.replies import ListedCheck, Reply, listed_checks, read_reply
from mergecast.incoming.sources.commits import commit_of
from mergecast.incoming.sources.payload import Payload, instant, is_number, member, text

# The kinds of items.
COMMENT, REPLY, CLOSED, STAGED = "comment", "reply", "closed", "staged"
_LONGEST_WORDS = 60
# The replies that list checks.
_WITH_CHECKS = (Reply.SUCCEEDED, Reply.FAILED, Reply.SPLIT)


class Observation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One thing that happened to a pull request: only one of the optional fields says what."""

    number: int
    base_ref: str
    at: int
    id: str  # of the comment
    # Deliveries are stored with this name.
    command: CommandKind | None = field(default=None, name="told")
    priority: int | None = None
    reply: Reply | None = None
    links: str | None = None
    checks: tuple[ListedCheck, ...] = ()  # that passed or failed, as the reply says
    words: str | None = None  # of an unknown reply
    is_closed: bool = False
    is_merged: bool = False
    is_by_bot: bool = False
    is_staged: bool = False  # bors made a commit to test it
    head_sha: str | None = None  # the last commit of the pull request; empty if it cannot be used
    has_changed_title: bool = False  # characters were removed from the title that came with it

    @property
    def order(self) -> tuple[int, bool, str, int]:
        """Observations by time. Within a second, the bot answers what a person wrote."""
        return self.at, self.command is None, self.id, 0 if self.command is CommandKind.PRIORITY else 1


def read_item(kind: str, id: str, body: Payload) -> list[Observation]:
    """The observations in an item; none if it does not concern a queue."""
    number, base_ref = body.get("number"), text(body, "base_ref")
    node = member(body, "node")
    at = instant(node, "createdAt")
    read = _READERS.get(kind)
    if read is None or not is_number(number) or base_ref is None or at is None:
        return []
    head_sha = commit_of(text(body, "head_sha"))
    common = Observation(number=number, base_ref=base_ref, at=at, id=id, head_sha=head_sha)
    return list(read(common, node))


def _comment(seen: Observation, node: Payload) -> Iterator[Observation]:
    for command in commands_in(text(node, "body") or ""):
        yield structs.replace(seen, command=command.kind, priority=command.priority)


def _reply(seen: Observation, node: Payload) -> Iterator[Observation]:
    words = text(node, "body") or ""
    reply, links = read_reply(words)
    if reply is Reply.UNKNOWN:
        yield structs.replace(seen, reply=reply, words=" ".join(words.split())[:_LONGEST_WORDS])
    elif reply is not Reply.OTHER:
        checks = listed_checks(words) if reply in _WITH_CHECKS else ()
        yield structs.replace(seen, reply=reply, links=links, checks=checks)


def _closed(seen: Observation, node: Payload) -> Iterator[Observation]:
    is_merged = text(node, "__typename") == "MergedEvent"
    yield structs.replace(seen, is_closed=True, is_merged=is_merged, is_by_bot=node.get("isByBot") is True)


def _staged(seen: Observation, _: Payload) -> Iterator[Observation]:
    yield structs.replace(seen, is_staged=True)


_READERS: Mapping[str, Callable[[Observation, Payload], Iterable[Observation]]] = {
    COMMENT: _comment,
    REPLY: _reply,
    CLOSED: _closed,
    STAGED: _staged,
}
