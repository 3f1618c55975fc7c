"""Worlds in which it is known why a pull request was removed, and whether it would pass unchanged.

A run fails because something in its tree is broken, because the time is bad for everybody, or by chance.
Which check fails depends on the cause.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import exp
from random import Random
from typing import Final, NamedTuple

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    Entering,
    EnteringFields,
    Fate,
    Leaving,
    Oracle,
    Outcome,
    Policy,
    QueueRule,
    RunStart,
    RunStartFields,
    gitlab_policy,
)
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from mergecast.queues.model.verdict import EVERYBODY, FLAKE, JUDGED_BY_RUNS, OTHER, OWN
from worlds.draws import bell, chance
from worlds.events import events_of
from worlds.world import START, World, outcome

BREAKS_IN: Final = {"unit": 0.40, "lint": 0.25, "build": 0.20, "types": 0.10, "e2e": 0.05}
FLAKES_IN: Final = {"e2e": 0.60, "integration": 0.30, "unit": 0.10}
CHECKS: Final = tuple(dict.fromkeys((*BREAKS_IN, *FLAKES_IN)))

_BAD_TIMES_PER_DAY: Final = 0.15
_FAILS_IN_BAD_TIME: Final = 0.95
_FLAKES_OF_RETRIES: Final = 0.2  # at least
_BACK_UNCHANGED: Final = {True: 0.25, False: 0.70}  # of broken ones, and of good ones
_BACK_CHANGED: Final = 0.6  # of those that do not come back unchanged
_STILL_BROKEN: Final = 0.2
_MOST_RETURNS: Final = 3
_LOOKS: Final = 10 * MINUTE

(_BREAKS, _CHECK, _FAILS, _FLAKES, _FLAKES_WHERE, _RETURNS, _CHANGES, _GAP, _FRESH) = range(100, 109)


class BadTime(NamedTuple):
    start: int
    end: int
    check: str


class Failing(NamedTuple):
    """Why a run fails, if it does, and in which checks."""

    cause: str | None
    checks: tuple[str, ...] = ()


class Truth(NamedTuple):
    """A removal by CI: why it was, and whether it would pass ten minutes later."""

    session_id: str
    removed_at: int
    cause: str
    is_broken: bool
    passes: bool


@dataclass(frozen=True)
class BlamedWorld:
    world: World
    policy: Policy
    broken: float
    flakes: float
    same_checks: bool = False  # flakes show in the checks that breakage shows in

    @cached_property
    def bad_times(self) -> tuple[BadTime, ...]:
        draw, found = Random(f"{self.world.seed}:bad times"), list[BadTime]()
        at = START + int(draw.expovariate(_BAD_TIMES_PER_DAY) * DAY)
        while at < self.world.end:
            end = at + int(draw.uniform(1, 4) * HOUR)
            found.append(BadTime(at, end, draw.choice(CHECKS)))
            at = end + int(draw.expovariate(_BAD_TIMES_PER_DAY) * DAY)
        return tuple(found)

    def bad_time_at(self, at: int) -> BadTime | None:
        return next((time for time in self.bad_times if time.start <= at < time.end), None)

    def commit(self, pull: int, turn: int) -> int:
        """How often it was changed before this stay."""
        return sum(self._returns(pull, before) == "changed" for before in range(turn))

    def is_broken(self, pull: int, turn: int) -> bool:
        return self._commit_is_broken(pull, self.commit(pull, turn))

    def _commit_is_broken(self, pull: int, commit: int) -> bool:
        was_broken = commit > 0 and self._commit_is_broken(pull, commit - 1)
        share = _STILL_BROKEN if was_broken else self.broken
        return chance(self.world.seed, _BREAKS, pull, commit) < share

    def breaks(self, pull: int, turn: int) -> str:
        """The check in which this one shows that it is broken."""
        drawn = chance(self.world.seed, _CHECK, pull, self.commit(pull, turn))
        return _drawn(BREAKS_IN, drawn)

    def _returns(self, pull: int, turn: int) -> str:
        seed = self.world.seed
        if turn >= _MOST_RETURNS:
            return "never"
        if chance(seed, _RETURNS, pull, turn) < _BACK_UNCHANGED[self.is_broken(pull, turn)]:
            return "unchanged"
        return "changed" if chance(seed, _CHANGES, pull, turn) < _BACK_CHANGED else "never"

    def comes_back(self, leaving: Leaving) -> int:
        if self._returns(leaving.pull, leaving.turn) == "never":
            return codes.NEVER
        return int(MINUTE * (1 + 60 * exp(bell(self.world.seed, _GAP, leaving.pull, leaving.turn))))

    def play(self) -> "Blamed":
        failing: list[Failing] = []

        def fate(blamed: "BlamedWorld", fields: EnteringFields) -> Fate:
            entering = Entering(*fields)
            is_broken = blamed.is_broken(entering.pull, entering.turn)
            return Fate(codes.BROKEN if is_broken else 0, codes.NEVER, codes.BY_HAND)

        def run(blamed: "BlamedWorld", fields: RunStartFields) -> Outcome:
            found, why = blamed.outcome(fields)
            failing.append(why)
            return found

        oracle = Oracle(self, fate, run, BlamedWorld.comes_back)
        record = replay(self.world.arrivals, self.policy, oracle, self.world.circumstances())
        return Blamed(self, record, failing)

    def outcome(self, fields: RunStartFields) -> tuple[Outcome, Failing]:
        start, seed = RunStart(*fields), self.world.seed
        found = outcome(self.world, fields)
        if start.broken:
            return found, Failing(OWN)
        bad = self.bad_time_at(start.at + found.delay + found.length // 2)
        if bad and chance(seed, _FAILS, start.leader, start.led) < _FAILS_IN_BAD_TIME:
            return found._replace(verdict=codes.FAIL), Failing(EVERYBODY, (bad.check,))
        flakes = max(self.flakes, _FLAKES_OF_RETRIES) if start.attempt > 1 else self.flakes
        if chance(seed, _FLAKES, start.leader, start.led) < flakes:
            drawn = chance(seed, _FLAKES_WHERE, start.leader, start.led)
            check = _drawn(BREAKS_IN if self.same_checks else FLAKES_IN, drawn)
            return found._replace(verdict=codes.FAIL), Failing(FLAKE, (check,))
        return found._replace(verdict=codes.PASS), Failing(None)


def _drawn(shares: dict[str, float], drawn: float) -> str:
    for name, share in shares.items():
        drawn -= share
        if drawn < 0:
            return name
    return next(reversed(shares))


@dataclass(frozen=True)
class Blamed:
    """What happened in such a world."""

    blamed: BlamedWorld
    record: Record
    failing: list[Failing]

    @cached_property
    def events(self) -> list[Event]:
        return events_of(self.blamed.world, self.record)

    @cached_property
    def heads(self) -> dict[str, str]:
        """The commit of each stay."""
        stays = self.record.stays
        return {
            self.session(
                stay
            ): f"{stays.pull[stay]:08x}{self.blamed.commit(stays.pull[stay], stays.turn[stay]):032x}"
            for stay in range(len(stays.pull))
        }

    @cached_property
    def names(self) -> dict[tuple[str, int], tuple[str, ...]]:
        """The checks that failed in each run that failed."""
        runs = self.record.runs
        failed = {codes.FAIL, codes.RETRIED, codes.TIMEOUT}
        return {
            (f"b{runs.batch[run]:06d}", runs.attempt[run]): self._checks(run)
            for run in range(len(runs.batch))
            if runs.outcome[run] in failed
        }

    def _checks(self, run: int) -> tuple[str, ...]:
        if self.failing[run].cause != OWN:
            return self.failing[run].checks
        stays = self.record.stays
        return tuple(
            sorted({self.blamed.breaks(stays.pull[stay], stays.turn[stay]) for stay in self._at_fault(run)})
        )

    def _at_fault(self, run: int) -> list[int]:
        """The broken ones in the tree of a run: of its members, or else of those ahead."""
        members = list(self.record.members_of(self.record.runs.batch[run]))
        broken = [stay for stay in members if self._is_broken(stay)]
        return broken or [stay for stay in self._ahead(members[0], run) if self._is_broken(stay)]

    def _ahead(self, first: int, run: int) -> Iterator[int]:
        stays, at = self.record.stays, self.record.runs.formed_at[run]
        for stay in range(first):
            left_at = stays.left_at[stay]
            if left_at == codes.NEVER or left_at > at:
                yield stay

    def _is_broken(self, stay: int) -> bool:
        return self.blamed.is_broken(self.record.stays.pull[stay], self.record.stays.turn[stay])

    def session(self, stay: int) -> str:
        pull, turn = self.record.stays.pull[stay], self.record.stays.turn[stay]
        return f"s{self.blamed.world.arrivals.number[pull]}-{turn}"

    @cached_property
    def truths(self) -> list[Truth]:
        """The removals by CI."""
        stays = self.record.stays
        last = self._last_failures()
        return [
            self._truth(stay, last.get(stay))
            for stay, reason in enumerate(stays.reason)
            if stays.left_at[stay] != codes.NEVER and codes.REASONS[reason] in JUDGED_BY_RUNS
        ]

    def _last_failures(self) -> dict[int, int]:
        """The last failed run of each stay."""
        runs, last = self.record.runs, dict[int, int]()
        for run in sorted(range(len(runs.batch)), key=lambda run: runs.ended_at[run]):
            if runs.outcome[run] in {codes.FAIL, codes.RETRIED, codes.TIMEOUT}:
                last |= dict.fromkeys(self.record.members_of(runs.batch[run]), run)
        return last

    def _truth(self, stay: int, last: int | None) -> Truth:
        blamed, at = self.blamed, self.record.stays.left_at[stay]
        is_broken = self._is_broken(stay)
        cause = self.failing[last].cause if last is not None else None
        why = OWN if is_broken else OTHER if cause == OWN else cause or FLAKE
        later = blamed.bad_time_at(at + _LOOKS)
        share = _FAILS_IN_BAD_TIME if later else blamed.flakes
        passes = not is_broken and chance(blamed.world.seed, _FRESH, stay) >= share
        return Truth(self.session(stay), at, why, is_broken, passes)


def _queue(batch: int, parallel: int, retries: int) -> Policy:
    return Policy(
        (QueueRule(batch_size_max=batch, max_checks_retries=retries),), max_parallel_checks=parallel
    )


MODES: Final = ("alone", "batches of 4", "5 in parallel", "trains")
_BROKEN: Final = (0.02, 0.05, 0.15)
_FLAKES_RATES: Final = (0.005, 0.05, 0.2)
_RETRIED_FROM: Final = 0.01  # queues whose runs flake more often retry them
_PER_DAY: Final = (40.0, 60.0, 80.0)


def blamed_worlds(seed: int, *, days: int = 56, same_checks: bool = False) -> dict[str, BlamedWorld]:
    """For each mode, three worlds that differ in how much is broken and how much flakes."""
    found: dict[str, BlamedWorld] = {}
    for place, mode in enumerate(MODES):
        for level, broken in enumerate(_BROKEN):
            flakes = _FLAKES_RATES[(place + level) % 3]
            retries = 1 if flakes > _RETRIED_FROM else 0
            world = World(
                100 * seed + 10 * place + level, days=days, pulls_per_day=_PER_DAY[level], length_median=12,
                broken=0.0, flakes=0.0, flakes_again=0.0, cancelled=0.0, conflicting=0.0, refused=0.0,
                leaving_per_hour=0.0, rhythm="round the clock", weekend=0.4,
            )  # fmt: skip
            policy = {
                "alone": _queue(1, 1, retries),
                "batches of 4": _queue(4, 1, retries),
                "5 in parallel": _queue(1, 5, retries),
                "trains": gitlab_policy(),
            }[mode]
            name = f"{mode}, {broken:.0%} broken, {flakes:.1%} flakes"
            found[name] = BlamedWorld(world, policy, broken, flakes, same_checks)
    return found
