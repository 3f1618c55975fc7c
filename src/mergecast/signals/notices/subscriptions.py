"""One-time subscriptions: one message to a channel when a pull request merges or is removed.

They are part of the stored document of their channel, so they are deleted with it. A message is added and its
subscription deleted in one transaction.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from mergecast.errors import Conflict, FieldError
from mergecast.queues.model.cause import ONCE
from mergecast.queues.model.instant import DAY, MINUTE, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.verdict import Verdict
from mergecast.queues.model.words import in_words
from mergecast.queues.stats.pull_state import PullEndings, read_endings
from mergecast.queues.store.channel_rows import NoticeRow, add_notices_in, put_rules_in, read_channels_in
from mergecast.queues.store.held_repository import SharedRows
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import DELAY
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.notices.channel import Channel, Subscription, from_row, named, to_row
from mergecast.signals.notices.fan_out import Sending, notice_id, notice_row
from mergecast.signals.notices.notice import SUBSCRIPTION, Advice, EndedPull, Notice
from mergecast.signals.notices.scope import Scope, scope_of

MOST_OF_REPOSITORY = 100
LONGEST_WAIT = 30 * DAY
_PATIENCE = MINUTE  # for a verdict

Wanted = tuple[str, Subscription]  # the id of a channel, and what it waits for
Change = Callable[[Sequence[Subscription]], Sequence[Subscription]]


class Changed(NamedTuple):
    """A channel, and whether its subscriptions differ from before."""

    channel: Channel
    is_changed: bool


class Subscriptions:
    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now
        # By repository: the data and the subscriptions of the last look; another would find the same.
        self._seen: dict[int, tuple[int, frozenset[Wanted]]] = {}
        # When a removal was first seen without a verdict: a source that is polled reports it late.
        self._unjudged: dict[Wanted, int] = {}

    async def add(self, known: KnownRepository, number: int, id: str, found: PullEndings) -> Changed:
        """Subscribe a channel of the repository or of its owner; again is not twice."""
        scope = await scope_of(self._store, known.repository)
        last = found.last
        left_at = None if last is None else last.left_at
        wanted = Subscription(str(known.repository).lower(), number, self._now(), left_at)

        def added(before: Sequence[Subscription]) -> Sequence[Subscription]:
            is_there = any(_is_about(one, scope, number) for one in before)
            return before if is_there else (*before, wanted)

        return await self._change(scope, id, added, is_adding=True)

    async def delete(self, repository: Repository, number: int, id: str) -> Changed:
        scope = await scope_of(self._store, repository)

        def rest(before: Sequence[Subscription]) -> Sequence[Subscription]:
            return [one for one in before if not _is_about(one, scope, number)]

        return await self._change(scope, id, rest)

    async def _change(self, scope: Scope, id: str, change: Change, *, is_adding: bool = False) -> Changed:
        def put(shared: SharedRows) -> Changed | None:
            rows = {row.id: row for row in read_channels_in(shared)}
            usable = scope.usable(map(from_row, rows.values()))
            channel = named(usable, id)
            if is_adding:
                _check_number(scope, usable)
            changed = _with(channel, change(channel.options.subscriptions))
            if changed == channel:
                return Changed(channel, is_changed=False)
            is_put = put_rules_in(shared, rows[channel.id], to_row(changed).document)
            return Changed(changed, is_changed=True) if is_put else None

        found = None
        while found is None:
            found = await self._store.change_shared(put)
        return found

    async def fulfil(self, channels: Iterable[Channel], pages: Callable[[Repository], str]) -> None:
        """Make the messages of pull requests that have merged or were removed."""
        by_repository: defaultdict[str, set[Wanted]] = defaultdict(set)
        by_id = {channel.id: channel for channel in channels if not channel.is_paused}
        for channel in by_id.values():
            for one in channel.options.subscriptions:
                by_repository[one.repository].add((channel.id, one))
        for name, wanted in by_repository.items():
            repository = Repository(*name.split("/", 1))
            known = await self._known(repository)
            ends = {} if known is None else await self._ends(known, frozenset(wanted))
            for id, one in wanted:
                end, row = ends.get((id, one)), None
                if known is not None and end is not None:
                    row = _row(
                        by_id[id],
                        one,
                        end,
                        Sending(str(known.repository), pages(known.repository), self._now()),
                    )
                if row is not None or self._now() - one.created_at > LONGEST_WAIT:
                    await self._store.change_shared(partial(_finish, id=id, subscription=one, row=row))

    async def _known(self, named: Repository) -> KnownRepository | None:
        """It may have been renamed since; a former owner must not learn what happens at another one."""
        found = await self._store.repository(named) or await self._store.repository_formerly_named(named)
        is_same_owner = found is not None and found.repository.owner.lower() == named.owner.lower()
        return found if is_same_owner else None

    async def _ends(self, known: KnownRepository, wanted: frozenset[Wanted]) -> dict[Wanted, "End"]:
        """How the pull requests ended that no longer wait."""
        if self._seen.get(known.id) == (known.version, wanted):
            return {}
        now, numbers = self._now(), sorted({one.pull_request for _, one in wanted})
        endings = await self._store.read(known.id, partial(_read, repository_id=known.id, numbers=numbers))
        found = {
            (id, one): end
            for id, one in wanted
            if (end := _end(one, endings[one.pull_request], now)) is not None
        }
        ends = {one: end for one, end in found.items() if not self._waits(one, end, now)}
        if ends.keys() == found.keys():
            self._seen[known.id] = (known.version, wanted)
        return ends

    def _waits(self, wanted: Wanted, end: "End", now: int) -> bool:
        """Whether more may be known soon: that it was merged after all, or why it was removed."""
        if end.is_merged or end.verdict is not None:
            self._unjudged.pop(wanted, None)
            return end.is_early
        return end.is_early or now < self._unjudged.setdefault(wanted, now) + _PATIENCE


class End(NamedTuple):
    at: int
    is_merged: bool
    reason: str | None
    is_early: bool  # a source may still say that the pull request was merged after all
    verdict: Verdict | None

    def sentence(self, number: int) -> str:
        if self.is_merged:
            return f"#{number} was merged."
        return f"#{number} left the queue without being merged: {in_words(self.reason or 'UNKNOWN')}."

    @property
    def advice(self) -> Advice | None:
        said = self.verdict
        return None if said is None else Advice(said.cause, said.certainty, said.act, said.sentence)


def _row(channel: Channel, one: Subscription, end: End, sending: Sending) -> NoticeRow:
    name = (SUBSCRIPTION, f"{one.repository} {one.pull_request} {one.created_at}", ONCE)
    notice = Notice(
        notice_id(channel.id, *name),
        SUBSCRIPTION,
        ONCE,
        sending.repository,
        None,
        None,
        format_instant(end.at),
        end.sentence(one.pull_request),
        f"{sending.pages}/pulls/{one.pull_request}",
        details=msgspec.to_builtins(EndedPull(one.pull_request, end.is_merged, end.advice)),
    )
    return notice_row(channel, notice, name, sending.now)


def _end(subscription: Subscription, found: PullEndings, now: int) -> End | None:
    """How it ended; None while it waits, and for what had ended before the subscription."""
    last = found.last
    if last is None or last.left_at is None or last.left_at <= (subscription.left_at or -1):
        return None
    is_early = not found.is_merged and now < last.left_at + DELAY
    verdict = None if found.removed is None else found.removed.verdict
    return End(last.left_at, found.is_merged, last.reason, is_early, verdict)


def _read(reader: Reader, repository_id: int, numbers: Sequence[int]) -> dict[int, PullEndings]:
    return {number: read_endings(reader, repository_id, number) for number in numbers}


def _finish(shared: SharedRows, id: str, subscription: Subscription, row: NoticeRow | None) -> None:
    """Delete a subscription and add its message, unless another server was faster."""
    before = next((one for one in read_channels_in(shared) if one.id == id), None)
    if before is None:
        return
    channel = from_row(before)
    rest = [one for one in channel.options.subscriptions if one != subscription]
    if len(rest) == len(channel.options.subscriptions):
        return
    if put_rules_in(shared, before, to_row(_with(channel, rest)).document) and row is not None:
        add_notices_in(shared, [row])


def subscribed(channels: Iterable[Channel], scope: Scope, number: int) -> list[Channel]:
    """Those that get a message when this pull request merges or is removed."""
    return [
        channel
        for channel in channels
        if any(_is_about(one, scope, number) for one in channel.options.subscriptions)
    ]


def _check_number(scope: Scope, channels: Iterable[Channel]) -> None:
    count = sum(
        scope.is_named(one.repository) for channel in channels for one in channel.options.subscriptions
    )
    if count >= MOST_OF_REPOSITORY:
        name = f"{scope.owner}/{scope.repository}"
        message = f"{name} has {MOST_OF_REPOSITORY} subscriptions already, which is the limit; delete one"
        raise Conflict([FieldError("path", "number", message)])


def _is_about(one: Subscription, scope: Scope, number: int) -> bool:
    return one.pull_request == number and scope.is_named(one.repository)


def _with(channel: Channel, subscriptions: Sequence[Subscription]) -> Channel:
    return channel._replace(options=replace(channel.options, subscriptions=tuple(subscriptions)))
