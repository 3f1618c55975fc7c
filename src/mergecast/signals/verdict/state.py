"""What an engine remembers of one queue, and how it changes with what happens."""

from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from mergecast.queues.model.batches_ahead import KEEPS_ITS_PLACE, Kind, Step
from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.signals.verdict.bad_time import LOOKS_BACK, Window, worst
from mergecast.signals.verdict.calibration import MOST_RETURNS, Chance, Return
from mergecast.signals.verdict.case import Scene
from mergecast.signals.verdict.counts import KEPT_FOR, Counts, share_out
from mergecast.signals.verdict.episodes import Episode, Episodes
from mergecast.signals.verdict.happenings import (
    FAILED,
    PASSED,
    CheckEnded,
    CheckStarted,
    Entered,
    Left,
    Split,
)
from mergecast.signals.verdict.rates import Rates
from mergecast.signals.verdict.runs import Run, Running, Runs
from mergecast.signals.verdict.stays import Stays
from mergecast.signals.verdict.stops import NEAR, Stops
from mergecast.signals.verdict.trees import Trees
from mergecast.signals.verdict.weighed import Weighed

_RECENT: Final = 52 * HOUR
_LONGEST_RUN: Final = 7 * DAY
_UNEXPLAINED_FOR: Final = 28 * DAY
_MOST_RUNS: Final = 2_000
_MOST_STAYS: Final = 2_000  # that left unmerged, and as many that never left
_MOST_TREE: Final = 60
_MOST_LENGTHS: Final = 50
_PUSHED: Final = "PULL_REQUEST_UPDATED"


@dataclass(slots=True)
class State:
    stays: Stays = field(default_factory=Stays)
    runs: Runs = field(default_factory=Runs)
    trees: Trees = field(default_factory=Trees)
    counts: Counts = field(default_factory=Counts)
    episodes: Episodes = field(default_factory=Episodes)
    rates: Rates = field(default_factory=Rates)
    # Failed runs that no episode has counted, each with those in its tree that have not merged.
    unexplained: dict[int, list[int]] = field(default_factory=dict)
    counted: set[int] = field(default_factory=set)  # failed runs that an episode has counted
    chances: dict[int, Chance] = field(default_factory=dict)  # of removed changes
    returns: list[Return] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)  # of the last runs that passed
    stops: Stops = field(default_factory=Stops)
    splits: int = 0

    def enter(self, entered: Entered) -> None:
        number = self.stays.enter(entered)
        if number is None or entered.head_sha is None:
            return
        pushed = [
            stay for stay in self.stays.earlier(number) if stay.head_sha not in {None, entered.head_sha}
        ]
        if pushed:
            self.episodes.pushed(entered.pull_request, self.stays.change(number))

    def start(self, started: CheckStarted) -> None:
        member = self.stays.number(started.session_id)
        if member is None:
            return
        running = self.runs.running.get(started.run)
        if running is None:
            present = (self.stays.present(pull) for pull in started.pull_requests)
            listed = tuple(stay for stay in present if stay is not None)
            running = self.runs.begin(started.run, started.at, member, listed)
            self.trees.add(self._step(running, started))
        elif member not in running.members:
            running.members.append(member)
            self.trees.join(running.number, started.run.batch_id, member)

    def _step(self, running: Running, started: CheckStarted) -> Step:
        first = self.stays.known[(*running.listed, running.members[0])[0]]
        return Step(
            started.at,
            Kind.START,
            running.number,
            started.run.batch_id,
            tuple(running.members),
            entered=first.entered_at,
            priority_rule_name=first.priority_rule_name,
        )

    def split(self, split: Split) -> None:
        self.splits += 1
        present = (self.stays.present(pull) for pull in split.pull_requests)
        self.trees.split(split.at, self.splits, tuple(stay for stay in present if stay is not None))

    def end(self, ended: CheckEnded) -> Run | None:
        """The run, if its verdict is new."""
        member, found = self.stays.number(ended.session_id), None
        if member is None:
            return None
        running = self.runs.running.get(ended.run) or self.runs.begin(ended.run, ended.at, member, ())
        if member not in running.members:
            running.members.append(member)
            if running.has_verdict and running.number in self.runs.ended:
                self.runs.add_member(running.number, member)
        running.ended.append(member)
        self.trees.end(ended.at)
        if not running.has_verdict and (ended.outcome == PASSED or ended.outcome in FAILED):
            running.has_verdict, found = True, self._verdict(running, ended)
        if set(running.members) <= set(running.ended):
            self._finish(running, ended)
        return found

    def _finish(self, running: Running, ended: CheckEnded) -> None:
        """All its checks have ended."""
        if not running.has_verdict and ended.outcome not in KEEPS_ITS_PLACE:
            self.trees.stop(ended.at, running.number, ended.run.batch_id)
        del self.runs.running[ended.run]

    def _verdict(self, running: Running, ended: CheckEnded) -> Run:
        ahead = self.trees.ahead(running.number)
        self.trees.forget_run(running.number)
        tree = tuple(dict.fromkeys((*running.members, *running.listed, *reversed(ahead))))[:_MOST_TREE]
        has_passed, has_timed_out = ended.outcome == PASSED, ended.outcome == "CHECKS_TIMEOUT"
        run = Run(
            running.number,
            ended.run,
            running.started_at,
            ended.at,
            tuple(running.members),
            tree,
            has_passed,
            has_timed_out,
            () if has_passed else ended.names,
            self.stops.stopped(ended.stops, self._starts(ended), ended.at),
        )
        self.stops.note_passes(ended.passes, ended.at)
        self.runs.end(run)
        self._count(run)
        return run

    def _starts(self, ended: CheckEnded) -> list[int]:
        """When other groups began, shortly before this run ended."""
        since = min((stop.at for stop in ended.stops), default=ended.at) - NEAR
        running = ((id, run.started_at) for id, run in self.runs.running.items())
        runs = chain(running, ((run.id, run.started_at) for run in self.runs.since(since)))
        others = (at for id, at in runs if id.batch_id != ended.run.batch_id)
        return [at for at in others if since <= at <= ended.at]

    def _count(self, run: Run) -> None:
        day = self.counts.day(run.ended_at)
        day.runs += 1
        if run.has_passed:
            day.passed += not run.is_retry
            day.retries_passed += run.is_retry
            self.lengths = [*self.lengths, run.ended_at - run.started_at][-_MOST_LENGTHS:]
            return
        share_out(day.failed_names, run.kinds, 1.0)
        known = [(stay, self.stays.known.get(stay)) for stay in run.tree]
        if not any(stay and stay.left_at is not None and not stay.is_merged for _, stay in known):
            self.unexplained[run.number] = [number for number, stay in known if stay and not stay.is_merged]

    def leave(self, left: Left) -> int | None:
        """The number of the stay that left."""
        number = self.stays.leave(left)
        if number is None:
            return None
        stay = self.stays.known[number]
        self.trees.leave(left.at, number, is_merged=stay.is_merged)
        if left.reason == _PUSHED:
            self.episodes.pushed(stay.pull_request)
        self._note_return(stay.change, left.reason, has_failed=stay.has_failed)
        if stay.is_merged:
            self._merge(number, left.at)
        return number

    def _note_return(self, change: int, reason: str, *, has_failed: bool) -> None:
        """A return that ends for another reason, such as a reset of the queue, leaves it to the next one."""
        if not (has_failed or reason in {*MERGED_REASONS, _PUSHED}):
            return
        chance = self.chances.pop(change, None)
        if chance and reason != _PUSHED:
            self.returns = [*self.returns, Return(chance, not has_failed)][-MOST_RETURNS:]

    def _merge(self, number: int, at: int) -> None:
        stay = self.stays.known[number]
        self.counts.day(at).good += 1
        self.episodes.merged(stay.pull_request, stay.change)
        for run, remaining in list(self.unexplained.items()):
            if number in remaining:
                remaining.remove(number)
            if not remaining:
                del self.unexplained[run]
                self._flaked(self.runs.ended.get(run), at)

    def _flaked(self, run: Run | None, at: int) -> None:
        """Everything that this failed run tested has merged: it was a flake, or a bad time."""
        if run is None or run.number in self.counted:
            return
        weight = 1 - self._bad_time_at(run)
        day = self.counts.day(at)
        if run.is_retry:
            day.retries_flaked += weight
        else:
            day.flakes += weight
        share_out(day.flake_names, run.kinds, weight)

    def _bad_time_at(self, run: Run) -> float:
        scene = Scene(self.stays, self.runs, run.ended_at)
        others = scene.others(frozenset(run.tree), run.ended_at - LOOKS_BACK)
        return worst(self.rates, self.stays, run.names, Window(others, run.ended_at))[0]

    def remember(self, weighed: Weighed) -> None:
        """Learn from a removal."""
        case = weighed.case
        stay = self.stays.known[case.stay]
        self.episodes.add(
            Episode(case.change, stay.pull_request, case.at, case.last.kinds, weighed.posterior.terms)
        )
        self.counted.update(run.number for run in case.failed)
        for run in case.failed:
            self.unexplained.pop(run.number, None)
        self.chances[case.change] = weighed.chance

    def forget_flakes_of(self, stay: int) -> None:
        """A failed run that tested a removed one may have failed because of it."""
        self.unexplained = {run: rest for run, rest in self.unexplained.items() if stay not in rest}

    def prune(self, today: int) -> None:
        """Forget what is no longer evidence; depends on the day alone, so that a rebuilt state is equal."""
        start = today * DAY
        self.counts.prune(today)
        self.episodes.prune(today)
        self.stops.prune(today)
        self._prune_runs(start)
        self._prune_stays(start)
        kept = self.stays.known.keys()
        self.trees.prune(start - _LONGEST_RUN, kept)
        self.counted &= self.runs.ended.keys()
        self.chances = {change: chance for change, chance in self.chances.items() if change in kept}
        self.unexplained = {run: rest for run, rest in self.unexplained.items() if run in self.runs.ended}

    def _prune_runs(self, start: int) -> None:
        running = self.runs.running
        for id in [id for id, run in running.items() if run.started_at < start - _LONGEST_RUN]:
            self.trees.forget_run(running.pop(id).number)
        ended = list(self.runs.ended.values())
        old = [run for run in ended if run.ended_at < start - _RECENT and not self._is_needed(run, start)]
        self.runs.forget([run.number for run in old])
        self.runs.forget(list(self.runs.ended)[:-_MOST_RUNS])

    def _is_needed(self, run: Run, start: int) -> bool:
        if run.number in self.unexplained and run.ended_at >= start - _UNEXPLAINED_FOR:
            return True
        return any(self.stays.is_latest(member) for member in run.members)

    def _prune_stays(self, start: int) -> None:
        known, last = self.stays.known, start - KEPT_FOR * DAY
        left = [(stay.left_at, number) for number, stay in known.items() if stay.left_at is not None]
        unmerged = sorted(pair for pair in left if not known[pair[1]].is_merged)
        # Some sources do not report every exit.
        present = sorted((stay.entered_at, number) for number, stay in known.items() if stay.left_at is None)
        lasting = unmerged[-_MOST_STAYS:] + present[-_MOST_STAYS:]
        kept = {number for at, number in lasting if at >= last}
        kept |= {number for at, number in left if at >= start - 2 * _RECENT}
        self.stays.forget([number for number in known if number not in kept])
