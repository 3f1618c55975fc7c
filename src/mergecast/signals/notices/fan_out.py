"""Which messages the causes of a repository become, and for which channels. Pure."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from mergecast.queues.model.cause import ALERT, CORRECTION, END, ONCE, REMOVED, CauseName
from mergecast.queues.model.instant import (
    DAY,
    MINUTE,
    SECOND,
    duration,
    format_instant,
    parse_instant,
    to_datetime,
)
from mergecast.queues.store.baselines import decode_alert
from mergecast.queues.store.channel_rows import NoticeRow
from mergecast.queues.store.removals import Correction
from mergecast.queues.store.rows import CauseRow
from mergecast.signals.detection.alert_sentence import sentence as alert_sentence
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.notice import Notice, RemovedPull

MOST_A_MINUTE = 10
KEY_MARK = "\n"  # between the keys of causes that became one message
_INSTANTS = frozenset({"began_at", "ended_at", "below_since", "seen_at"})  # of an alert
RECENT = 3 * MINUTE  # how far back causes that were sent on are looked at


class Due(NamedTuple):
    """The causes to send on now; those that were removed become one message each, or one together."""

    removed: tuple[CauseRow, ...]
    is_burst: bool
    others: tuple[CauseRow, ...]
    corrections: tuple[CauseRow, ...] = ()  # of messages about removals

    @property
    def all(self) -> tuple[CauseRow, ...]:
        return (*self.removed, *self.corrections, *self.others)

    def only(self, is_wanted: Callable[[CauseRow], bool]) -> "Due":
        removed, others, corrections = (
            tuple(filter(is_wanted, causes)) for causes in (self.removed, self.others, self.corrections)
        )
        return Due(removed, self.is_burst, others, corrections)


def due_causes(causes: Sequence[CauseRow], now: int) -> Due:
    """Of more than ten removals within a minute, those that are not sent yet become one message.

    The next message then follows a minute after the last at the earliest.
    """
    due = [cause for cause in causes if cause.done_at is None and cause.due_at <= now]
    removed = tuple(cause for cause in due if cause.kind == REMOVED and cause.phase == ONCE)
    corrections = tuple(cause for cause in due if cause.kind == REMOVED and cause.phase == CORRECTION)
    others = tuple(cause for cause in due if cause.kind != REMOVED)
    all_removed = [cause for cause in causes if cause.kind == REMOVED and cause.phase == ONCE]
    if not _is_burst(removed, all_removed):
        return Due(removed, is_burst=False, others=others, corrections=corrections)
    last = max((cause.done_at for cause in all_removed if cause.done_at is not None), default=None)
    must_wait = last is not None and last > now - MINUTE
    return Due(() if must_wait else removed, is_burst=True, others=others, corrections=corrections)


def _is_burst(removed: Sequence[CauseRow], all_removed: Sequence[CauseRow]) -> bool:
    """Whether one of these was the eleventh or a later one within a minute."""
    instants = sorted(cause.due_at for cause in all_removed)
    return any(
        bisect_right(instants, cause.due_at) - bisect_right(instants, cause.due_at - MINUTE) > MOST_A_MINUTE
        for cause in removed
    )


class Sending(NamedTuple):
    """What is the same for all messages of a fan-out."""

    repository: str
    pages: str  # the URL of the repository's pages
    now: int


def removal_notices(
    channel: Channel, due: Due, pulls: Mapping[str, RemovedPull], sending: Sending
) -> Iterator[NoticeRow]:
    wanted = [
        cause
        for cause in due.removed
        if cause.key in pulls and channel.wants(REMOVED, pulls[cause.key].queue_name, cause.stored_at)
    ]
    by_number = sorted(wanted, key=lambda cause: pulls[cause.key].number)
    together = [by_number] if due.is_burst and wanted else [[cause] for cause in wanted]
    for causes in together:
        removed = [pulls[cause.key] for cause in causes]
        name = (REMOVED, KEY_MARK.join(cause.key for cause in causes), ONCE)
        is_single = len(removed) == 1
        notice = Notice(
            notice_id(channel.id, *name),
            REMOVED,
            ONCE,
            sending.repository,
            removed[0].base_ref if is_single else None,
            removed[0].queue_name if is_single else None,
            format_instant(min(cause.happened_at for cause in causes)),
            _sentence(removed),
            f"{sending.pages}/pulls/{removed[0].number}" if is_single else sending.pages,
            removed=removed,
        )
        yield notice_row(channel, notice, name, sending.now)


def correction_notices(
    channel: Channel, due: Due, pulls: Mapping[str, RemovedPull], sending: Sending
) -> Iterator[NoticeRow]:
    """Messages that say what to do now, if an earlier one advised something else."""
    for cause in due.corrections:
        pull = pulls.get(cause.key)
        if pull is None or pull.verdict is None or pull.verdict.act == _said(cause):
            continue
        if channel.wants(REMOVED, pull.queue_name, cause.stored_at):
            notice = Notice(
                notice_id(channel.id, *cause.name),
                REMOVED,
                CORRECTION,
                sending.repository,
                pull.base_ref,
                pull.queue_name,
                format_instant(cause.happened_at),
                pull.verdict.sentence,
                f"{sending.pages}/pulls/{pull.number}",
                corrects=notice_id(channel.id, REMOVED, cause.key, ONCE),
                removed=[pull],
            )
            yield notice_row(channel, notice, cause.name, sending.now)


def _said(cause: CauseRow) -> str:
    """The act that the earlier message advised."""
    return msgspec.json.decode(cause.document, type=Correction).said


def _sentence(removed: Sequence[RemovedPull]) -> str:
    if len(removed) > 1:
        return f"{len(removed)} pull requests left the queue without being merged."
    return f"#{removed[0].number} left the queue {removed[0].queue_name}: {removed[0].explanation}."


def other_notices(channel: Channel, due: Due, sending: Sending) -> Iterator[NoticeRow]:
    """Messages about problems and alerts. Their documents have a sentence, and perhaps more for webhooks."""
    for cause in due.others:
        if channel.wants(cause.kind, cause.queue_name, cause.stored_at):
            details = _details(cause)
            notice = Notice(
                notice_id(channel.id, *cause.name),
                cause.kind,
                cause.phase,
                sending.repository,
                cause.base_ref,
                cause.queue_name,
                format_instant(cause.happened_at),
                _told(cause, details),
                sending.pages,
                details=details,
            )
            yield notice_row(channel, notice, cause.name, sending.now)


def _details(cause: CauseRow) -> dict[str, Any]:
    """The document of a cause, with instants as everywhere else; alerts are stored with microseconds."""
    if cause.kind != ALERT:
        return msgspec.json.decode(cause.document, type=dict[str, Any])
    found = msgspec.to_builtins(decode_alert(cause.document))
    return {**found, **{name: format_instant(found[name]) for name in _INSTANTS if found[name] is not None}}


def _told(cause: CauseRow, details: Mapping[str, Any]) -> str:
    """What a cause says: problems are stored with a sentence, alerts with their figures."""
    is_alert = cause.kind == ALERT
    told = alert_sentence(decode_alert(cause.document)) if is_alert else str(details.get("sentence", ""))
    told = told.removesuffix(".")
    since = parse_instant(details["since"]) if "since" in details else None
    if cause.phase != END:
        told = told if since is None else f"since {_in_utc(since, cause.happened_at)}: {told}"
        return f"{told[:1].upper()}{told[1:]}."
    lasted = "" if since is None else f" after {duration((cause.happened_at - since) / SECOND)}"
    return f"This is over{lasted}: {told}."


def _in_utc(instant: int, now: int) -> str:
    """To the minute, with the date if that is not today's.

    >>> _in_utc(DAY // 2, DAY - 1), _in_utc(DAY // 2, DAY)
    ('12:00 UTC', '1970-01-01 12:00 UTC')
    """
    form = "%H:%M UTC" if instant // DAY == now // DAY else "%Y-%m-%d %H:%M UTC"
    return to_datetime(instant).strftime(form)


def notice_row(channel: Channel, notice: Notice, name: CauseName, now: int) -> NoticeRow:
    return NoticeRow(notice.id, channel.id, *name, now, msgspec.json.encode(notice).decode(), 0, now)


def causes_of(row: NoticeRow) -> set[CauseName]:
    """The causes that a message is about."""
    return {(row.kind, key, row.phase) for key in row.key.split(KEY_MARK)}


def notice_id(channel_id: str, kind: str, key: str, phase: str) -> str:
    """The same cause has the same id in a channel, whenever and by whichever server it is sent."""
    return sha256(f"{channel_id}\0{kind}\0{key}\0{phase}".encode()).hexdigest()[:32]
