"""A record as the events that a source would have sent, exactly or some seconds late."""

from collections.abc import Iterator

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.values import ClosedSpan
from mergecast.queues.model.event import (
    BISECTION_ENDED,
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import SECOND
from worlds.draws import chance
from worlds.reports import recorded
from worlds.world import LAG, World

BASE_REF, QUEUE_NAMES, SOURCE = "main", ("default", "other"), "world"
_SHARE_OF_LAG = {
    QUEUE_ENTERED: (0.0, 0.1),
    CHECKS_STARTED: (0.1, 0.6),
    CHECKS_ENDED: (0.0, 0.4),
    BISECTION_STARTED: (0.0, 0.2),
    BISECTION_ENDED: (0.0, 0.2),
    QUEUE_LEFT: (0.3, 1.0),
}


def events_of(world: World, record: Record) -> list[Event]:
    """All events of a record in the order of their instants; those after the end of the world included."""
    told = _Telling(world, record)
    events = [*told.stays(), *told.runs(), *told.bisections()]
    return sorted(events, key=lambda event: (event.happened_at, event.id))


def history_of(world: World, record: Record) -> list[Event]:
    """What the receiver knows when the world's days are over."""
    return [event for event in recorded(world, events_of(world, record)) if event.happened_at < world.end]


class _Telling:
    def __init__(self, world: World, record: Record) -> None:
        self.world, self.record = world, record
        self.count = 0
        self.decided = _decided_at(record)

    def stays(self) -> Iterator[Event]:
        stays = self.record.stays
        for stay in range(len(stays.pull)):
            of_stay = self._of_stay(stay)
            yield self._event(QUEUE_ENTERED, stays.entered_at[stay], of_stay)
            if stays.left_at[stay] != codes.NEVER:
                yield self._leaving(stay, of_stay)

    def _leaving(self, stay: int, of_stay: dict[str, object]) -> Event:
        stays, batch = self.record.stays, self.record.stays.batch[stay]
        freeze = _overlap(self.world.circumstances().closed, self.decided.get(stay), stays.left_at[stay])
        fields = {
            "reason": codes.REASONS[stays.reason[stay]],
            "batch_id": _batch_id(batch) if batch != codes.NEVER else None,
            "schedule_wait": 0,
            "freeze_wait": freeze,
        }
        # Pull requests that land together are merged one after the other.
        late = int(self.world.lag_seconds * SECOND * stays.place[stay] / 4)
        return self._event(QUEUE_LEFT, stays.left_at[stay] + late, of_stay | fields)

    def runs(self) -> Iterator[Event]:
        runs = self.record.runs
        for run, batch in enumerate(runs.batch):
            outcome = runs.outcome[run]
            if runs.started_at[run] == runs.ended_at[run] and outcome > codes.RETRIED:
                continue  # it was stopped before its checks began
            fields = {"batch_id": _batch_id(batch), "attempt": runs.attempt[run]}
            starting = self._moment(CHECKS_STARTED, runs.started_at[run], run)
            ending = self._moment(CHECKS_ENDED, runs.ended_at[run], run)
            members = tuple(self.record.members_of(batch))
            numbers = self._numbers(members)
            for stay in members:
                of_check = self._of_stay(stay) | fields
                yield self._at(CHECKS_STARTED, starting, of_check | {"batch_pull_requests": numbers})
                if outcome != codes.UNFINISHED:
                    said = {"outcome": codes.OUTCOMES[outcome]}
                    yield self._at(CHECKS_ENDED, ending, of_check | said)

    def bisections(self) -> Iterator[Event]:
        splits, bisections = self.record.splits, self.record.bisections
        for bisection, depth, at, batch in zip(*splits, strict=True):
            members = tuple(self.record.members_of(batch))
            fields = {
                "batch_id": _batch_id(bisections.batch[bisection]),
                "depth": depth,
                "batch_pull_requests": self._numbers(members),
            }
            yield self._event(BISECTION_STARTED, at, self._group(members[0]) | fields)
        for batch, at, culprit_found, limit_reached in zip(*bisections, strict=True):
            if at != codes.NEVER:
                fields = {
                    "batch_id": _batch_id(batch),
                    "culprit_found": bool(culprit_found),
                    "max_failures_reached": bool(limit_reached),
                }
                first = next(self.record.members_of(batch))
                yield self._event(BISECTION_ENDED, at, self._group(first) | fields)

    def _of_stay(self, stay: int) -> dict[str, object]:
        pull, turn = self.record.stays.pull[stay], self.record.stays.turn[stay]
        number = self.world.arrivals.number[pull]
        return self._group(stay) | {"session_id": f"s{number}-{turn}", "pull_request": number}

    def _group(self, stay: int) -> dict[str, object]:
        arrivals, pull = self.world.arrivals, self.record.stays.pull[stay]
        rule = "urgent" if arrivals.priority[pull] > 2000 else None
        return {"priority_rule_name": rule, "queue_name": QUEUE_NAMES[arrivals.rule[pull]]}

    def _numbers(self, members: tuple[int, ...]) -> str:
        number, pull = self.world.arrivals.number, self.record.stays.pull
        return ",".join(str(number[pull[stay]]) for stay in members)

    def _event(self, type: str, at: int, fields: dict[str, object]) -> Event:
        return self._at(type, self._moment(type, at, self.count), fields)

    def _moment(self, type: str, at: int, key: int) -> int:
        """When the source says that it happened."""
        lowest, highest = _SHARE_OF_LAG[type]
        share = lowest + (highest - lowest) * chance(self.world.seed, LAG, key, len(type))
        return at + int(self.world.lag_seconds * SECOND * share)

    def _at(self, type: str, at: int, fields: dict[str, object]) -> Event:
        self.count += 1
        known = {"id": f"w{self.world.seed}-{self.count:07d}", "type": type, "happened_at": at}
        known |= {"base_ref": BASE_REF, "source": SOURCE}
        return Event(**known | fields)  # type: ignore[arg-type]


def _batch_id(batch: int) -> str:
    return f"b{batch:06d}"


def _decided_at(record: Record) -> dict[int, int]:
    """For merged stays, the instant from which on nothing but closed time held them."""
    ended = dict(zip(record.runs.batch, record.runs.ended_at, strict=True))
    merged = [
        stay for stay, reason in enumerate(record.stays.reason) if reason in {codes.MERGED, codes.VOUCHED}
    ]
    merged.sort(key=lambda stay: (record.stays.left_at[stay], record.stays.place[stay]))
    decided: dict[int, int] = {}
    latest = landing = codes.NEVER
    for stay in merged:
        if record.stays.left_at[stay] != landing:
            landing, latest = record.stays.left_at[stay], codes.NEVER
        latest = max(latest, ended[record.stays.batch[stay]])
        decided[stay] = latest
    return decided


def _overlap(closed: tuple[ClosedSpan, ...], since: int | None, until: int) -> int:
    if since is None:
        return 0
    return sum(max(0, min(span.end, until) - max(span.start, since)) for span in closed)
