"""Turns the causes that are due into messages that wait for their channels."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec
import structlog

from mergecast.process.background import logged
from mergecast.queues.answers.alerts import AlertChange
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.cause import BEGIN, END, LONGEST_AGE
from mergecast.queues.model.facts import Stay
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.model.verdict import Verdict
from mergecast.queues.model.words import in_words
from mergecast.queues.store.alerts import Announced, Incidents, announced_alerts, note_announced
from mergecast.queues.store.channel_rows import (
    NoticeRow,
    add_notices_in,
    repositories_with_causes,
    waiting_beginnings_in,
)
from mergecast.queues.store.failed_checks import failed_checks_of_stays
from mergecast.queues.store.held_repository import HeldRepository, SharedRows
from mergecast.queues.store.outbox import delete_old_causes, mark_as_done
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import NOT_REMOVED, Removal, mark_as_told
from mergecast.queues.store.rows import CauseRow, PullRequestRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from mergecast.queues.store.verdicts import verdicts_of_stays
from mergecast.signals.notices.announcing import alert_cause, announce
from mergecast.signals.notices.channel import Channel
from mergecast.signals.notices.fan_out import (
    RECENT,
    Due,
    Sending,
    alert_notices,
    correction_notices,
    due_causes,
    removal_notices,
)
from mergecast.signals.notices.notice import RemovalAdvice, RemovedPull
from mergecast.signals.notices.scope import scope_of
from mergecast.signals.thresholds.queue_history import FAILED_REASONS

_removal = msgspec.json.Decoder(Removal)

_verdict = msgspec.json.Decoder(Verdict)

_PATIENCE = MINUTE  # since the removal was stored
T = TypeVar("T")

log = structlog.get_logger("mergecast.notices")


# By the id of each open alert: the new level of its figure that it began with, if it is known.
ChangesOfAlerts = Callable[[KnownRepository, Sequence[Alert], int], Awaitable[Mapping[str, AlertChange]]]


class Made(NamedTuple):
    """What became of the causes that are due."""

    due: Due
    pulls: Mapping[str, RemovedPull]
    rows: Sequence[NoticeRow]
    joined: Mapping[str, Mapping[str, str]]  # by channel: the incident of each alert that began
    announced: Sequence[Announced]
    under_way: frozenset[str]  # channels that a message is being sent to


def send_on(held: HeldRepository, made: Made) -> None:
    """Store the messages, and that their causes are done: both, or neither if another server was faster."""
    found = [CauseRow(*row) for row in held.rows("causes_to_send", held.now - LONGEST_AGE, held.now - RECENT)]
    if not {cause.name for cause in made.due.all} <= {cause.name for cause in found if cause.done_at is None}:
        return
    dropped = _unsent(held.shared, made)
    rows = [row for row in made.rows if row.phase != END or (row.channel_id, row.key) not in dropped]
    add_notices_in(held.shared, rows, dropped.values())
    note_announced(held, _channels_by_alert(made, dropped))
    mark_as_told(held, _acts(made), is_burst=made.due.is_burst)
    mark_as_done(held, [cause.name for cause in (*made.due.corrections, *made.due.alerts)])


def _unsent(shared: SharedRows, made: Made) -> dict[tuple[str, str], str]:
    """Messages that still wait and say that an incident began which is over now, by channel and incident.

    Neither they nor the ends are sent.
    """
    over = {
        (row.channel_id, row.key)
        for row in made.rows
        if row.phase == END and row.channel_id not in made.under_way
    }
    waiting = waiting_beginnings_in(shared, [key for _, key in over])
    return {incident: id for incident, id in waiting.items() if incident in over}


def _channels_by_alert(made: Made, dropped: Mapping[tuple[str, str], str]) -> dict[str, Incidents]:
    """The channels of the alerts that began, and of those that were not sent after all."""
    noted: dict[str, dict[str, str]] = {cause.key: {} for cause in made.due.alerts if cause.phase == BEGIN}
    for one in made.announced:
        sent = one.incidents or {}
        if any(incident in dropped for incident in sent.items()):
            noted[one.alert.id] = dict(sent)
    for channel_id, joined in made.joined.items():
        for alert_id, incident in joined.items():
            noted[alert_id][channel_id] = incident
    return {
        id: {
            channel: incident for channel, incident in incidents.items() if (channel, incident) not in dropped
        }
        for id, incidents in noted.items()
    }


def _acts(made: Made) -> dict[str, str | None]:
    """What the messages about removals advise."""
    verdicts = {key: pull.verdict for key, pull in made.pulls.items()}
    found = {cause.key: verdicts.get(cause.key) for cause in made.due.removed}
    return {key: None if verdict is None else verdict.act for key, verdict in found.items()}


async def no_changes_of_alerts(_: KnownRepository, __: Sequence[Alert], ___: int) -> dict[str, AlertChange]:
    return {}


class Outbox:
    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        public_url: str,
        changes_of_alerts: ChangesOfAlerts = no_changes_of_alerts,
    ) -> None:
        self.store, self.now, self.public_url = store, now, public_url
        self._changes_of_alerts = changes_of_alerts
        self._tidied_at: int | None = None

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
        """The channels that receive notices of a repository."""
        return (await scope_of(self.store, name)).usable(channels)

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
        of_alerts = partial(announced_alerts, repository_id=known.id)
        announced = await self.store.read(known.id, of_alerts) if due.alerts else []
        alerts = [alert_cause(cause) for cause in due.alerts]
        begun = [cause.alert for cause in alerts if cause.phase == BEGIN]
        changes = await self._changes_of_alerts(known, begun, now)
        sending = Sending(str(known.repository), self.pages(known.repository), now, changes)
        announcements = {channel.id: announce(channel, alerts, announced) for channel in channels}
        rows = [
            row
            for channel in channels
            for row in (
                *removal_notices(channel, due, pulls, sending),
                *correction_notices(channel, due, pulls, sending),
                *alert_notices(channel, announcements[channel.id].steps, sending),
            )
        ]
        # Messages that are made together keep their order.
        rows = [row._replace(created_at=row.created_at + place) for place, row in enumerate(rows)]
        joined = {id: announcement.joined for id, announcement in announcements.items()}
        made = Made(due, pulls, rows, joined, announced, frozenset(under_way))
        await self.store.change(known.repository, partial(send_on, made=made), create=False)

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


class FoundRemoval(NamedTuple):
    pull: RemovedPull
    is_complete: bool  # no verdict and no name of a check is expected


def _waits(cause: CauseRow, found: FoundRemoval | None, now: int) -> bool:
    """Whether a message waits for more: sources that are polled say more later."""
    return found is not None and not found.is_complete and now < cause.stored_at + _PATIENCE


def read_removed(reader: Reader, repository_id: int, causes: Sequence[CauseRow]) -> dict[str, FoundRemoval]:
    """The pull requests by the keys of the causes, without those that were merged after all."""
    removals = {cause.key: _removal.decode(cause.document) for cause in causes}
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
        said = row and _verdict.decode(row.document)
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
