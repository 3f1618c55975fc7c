"""Which messages the causes of a repository become, and for which channels. Pure."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from mergecast.queues.answers.alerts import AlertChange
from mergecast.queues.model.cause import BEGIN, CORRECTION, ONCE, CauseName
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, duration, format_instant, to_datetime
from mergecast.queues.model.notification import ALERT, REMOVED
from mergecast.queues.stats.shown_alert import dated_alert
from mergecast.queues.store.channel_rows import NoticeRow
from mergecast.queues.store.removals import Correction
from mergecast.queues.store.rows import CauseRow
from mergecast.signals.notices.announcing import Step
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.notice import ALERTS_PAGE, Notice, RemovedPull
from mergecast.signals.thresholds.incidents import Incident, as_one

_correction = msgspec.json.Decoder(Correction)

MOST_A_MINUTE = 10
KEY_MARK = "\n"  # between the keys of causes that became one message
RECENT = 3 * MINUTE  # how far back causes that were sent on are looked at


class Due(NamedTuple):
    """The causes to send on now; those that were removed become one message each, or one together."""

    removed: tuple[CauseRow, ...]
    is_burst: bool
    alerts: tuple[CauseRow, ...]
    corrections: tuple[CauseRow, ...] = ()  # of messages about removals

    @property
    def all(self) -> tuple[CauseRow, ...]:
        return (*self.removed, *self.corrections, *self.alerts)

    def only(self, is_wanted: Callable[[CauseRow], bool]) -> "Due":
        removed, alerts, corrections = (
            tuple(filter(is_wanted, causes)) for causes in (self.removed, self.alerts, self.corrections)
        )
        return Due(removed, self.is_burst, alerts, corrections)


def due_causes(causes: Sequence[CauseRow], now: int) -> Due:
    """Of more than ten removals within a minute, those that are not sent yet become one message.

    The next message then follows a minute after the last at the earliest.
    """
    due = [cause for cause in causes if cause.done_at is None and cause.due_at <= now]
    removed = tuple(cause for cause in due if cause.kind == REMOVED and cause.phase == ONCE)
    corrections = tuple(cause for cause in due if cause.kind == REMOVED and cause.phase == CORRECTION)
    alerts = tuple(cause for cause in due if cause.kind == ALERT)
    all_removed = [cause for cause in causes if cause.kind == REMOVED and cause.phase == ONCE]
    if not _is_burst(removed, all_removed):
        return Due(removed, is_burst=False, alerts=alerts, corrections=corrections)
    last = max((cause.done_at for cause in all_removed if cause.done_at is not None), default=None)
    must_wait = last is not None and last > now - MINUTE
    return Due(() if must_wait else removed, is_burst=True, alerts=alerts, corrections=corrections)


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
    changes: Mapping[str, AlertChange] = {}  # by alert: the new level of its figure that it began with


def removal_notices(
    channel: Channel, due: Due, pulls: Mapping[str, RemovedPull], sending: Sending
) -> Iterator[NoticeRow]:
    wanted = [
        cause
        for cause in due.removed
        if cause.key in pulls
        and channel.takes(cause.stored_at)
        and channel.chooses(REMOVED, pulls[cause.key].queue_name)
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
        if channel.takes(cause.stored_at) and channel.chooses(REMOVED, pull.queue_name):
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
    return _correction.decode(cause.document).said


def _sentence(removed: Sequence[RemovedPull]) -> str:
    if len(removed) > 1:
        return f"{len(removed)} pull requests left the queue without being merged."
    return f"#{removed[0].number} left the queue {removed[0].queue_name}: {removed[0].explanation}."


def alert_notices(channel: Channel, steps: Iterable[Step], sending: Sending) -> Iterator[NoticeRow]:
    """Messages about incidents, with the alert that explains the others."""
    for step in steps:
        incident = as_one(step.incident.alerts.values(), step.happened_at)
        name = (ALERT, step.incident.id, step.phase)
        notice = Notice(
            notice_id(channel.id, *name),
            ALERT,
            step.phase,
            sending.repository,
            incident.base_ref,
            incident.queue_name,
            format_instant(step.happened_at),
            _said_of(incident, step),
            f"{sending.pages}{ALERTS_PAGE}",
            incident=step.incident.id,
            details=msgspec.to_builtins(dated_alert(incident.cause, sending.changes.get(incident.cause.id))),
        )
        yield notice_row(channel, notice, name, sending.now)


def _said_of(incident: Incident, step: Step) -> str:
    sentence = incident.sentence.removesuffix(".")
    if step.phase == BEGIN:
        return f"Since {_in_utc(incident.since, step.happened_at)}: {sentence}."
    # A sentence about the state of a queue says how long it lasted.
    after = duration(((incident.ended_at or step.happened_at) - incident.since) / SECOND)
    return f"This is over{'' if incident.state else f' after {after}'}: {sentence}."


def _in_utc(instant: int, now: int) -> str:
    """To the minute, with the date if that is not today's.

    >>> _in_utc(DAY // 2, DAY - 1), _in_utc(DAY // 2, DAY)
    ('12:00 UTC', '1970-01-01 12:00 UTC')
    """
    form = "%H:%M UTC" if instant // DAY == now // DAY else "%Y-%m-%d %H:%M UTC"
    return to_datetime(instant).strftime(form)


def notice_row(channel: Channel, notice: Notice, name: CauseName, now: int) -> NoticeRow:
    return NoticeRow(notice.id, channel.id, *name, now, msgspec.json.encode(notice).decode(), 0, now)


def notice_id(channel_id: str, kind: str, key: str, phase: str) -> str:
    """The same cause has the same id in a channel, whenever and by whichever server it is sent."""
    return sha256(f"{channel_id}\0{kind}\0{key}\0{phase}".encode()).hexdigest()[:32]
