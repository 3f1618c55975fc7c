"""Turns the causes that are due into messages that wait for their channels."""

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec
import structlog

from mergecast.process.background import logged
from mergecast.queues.model.cause import BEGIN, END, LONGEST_AGE, CauseName
from mergecast.queues.model.facts import Stay
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.model.verdict import Verdict
from mergecast.queues.model.words import in_words
from mergecast.queues.store.channel_rows import (
    NoticeRow,
    add_notices,
    read_notices,
    repositories_with_causes,
    waiting_notices,
)
from mergecast.queues.store.delivery_rows import PullRequestRow
from mergecast.queues.store.failed_checks import failed_checks_of_stays
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.outbox import delete_old_causes, mark_as_done
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import NOT_REMOVED, Removal, mark_as_told
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from mergecast.queues.store.verdicts import verdicts_of_stays
from mergecast.signals.detection.queue_history import FAILED_REASONS
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.fan_out import (
    RECENT,
    Due,
    Sending,
    causes_of,
    correction_notices,
    due_causes,
    notice_id,
    other_notices,
    removal_notices,
)
from mergecast.signals.notices.notice import RemovalAdvice, RemovedPull

_MANY = 100_000
_PATIENCE = MINUTE  # since the removal was stored
T = TypeVar("T")

log = structlog.get_logger("mergecast.notices")


class Outbox:
    def __init__(self, store: Store, now: Callable[[], int], public_url: str) -> None:
        self.store, self.now, self.public_url = store, now, public_url
        # Causes that are messages already, by channel, but not marked as done: the last server was killed.
        self._made: defaultdict[str, set[CauseName]] = defaultdict(set)
        self._tidied_at: int | None = None

    async def begin(self) -> None:
        self._made.clear()
        for row in await read_notices(self.store, _MANY):
            self._made[row.channel_id] |= causes_of(row)

    async def fill(self, channels: Sequence[Channel], under_way: Collection[str]) -> None:
        """Make messages of what is due; `under_way` are the channels that a message is being sent to."""
        now = self.now()
        for name in await repositories_with_causes(self.store, now, now - LONGEST_AGE):
            own = await self.of_repository(name, channels)
            known = await self.store.repository(name)
            if own and known is not None:
                await self.isolated(name, self._fan_out(known, own, under_way))

    async def isolated(self, name: Repository, work: Awaitable[T]) -> T | None:
        """The result of the work; None if it failed."""
        # Other repositories go on, for example when one machine of a cluster is down.
        with logged(log, "notices wait", repository=str(name)):
            return await work
        return None

    async def of_repository(self, name: Repository, channels: Sequence[Channel]) -> list[Channel]:
        """The channels of a repository, also those that were made under a former name."""
        known = await self.store.repository(name)
        names = {None, name.name.lower()}
        for former in known.names.former if known is not None else ():
            owner, _, own = former.partition("/")
            # After a move to another owner, the former owner must not learn what happens there.
            is_same_owner = owner == name.owner.lower()
            if is_same_owner and await self.store.repository(Repository(owner, own)) is None:
                names.add(own)
        return [
            channel
            for channel in channels
            if channel.owner == name.owner.lower() and channel.repository in names
        ]

    async def _fan_out(
        self, known: KnownRepository, channels: Sequence[Channel], under_way: Collection[str]
    ) -> None:
        now = self.now()
        read = partial(_read_causes, repository_id=known.id, now=now)
        due = due_causes(await self.store.read(known.id, read), now)
        if not due.all:
            return
        causes = (*due.removed, *due.corrections)
        removed = partial(read_removed, repository_id=known.id, causes=causes)
        found = await self.store.read(known.id, removed) if causes else {}
        due = due.only(lambda cause: due.is_burst or not _waits(cause, found.get(cause.key), now))
        if not due.all:
            return
        pulls = {key: one.pull for key, one in found.items()}
        sending = Sending(str(known.repository), self.pages(known.repository), now)
        rows = [
            row
            for channel in channels
            for row in (
                *removal_notices(channel, self._new(channel, due), pulls, sending),
                *correction_notices(channel, self._new(channel, due), pulls, sending),
                *other_notices(channel, self._new(channel, due), sending),
            )
        ]
        # Messages that are made together keep their order.
        rows = [row._replace(created_at=row.created_at + place) for place, row in enumerate(rows)]
        rows, dropped = await self._without_unsent_beginnings(rows, under_way)
        if rows or dropped:
            await add_notices(self.store, rows, dropped)
        for row in rows:
            self._made[row.channel_id] |= causes_of(row)
        await self.store.change(known.repository, partial(_mark, due=due, pulls=pulls), create=False)
        done = [cause.name for cause in due.all]
        for made in self._made.values():
            made.difference_update(done)

    def _new(self, channel: Channel, due: Due) -> Due:
        made: Collection[CauseName] = self._made.get(channel.id, ())
        return due.only(lambda cause: cause.name not in made)

    async def _without_unsent_beginnings(
        self, rows: list[NoticeRow], under_way: Collection[str]
    ) -> tuple[list[NoticeRow], list[str]]:
        """The messages without ends whose beginning still waits, and those beginnings."""
        begun = {
            row.id: notice_id(row.channel_id, row.kind, row.key, BEGIN)
            for row in rows
            if row.phase == END and row.channel_id not in under_way
        }
        waiting = await waiting_notices(self.store, list(begun.values())) if begun else set()
        dropped = {id: beginning for id, beginning in begun.items() if beginning in waiting}
        return [row for row in rows if row.id not in dropped], list(dropped.values())

    async def tidy(self) -> None:
        """Delete old causes, now and then."""
        now = self.now()
        if self._tidied_at is not None and 0 <= now - self._tidied_at < 24 * HOUR:
            return
        self._tidied_at = now
        for known in await self.store.repositories():
            await self.isolated(
                known.repository, self.store.change(known.repository, delete_old_causes, create=False)
            )

    def pages(self, repository: Repository) -> str:
        return f"{self.public_url}/r/{repository.owner}/{repository.name}"


def _read_causes(reader: Reader, repository_id: int, now: int) -> list[CauseRow]:
    rows = reader.rows("causes_to_send", [repository_id, now - LONGEST_AGE, now - RECENT])
    return [CauseRow(*row) for row in rows]


def _mark(held: HeldRepository, due: Due, pulls: Mapping[str, RemovedPull]) -> None:
    """What is due has become messages."""
    acts = {
        cause.key: None
        if (pull := pulls.get(cause.key)) is None or pull.verdict is None
        else pull.verdict.act
        for cause in due.removed
    }
    mark_as_told(held, acts, is_burst=due.is_burst)
    mark_as_done(held, [cause.name for cause in (*due.corrections, *due.others)])


class FoundRemoval(NamedTuple):
    pull: RemovedPull
    is_complete: bool  # no verdict and no name of a check is expected


def _waits(cause: CauseRow, found: FoundRemoval | None, now: int) -> bool:
    """Whether a message waits for more: sources that are polled say more later."""
    return found is not None and not found.is_complete and now < cause.stored_at + _PATIENCE


def read_removed(reader: Reader, repository_id: int, causes: Sequence[CauseRow]) -> dict[str, FoundRemoval]:
    """The pull requests by the keys of the causes, without those that were merged after all."""
    removals = {cause.key: msgspec.json.decode(cause.document, type=Removal) for cause in causes}
    stays = [removal.stay for removal in removals.values()]
    verdicts = verdicts_of_stays(reader, repository_id, stays)
    ended = {stay.stay: stay for stay in read_rows(reader, repository_id, Stay, stay=stays)}
    failing = [stay.stay for stay in ended.values() if stay.reason in FAILED_REASONS]
    checks = failed_checks_of_stays(reader, repository_id, failing)
    numbers = sorted({removal.pull_request for removal in removals.values()})
    notes = {row.number: row for row in read_rows(reader, repository_id, PullRequestRow, number=numbers)}
    groups = reader.groups(repository_id)
    found = {}
    for key, removal in removals.items():
        stay, note = ended.get(removal.stay), notes.get(removal.pull_request)
        if stay is None or stay.left_at is None or stay.left_group is None or stay.reason in NOT_REMOVED:
            continue
        row, check = verdicts.get(removal.stay), checks.get(removal.stay)
        said = row and msgspec.json.decode(row.document, type=Verdict)
        pull = RemovedPull(
            number=removal.pull_request,
            title=(note and note.title) or None,
            author=(note and note.author) or None,
            url=(note and note.url) or None,
            base_ref=groups[stay.left_group].base_ref,
            queue_name=groups[stay.left_group].queue_name,
            reason=stay.reason,
            explanation=in_words(stay.reason),
            failed_check=check,
            seconds_in_queue=None if stay.queue_time is None else in_seconds(stay.queue_time),
            earlier_removals=_earlier(reader, repository_id, removal.pull_request, stay.left_at),
            left_at=format_instant(stay.left_at),
            verdict=row
            and said
            and RemovalAdvice(said.cause, said.certainty, said.act, said.sentence, row.revision),
        )
        lacks_name = check is None and stay.reason in FAILED_REASONS
        found[key] = FoundRemoval(pull, said is not None and not (lacks_name and said.basis.check_names))
    return found


def _earlier(reader: Reader, repository_id: int, number: int, left_at: int) -> int:
    """How often the pull request was removed before."""
    exits = reader.rows("last_exits", [repository_id, [number], left_at - 1])
    counts = Counter(reason not in NOT_REMOVED for _, reason in exits)
    return counts[True]
