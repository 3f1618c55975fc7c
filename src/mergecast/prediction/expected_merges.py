"""When queued pull requests will probably merge, computed in the background for each base branch."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields

import structlog
from msgspec.structs import replace

from mergecast.errors import MergecastError, Unavailable
from mergecast.judge.messages import (
    BEFORE,
    EXPECTED_MERGES,
    CheckFound,
    EtaFound,
    ExpectedMergeFound,
    ExpectedMergesAnswer,
    ExpectedMergesQuestion,
    Measured,
    RecordedWindow,
)
from mergecast.prediction.forecaster import Forecaster
from mergecast.prediction.history import recorded_events
from mergecast.process.background import Background
from mergecast.process.lru import RecentEntries
from mergecast.queues.answers.queue import (
    ChanceBin,
    Entry,
    Eta,
    EtaRange,
    EtaWindow,
    ExpectedMerge,
    ExpectedState,
    QueueTrust,
)
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window, format_instant, parse_instant
from mergecast.queues.model.queue_rules import QueueRules
from mergecast.queues.model.words import from_here
from mergecast.queues.stats.queue_contents import Queue
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.errors import ChildError
from mergecast.signals.thresholds.judged import ALERTED_NOW, FORGOTTEN

_DAYS = 60
_FRESH = MINUTE  # how long expected merges are shown before they are computed again
_RECENT = 5 * MINUTE
_TRUSTED = HOUR  # how long the measured errors of past forecasts are shown
_MOST_BRANCHES = 1000
_MOST_AT_ONCE = 20  # of any number of branches; the others follow when they are asked for again
_MOST_CHECKS = 50_000  # that failed; of more, the last
_OWN_WORK = "expected merges"  # takes turns with the callers

Branch = tuple[int, str]  # a repository and a base ref
# With fewer events there are not enough merged pull requests for a forecast.
_LEAST_EVENTS = 800


@dataclass(frozen=True)
class Expected:
    """The expected merges of the queues of one branch."""

    computed_at: int | None = None
    state: ExpectedState = "pending"
    merges: Mapping[str, ExpectedMerge] = field(default_factory=dict)  # by session
    rules: Mapping[str, QueueRules] = field(default_factory=dict)  # by queue
    trust: QueueTrust | None = None
    trust_measured_at: int | None = None
    measured: Measured | None = None  # with the trust

    def recent(self, session_id: str, at: int) -> ExpectedMerge | None:
        """The expected merge, unless it was computed so long ago that the queue has moved on."""
        return self.merges.get(session_id) if _is_within(_RECENT, self.computed_at, at) else None

    def state_of(self, entries: Iterable[Entry]) -> ExpectedState:
        """`pending` if a pull request entered after this computation: the next one includes it."""
        if self.state != "known" or self.computed_at is None:
            return self.state
        is_complete = all(parse_instant(entry.entered_at) <= self.computed_at for entry in entries)
        return "known" if is_complete else "pending"


log = structlog.get_logger("mergecast.forecast")


class ExpectedMerges(Background):
    """Answers with the last result, and computes a new one in the background when that is old."""

    def __init__(self, forecaster: Forecaster) -> None:
        super().__init__()
        self._forecaster = forecaster
        self._known: RecentEntries[Branch, Expected] = RecentEntries(_MOST_BRANCHES)
        self._under_way: dict[Branch, asyncio.Task[None]] = {}

    def of_branches(self, known: KnownRepository, base_refs: Iterable[str], at: int) -> dict[str, Expected]:
        """By base ref; nothing for a repository with too few events."""
        if known.events < _LEAST_EVENTS:
            return {}
        return {base_ref: self._of_branch((known.id, base_ref), at) for base_ref in dict.fromkeys(base_refs)}

    def _of_branch(self, branch: Branch, at: int) -> Expected:
        found = self._known.get(branch) or Expected()
        is_fresh = _is_within(_FRESH, found.computed_at, at)
        has_room = len(self._under_way) < _MOST_AT_ONCE
        if not is_fresh and branch not in self._under_way and has_room:
            task = self._under_way[branch] = self._begin(self._compute(branch, at, found))
            task.add_done_callback(lambda _: self._under_way.pop(branch, None))
        return found

    async def _compute(self, branch: Branch, at: int, before: Expected) -> None:
        repository_id, base_ref = branch
        window = Window(at - _DAYS * DAY, at)
        found = Expected(at, "failed")
        measured = before.measured if _is_within(_TRUSTED, before.trust_measured_at, at) else None
        since = window.start - BEFORE if measured is None else (before.trust_measured_at or at) - DAY
        try:
            read = recorded_events(repository_id, base_ref, window)
            events = await self._forecaster.query(_OWN_WORK, repository_id, read)
            if events is None:
                found = Expected(at, "too_many_events")
            else:
                failed = _failed_checks(repository_id, Window(since, at))
                checks = await self._forecaster.query(_OWN_WORK, repository_id, failed)
                recorded = RecordedWindow(events.rows, *window, None, in_force=events.in_force)
                question = ExpectedMergesQuestion(recorded, checks, measured)
                answer = await self._forecaster.ask(
                    _OWN_WORK, EXPECTED_MERGES, question, ExpectedMergesAnswer
                )
                found = _known(answer, before, at)
        except Unavailable as busy:
            # Whoever asks next lets it begin again: that the machine is busy says nothing about the queue.
            found = replace_fields(before, state="pending") if before.state == "failed" else before
            log.info("expected merges are postponed", base_ref=base_ref, reason=str(busy))
        except (MergecastError, ChildError) as error:
            log.warning("expected merges could not be computed", base_ref=base_ref, error=str(error))
        self._known.put(branch, found)


def _is_within(term: int, since: int | None, at: int) -> bool:
    return since is not None and at - since < term


def _failed_checks(repository_id: int, window: Window) -> Callable[[Reader], tuple[CheckFound, ...]]:
    def read(reader: Reader) -> tuple[CheckFound, ...]:
        rows = reader.rows("failed_ci_checks", [repository_id, *window, _MOST_CHECKS])
        return tuple(CheckFound(*row) for row in rows)

    return read


def _known(answer: ExpectedMergesAnswer, before: Expected, at: int) -> Expected:
    rules = {one.queue_name: one for one in answer.rules}
    if answer.is_too_little:
        return Expected(at, "too_little_history", rules=rules)
    merges = {merge.session_id: expected for merge in answer.merges if (expected := _expected(merge, at))}
    if answer.measured is None:
        return replace_fields(before, computed_at=at, state="known", merges=merges, rules=rules)
    trust = None if answer.eta is None else QueueTrust(_eta(answer.eta))
    return Expected(at, "known", merges, rules, trust, at, answer.measured)


def _eta(found: EtaFound) -> Eta:
    windows = tuple(EtaWindow(round(p50, 3), round(p90, 3), cases) for p50, p90, cases in found.windows)
    chances = tuple(
        ChanceBin(round(predicted, 3), round(merged, 3), cases) for predicted, merged, cases in found.chances
    )
    return Eta(
        *(round(found.p50, 3), round(found.p90, 3), found.cases),
        *(_range(found.p50_range), _range(found.p90_range)),
        *(windows, chances),
    )


def _range(found: tuple[float, float] | None) -> EtaRange | None:
    return None if found is None else EtaRange(round(found[0], 3), round(found[1], 3))


def _expected(found: ExpectedMergeFound, at: int) -> ExpectedMerge | None:
    if found.p50 is None or found.p90 is None:
        return None
    p50, p90 = (format_instant(at + int(seconds) * SECOND) for seconds in (found.p50, found.p90))
    return ExpectedMerge(p50, p90, round(found.chance, 3))


def while_working(
    expected: Expected, queue: Queue, alerts: Iterable[Alert], *, is_quiet: bool = False
) -> Expected:
    """What can be expected of a queue: nothing while it is silent, or does not work."""
    if expected.state not in ("known", "pending"):
        return expected
    rules = expected.rules.get(queue.queue_name)
    state: ExpectedState
    if is_quiet:
        state = "silent"
    elif any(_stops(alert, queue) for alert in alerts):
        state = "alert"
    elif rules is not None and not rules.has_runs and not queue.batches:
        state = "no_runs"
    else:
        return expected
    return replace_fields(expected, state=state, merges={}, trust=None)


def _stops(alert: Alert, queue: Queue) -> bool:
    is_here = (alert.base_ref, alert.queue_name) == (queue.base_ref, queue.queue_name)
    return is_here and alert.figure in ALERTED_NOW and alert.figure != FORGOTTEN


def with_expected(queue: Queue, expected: Expected) -> Queue:
    entries = tuple(_with_chance(entry, expected.merges.get(entry.session_id)) for entry in queue.entries)
    state = expected.state_of(queue.entries)
    return replace(queue, entries=entries, expected_merges=state, trust=expected.trust)


def _with_chance(entry: Entry, expected: ExpectedMerge | None) -> Entry:
    failed = entry.failed
    if failed is not None and expected is not None:
        failed = replace(failed, sentence=f"{failed.sentence}; {from_here(expected.chance)}")
    return replace(entry, expected_merge=expected, failed=failed)
