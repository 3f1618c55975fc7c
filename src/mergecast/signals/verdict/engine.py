"""The state of one queue, from which removals are judged."""

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from mergecast.queues.model.batches_ahead import LAG
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.verdict import (
    BY_REASON,
    JUDGED_BY_RUNS,
    LOOK,
    NO_VERDICT,
    REVISED_FOR,
    WAIT,
    WAITS_FOR,
    Basis,
    Suspicion,
    Verdict,
)
from mergecast.signals.verdict.calibration import Calibration, Return, calibrate
from mergecast.signals.verdict.case import SEEN_AFTER, Scene
from mergecast.signals.verdict.counts import KEPT_FOR
from mergecast.signals.verdict.happenings import (
    CheckEnded,
    CheckStarted,
    Entered,
    Happening,
    Left,
    Split,
)
from mergecast.signals.verdict.judgement import Judgement
from mergecast.signals.verdict.rates import Rates, learn
from mergecast.signals.verdict.state import State
from mergecast.signals.verdict.weighed import Weighed, Weigher

# Names of failed checks are reported some seconds after the end of a run.
_LAST_LOOK: Final = REVISED_FOR - LAG
_OVER: Final = 0.1  # a bad time that is less probable is over
# After so many days in which nothing happens, a state has forgotten everything that it ever forgets.
_MOST_DAYS: Final = KEPT_FOR + 28

# Raise it with every change of what the engine remembers or learns.
STATE_VERSION: Final = 3

Judged = tuple[str, Verdict]  # the session and its verdict


@dataclass(slots=True)
class _Removal:
    """A removal whose verdict may still change."""

    stay: int
    at: int
    reason: str
    ahead: int | None  # the pull request ahead of it, if there was exactly one
    is_settled: bool = False
    # Of "wait": what was said in the end, and the rates that it rests on.
    waiting: Verdict | None = None
    rates: Rates | None = None

    @property
    def due_at(self) -> int:
        """After this instant it is settled, looked at for the last time, or given up."""
        if not self.is_settled:
            return self.at + SEEN_AFTER
        return self.at + (_LAST_LOOK if self.waiting is None else WAITS_FOR)


@dataclass(slots=True)
class _Memory:
    """Everything that a dump holds."""

    version: int = STATE_VERSION
    at: int | None = None
    state: State = field(default_factory=State)
    removals: dict[str, _Removal] = field(default_factory=dict)  # by session, oldest first


@dataclass(slots=True)
class _Versioned:
    version: int


# Made before there are threads: two of them that meet a class at once for the first time end the process
# (msgspec 0.22).
_memory_of = msgspec.msgpack.Decoder(_Memory)
_version_of = msgspec.msgpack.Decoder(_Versioned)


class OtherVersion(ValueError):
    """A dump of another version: the state must be rebuilt from the first event."""


class Engine:
    """Everything that verdicts need of what happened up to `at`; at most 1 MB when it is dumped.

    Happenings are applied in their order. One that happened before `at` cannot be added: load an earlier
    dump and replay.
    """

    def __init__(self) -> None:
        self._memory = _Memory()
        self._calibrated: tuple[list[Return], Calibration | None] = ([], None)

    @property
    def at(self) -> int | None:
        """The instant of the last happening or `advance`."""
        return self._memory.at

    @property
    def open_removals(self) -> tuple[str, ...]:
        """The sessions whose verdicts may still change, oldest removal first."""
        return tuple(self._memory.removals)

    @property
    def stopping_checks(self) -> Collection[str]:
        """The checks that were cancelled in runs; how long they take when they pass should be given too."""
        return self._memory.state.stops.lengths.keys()

    @property
    def returns(self) -> Sequence[Return]:
        """What became of the last pull requests that came back unchanged, oldest first."""
        return self._memory.state.returns

    def dump(self) -> bytes:
        """The whole state; `Engine.load(engine.dump())` continues exactly like `engine`."""
        return zlib.compress(msgspec.msgpack.encode(self._memory), 1)

    @classmethod
    def load(cls, state: bytes) -> "Engine":
        """Raises OtherVersion if it was dumped by a program that remembers something else."""
        unpacked = zlib.decompress(state)
        if _version_of.decode(unpacked).version != STATE_VERSION:
            raise OtherVersion
        engine = cls()
        engine._memory = _memory_of.decode(unpacked)
        return engine

    def apply(self, happening: Happening) -> list[Judged]:
        """Add what happened. Returns the removals that are judged for the last time, with these verdicts.

        "Wait" may be returned before the bad time is over; then another verdict follows.
        """
        closed = self.advance(happening.at)
        if isinstance(happening, Entered):
            closed += self._enter(happening)
        elif isinstance(happening, Left):
            self._leave(happening)
        elif isinstance(happening, CheckStarted):
            closed += self._start(happening)
        elif isinstance(happening, Split):
            self._memory.state.split(happening)
        else:
            closed += self._end(happening)
        return closed

    def advance(self, at: int) -> list[Judged]:
        """Let time pass without a happening; returns the same as `apply`."""
        before = self._memory.at
        if before is not None and at < before:
            raise ValueError(f"happened at {at}, before {before}")
        days = range((at if before is None else before) // DAY + 1, at // DAY + 1)[:_MOST_DAYS]
        closed = [judged for day in days for judged in self._begin_day(day)]
        return closed + self._advance(at)

    def _begin_day(self, day: int) -> list[Judged]:
        closed = self._advance(day * DAY)
        self._memory.state.prune(day)
        return closed

    def _advance(self, at: int) -> list[Judged]:
        closed: list[Judged] = []
        while due := self._due(at):
            closed += self._pass(due)
        self._memory.state.trees.advance(at)
        self._memory.at = at
        return closed

    def judge(self, session_id: str) -> Verdict | None:
        """The verdict about an open removal from what is known now; None if it is not open."""
        removal, now = self._memory.removals.get(session_id), self._memory.at
        if removal is None or now is None:
            return None
        return self._revised(removal, now) or removal.waiting

    def suspicions(self) -> list[Suspicion]:
        """About the pull requests in the queue of which a run has failed, in this stay or an earlier one."""
        now, stays = self._memory.at, self._memory.state.stays
        if now is None:
            return []
        weigher = self._weigher(self._learned(now), now, now)
        present = [number for number, stay in stays.known.items() if stay.left_at is None]
        found = (weigher.suspicion(number) for number in present)
        return [suspicion for suspicion in found if suspicion]

    def _due(self, at: int) -> _Removal | None:
        due = [removal for removal in self._memory.removals.values() if removal.due_at < at]
        return min(due, key=lambda removal: (removal.due_at, removal.stay), default=None)

    def _pass(self, removal: _Removal) -> list[Judged]:
        if not removal.is_settled:
            self._settle(removal)
            return []
        if removal.waiting is not None:
            self._close(removal)
            return []
        verdict = self._verdict(removal, removal.due_at)
        if verdict.act == WAIT and removal.reason not in BY_REASON:
            removal.waiting, removal.rates = verdict, self._memory.state.rates
            return [(self._session(removal), verdict)]
        return [(self._close(removal), verdict)]

    def _session(self, removal: _Removal) -> str:
        return self._memory.state.stays.known[removal.stay].session_id

    def _close(self, removal: _Removal) -> str:
        """Its verdict is not changed any more."""
        session_id = self._session(removal)
        del self._memory.removals[session_id]
        return session_id

    def _enter(self, entered: Entered) -> list[Judged]:
        closed = self._close_returned(entered)
        self._memory.state.enter(entered)
        return closed

    def _start(self, started: CheckStarted) -> list[Judged]:
        """A stay whose entering was not recorded is known from its first check."""
        state, session_id = self._memory.state, started.session_id
        closed = []
        if state.stays.number(session_id) is None:
            closed = self._enter(Entered(started.at, session_id, started.pull_request, None, None))
        state.start(started)
        return closed

    def _close_returned(self, entered: Entered) -> list[Judged]:
        """It has come back, so its verdict is not changed any more."""
        stays, closed = self._memory.state.stays, list[Judged]()
        for removal in list(self._memory.removals.values()):
            if stays.pull_request(removal.stay) == entered.pull_request:
                if removal.waiting is None:
                    closed.append((self._session(removal), self._verdict(removal, entered.at)))
                if not removal.is_settled:
                    self._settle(removal)
                self._close(removal)
        return closed

    def _leave(self, left: Left) -> None:
        state = self._memory.state
        ahead = self._one_ahead(left)
        stay = state.leave(left)
        if stay is None:
            return
        if left.reason in NO_VERDICT:
            if not state.stays.known[stay].is_merged:
                state.forget_flakes_of(stay)
            return
        reason = left.reason if left.reason in BY_REASON or left.reason in JUDGED_BY_RUNS else "UNKNOWN"
        self._memory.removals[left.session_id] = _Removal(stay, left.at, reason, ahead)

    def _one_ahead(self, left: Left) -> int | None:
        """The pull request ahead of it, if there is exactly one."""
        if left.reason != "CONFLICT_WITH_PULL_AHEAD":
            return None
        stays = self._memory.state.stays
        number = stays.number(left.session_id)
        present = [
            stay
            for other, stay in stays.known.items()
            if stay.left_at is None and other != number and (number is None or other < number)
        ]
        return present[0].pull_request if len(present) == 1 else None

    def _end(self, ended: CheckEnded) -> list[Judged]:
        """A bad time is over when runs pass again."""
        if self._memory.state.end(ended) is None:
            return []
        waiting = [removal for removal in self._memory.removals.values() if removal.waiting]
        found = [(removal, self._revised(removal, ended.at)) for removal in waiting]
        return [(self._close(removal), verdict) for removal, verdict in found if verdict]

    def _revised(self, removal: _Removal, now: int) -> Verdict | None:
        """The verdict of now; of one that waits, only if its bad time is over."""
        if removal.waiting is None:
            return self._verdict(removal, min(now, removal.at + _LAST_LOOK))
        weighed = self._weigh(removal, now)
        if weighed is None or removal.rates is None:
            return None
        verdict = self._judgement(removal, now).by_runs(weighed)
        is_over = verdict.act != LOOK or weighed.bad_now < _OVER
        return verdict if verdict.act != WAIT and is_over else None

    def _settle(self, removal: _Removal) -> None:
        """Learn from it, once all runs have ended that may be why."""
        state = self._memory.state
        removal.is_settled = True
        if removal.reason in JUDGED_BY_RUNS:
            state.rates = self._learned(removal.at)
            state.counts.day(removal.at).removals += 1
            weigher = self._weigher(state.rates, removal.at + SEEN_AFTER, removal.at)
            if weighed := weigher.weigh(removal.stay):
                state.remember(weighed)
        state.forget_flakes_of(removal.stay)

    def _learned(self, at: int) -> Rates:
        state = self._memory.state
        # What is certain counts for as long as what is learned, or rates would be too low.
        return learn(state.counts.totals(at, state.episodes.since), state.episodes.kept, at)

    def _verdict(self, removal: _Removal, now: int) -> Verdict:
        judgement = self._judgement(removal, now)
        if removal.reason in BY_REASON:
            return judgement.by_reason(removal.reason, removal.ahead)
        weighed = self._weigh(removal, now)
        return judgement.by_runs(weighed) if weighed else judgement.without_runs()

    def _weigh(self, removal: _Removal, now: int) -> Weighed | None:
        state = self._memory.state
        rates = removal.rates or (state.rates if removal.is_settled else self._learned(removal.at))
        until = min(max(now, removal.at), removal.at + _LAST_LOOK)
        return self._weigher(rates, until, now).weigh(removal.stay)

    def _weigher(self, rates: Rates, until: int, now: int) -> Weigher:
        state = self._memory.state
        return Weigher(Scene(state.stays, state.runs, until), rates, state.counted, now)

    def _judgement(self, removal: _Removal, now: int) -> Judgement:
        state = self._memory.state
        has_commit = state.stays.known[removal.stay].head_sha is not None
        basis = Basis(*state.counts.recorded(removal.at), has_commit, len(state.returns))
        return Judgement(state.stays, removal.stay, now, basis, self._calibration(), tuple(state.lengths))

    def _calibration(self) -> Calibration | None:
        """Computed again only after another return."""
        returns = self._memory.state.returns
        if self._calibrated[0] is not returns:
            self._calibrated = returns, calibrate(returns)
        return self._calibrated[1]
