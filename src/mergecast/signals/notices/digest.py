"""The weekly digest: when it is due, what it says, and the messages that are made of it.

A digest takes far longer to read than any other notice, and many are due at the same hour. So they are made
beside the sending of messages, which does not wait for them.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from mergecast.queues.answers.channels import Schedule
from mergecast.queues.answers.pulls import Stays
from mergecast.queues.model.cause import LONGEST_AGE, ONCE
from mergecast.queues.model.figures import FIGURES, Figure
from mergecast.queues.model.instant import MINUTE, WEEK, Window, format_instant, grid_for
from mergecast.queues.model.notification import DIGEST
from mergecast.queues.model.words import counted, in_words
from mergecast.queues.stats.answer import Page, Question
from mergecast.queues.stats.stays import STAYS
from mergecast.queues.stats.verdicts import verdict_record
from mergecast.queues.store.channel_rows import NoticeRow, add_notices
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import NOT_REMOVED
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.fan_out import KEY_MARK, notice_id, notice_row
from mergecast.signals.notices.notice import (
    Digest,
    DigestFigure,
    ExitReason,
    Notice,
    RepositoryDigest,
    SlowStay,
)
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.state.summary import SUMMARY_WITH_STATE

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SLOWEST = 3
_REASONS = 5
_MOST_STAYS = 5_000
_RECORD = 8 * WEEK
_SHOWN = (
    *("merged", "time_in_queue_p50", "time_in_queue_p95"),
    *("failure_rate", "ci_runs_per_merge", "waiting_capacity"),
)


def last_due(schedule: Schedule, now: int) -> int:
    """The last instant at which a digest was due."""
    zone = ZoneInfo(schedule.time_zone)
    local = datetime.fromtimestamp(now / 1e6, UTC).astimezone(zone)
    days = (local.weekday() - DAYS.index(schedule.day)) % 7
    due = (local - timedelta(days=days)).replace(hour=schedule.hour, minute=0, second=0, microsecond=0)
    if due > local:
        due -= timedelta(days=7)
    return int(due.astimezone(UTC).timestamp()) * 1_000_000


def read_digest(reader: Reader, known: KnownRepository, end: int, pages: str) -> RepositoryDigest:
    """A sentence about the week before `end`, and its figures; `pages` is the URL of the repository."""
    window = Window(end - WEEK, end)
    known = reader.current(known) or known
    groups = reader.groups(known.id)
    question = Question(
        known.id, window, window, grid_for(window), groups, known.first_at,
        page=Page("-seconds", _MOST_STAYS), last_at=known.last_at, is_present=True,
    )  # fmt: skip
    summary: Any = msgspec.to_builtins(SUMMARY_WITH_STATE.answer(reader, question))
    stays = STAYS.answer(reader, question)
    if not isinstance(stays, Stays):
        raise TypeError("stays have another type")
    figures = summary["all"]
    digest = Digest(
        format_instant(window.start),
        format_instant(window.end),
        [_shown(FIGURES[name], **figures[name]) for name in _SHOWN],
        [
            SlowStay(stay.pull_request, stay.queue_name, stay.seconds, f"{pages}/pulls/{stay.pull_request}")
            for stay in stays.stays[:_SLOWEST]
        ],
        _frequent([stay.reason for stay in stays.stays]),
        summary["removal_causes"] or {},
        _record(reader, known.id, end),
    )
    return RepositoryDigest(str(known.repository), summary["state"]["sentence"], pages, digest)


def _record(reader: Reader, repository_id: int, end: int) -> list[str]:
    """How often verdicts were right: a week is too short for what came of them."""
    found = verdict_record(reader, repository_id, Window(end - _RECORD, end), end)
    return [f"{queue.queue_name}: {queue.sentence}" for queue in found.queues]


def together(owner: str, digests: Sequence[RepositoryDigest]) -> tuple[str, list[RepositoryDigest]]:
    """A sentence about several repositories of an owner, and their digests, the busiest first."""
    merged = {one.repository: int(one.digest.figures[0].value or 0) for one in digests}
    pulls = counted(sum(merged.values()), "pull request")
    sentence = f"{owner} merged {pulls} in {len(digests)} repositories in the last week."
    return sentence, sorted(digests, key=lambda one: (-merged[one.repository], one.repository.lower()))


def _frequent(reasons: list[str | None]) -> list[ExitReason]:
    counts: dict[str, int] = {}
    for reason in reasons:
        if reason is not None and reason not in NOT_REMOVED:
            counts[reason] = counts.get(reason, 0) + 1
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [ExitReason(reason, in_words(reason), count) for reason, count in ordered[:_REASONS]]


def _shown(figure: Figure, value: float | None, change: float | None, **_: object) -> DigestFigure:
    text = "nothing" if value is None else figure.written(value)
    if value is not None and change is not None:
        text = f"{text} ({figure.written_change(change)})"
    return DigestFigure(f"{figure.words[:1].upper()}{figure.words[1:]}", value, change, text)


# Sentences about the changes of a repository that were first reported in the week before an instant.
NewChanges = Callable[[KnownRepository, int], Awaitable[list[str]]]


async def no_changes(_: KnownRepository, __: int) -> list[str]:
    return []


class Digests:
    def __init__(self, outbox: Outbox, new_changes: NewChanges = no_changes) -> None:
        self._outbox, self._store, self._now = outbox, outbox.store, outbox.now
        self._new_changes = new_changes
        # By channel: what was made while other repositories could not be read, and when they are tried again.
        self._made: dict[str, set[tuple[int, int]]] = {}
        self._wait_until: dict[str, int] = {}

    async def make(self, channels: Sequence[Channel]) -> None:
        for channel in channels:
            now = self._now()
            due = last_due(channel.options.digest, now)
            is_due = channel.chooses(DIGEST, None) and due > (channel.digest_at or channel.created_at)
            if is_due and now >= self._wait_until.get(channel.id, 0):
                await self._make_for(channel, due, now)

    async def _make_for(self, channel: Channel, due: int, now: int) -> None:
        """One message about all repositories; those that cannot be read now are tried again for an hour."""
        read: dict[int, RepositoryDigest] = {}
        missing, made = 0, self._made.setdefault(channel.id, set())
        if now - due < LONGEST_AGE and not channel.is_paused:
            for known in await self._covered(channel):
                if (known.id, due) not in made:
                    found = await self._outbox.isolated(known.repository, self._read(known, due))
                    if found is None:
                        missing += 1
                    else:
                        read[known.id] = found
        rows = [self._row(channel, read, due)] if read else []
        await add_notices(self._store, rows, digests=[] if missing else [(channel.id, due)])
        if missing:
            made.update((id, due) for id in read)
            self._wait_until[channel.id] = now + MINUTE
        else:
            self._made.pop(channel.id, None)

    async def _covered(self, channel: Channel) -> list[KnownRepository]:
        """The repositories of a channel that have events."""
        found = await self._store.repositories()
        return [
            known
            for known in found
            if known.events and channel in await self._outbox.of_repository(known.repository, [channel])
        ]

    async def _read(self, known: KnownRepository, due: int) -> RepositoryDigest:
        pages = self._outbox.pages(known.repository)
        read = await self._store.read(known.id, partial(read_digest, known=known, end=due, pages=pages))
        changes = await self._new_changes(known, due)
        return replace(read, digest=replace(read.digest, changes=changes))

    def _row(self, channel: Channel, read: dict[int, RepositoryDigest], due: int) -> NoticeRow:
        name = (DIGEST, KEY_MARK.join(f"{id} {due}" for id in sorted(read)), ONCE)
        id, at = notice_id(channel.id, *name), format_instant(due)
        if len(read) == 1:
            (one,) = read.values()
            notice = Notice(
                id, DIGEST, ONCE, one.repository, None, None, at, one.sentence, one.url, digest=one.digest
            )
        else:
            sentence, digests = together(channel.owner, list(read.values()))
            url = self._outbox.public_url
            notice = Notice(id, DIGEST, ONCE, channel.owner, None, None, at, sentence, url, digests=digests)
        return notice_row(channel, notice, name, self._now())
