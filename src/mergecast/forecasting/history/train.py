"""The record of one train, with the lookups that detectors and estimates share, and what detectors find."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG, stays_ahead
from mergecast.forecasting.history.standstills import Span, standstills
from mergecast.forecasting.history.structure import History, Run, Split, Stay

# A waiting pull request entered not long ago: only this many stays before an instant are checked.
_NEAR_BY: Final = 40


class Detection(NamedTuple):
    """`cases` is how often the history shows this value; 0 means that the documented rule is assumed."""

    rule: str
    value: str
    cases: int


class Tally(NamedTuple):
    """How often a history contradicts the documented rule, and how often it agrees."""

    against: int
    agreeing: int

    @property
    def is_against(self) -> bool:
        """Late reports make single cases unreliable, so most of the cases must agree."""
        return self.against > self.agreeing

    def detection(self, rule: str, documented: str, other: str) -> Detection:
        if self.is_against:
            return Detection(rule, other, self.against)
        return Detection(rule, documented, self.agreeing)


@dataclass(frozen=True)
class Train:
    """One train: a base branch with all its queues, or one queue if each has its own train."""

    history: History

    @cached_property
    def ahead(self) -> list[tuple[int, ...]]:
        """For each run, the stays that were ahead of its batch."""
        return stays_ahead(self.history)

    @cached_property
    def standstills(self) -> tuple[Span, ...]:
        """When CI stood still: runs in progress did not end."""
        return standstills(self.history.runs)

    @cached_property
    def runs_of(self) -> dict[int, list[Run]]:
        """The runs of each stay, by start."""
        found: dict[int, list[Run]] = defaultdict(list)
        for run in self.history.runs:
            for member in run.members:
                found[member].append(run)
        return found

    def members_of(self, tested: Run | Split) -> list[Stay]:
        return [self.history.stays[member] for member in tested.members]

    def stops(self, outcome: str) -> list[float]:
        """When runs ended with this outcome, in order."""
        return sorted(
            run.ended for run in self.history.runs if run.outcome == outcome and run.ended is not None
        )

    @cached_property
    def attempts_of(self) -> dict[str, list[Run]]:
        """The runs of each batch, by attempt."""
        found: dict[str, list[Run]] = defaultdict(list)
        for run in self.history.runs:
            found[run.batch_id].append(run)
        return found

    @cached_property
    def parts(self) -> set[str]:
        """The ids of the parts of bisections: batches whose members are some of those of a split batch."""
        found: set[str] = set()
        for split in self.history.splits:
            members = set(split.members)
            for run in self.followers(split):
                if set(run.members) <= members and len(run.members) < len(members):
                    found.add(run.batch_id)
        return found

    def followers(self, split: Split) -> list[Run]:
        """The first runs of members of a split batch that started after the split, by start."""
        seen: dict[int, Run] = {}
        for member in split.members:
            for run in self.runs_of.get(member, ()):
                if run.started > split.at - LAG and run.batch_id != split.batch_id and run.attempt == 1:
                    seen[run.number] = run
        before = {run.number for run in self._runs_before(split)}
        return [seen[number] for number in sorted(seen) if number not in before]

    def _runs_before(self, split: Split) -> list[Run]:
        return [
            run
            for member in split.members
            for run in self.runs_of.get(member, ())
            if run.ended is not None and run.ended <= split.at
        ]

    @cached_property
    def fresh_starts(self) -> list[Run]:
        """First runs of batches that are not parts of a bisection, by start."""
        return [run for run in self.history.runs if run.attempt == 1 and run.batch_id not in self.parts]

    @cached_property
    def starts(self) -> list[float]:
        return [run.started for run in self.history.runs]

    def runs_started_between(self, since: float, until: float) -> tuple[Run, ...]:
        starts = self.starts
        return self.history.runs[bisect_left(starts, since) : bisect_right(starts, until)]

    @cached_property
    def splits_of(self) -> dict[int, list[Split]]:
        """The splits of batches with each stay, by time."""
        found: dict[int, list[Split]] = defaultdict(list)
        for split in self.history.splits:
            for member in split.members:
                found[member].append(split)
        return found

    @cached_property
    def _longest(self) -> float:
        return max(
            (run.ended - run.started for run in self.history.runs if run.ended is not None), default=0.0
        )

    def running_at(self, at: float) -> list[Run]:
        """The runs in progress just before this instant, except those that ended at it with a verdict."""
        return [
            run
            for run in self.runs_started_between(at - self._longest - LAG, at - LAG)
            if run.ended is None or run.ended > at or (run.ended > at - LAG and not run.has_verdict)
        ]

    def undecided_ahead(self, run: Run, at: float) -> bool:
        """Whether a pull request ahead of this run was still under test at this instant."""
        return any(
            other.started < at - LAG and (other.ended is None or other.ended > at + LAG)
            for stay in self.ahead[run.number]
            for other in self.runs_of.get(stay, ())
        )

    def search_ends(self, split: Split) -> float:
        """When the search that began with this split, or the last run of its members, ended."""
        ended = self.history.searches_ended.get(split.batch_id)
        if ended is not None:
            return ended
        return max((run.ended or run.started for run in self.followers(split)), default=split.at)

    def has_waiting(self, since: float, until: float) -> bool:
        """Whether a pull request that entered before `until` had its first run only after it."""
        place = bisect_left(self._entries, until)
        for stay in reversed(self.history.stays[max(0, place - 20) : place]):
            first = self.runs_of.get(stay.number)
            begins = first[0].started if first else stay.left
            if begins is None or begins >= until - LAG:
                return since < until
        return False

    @cached_property
    def priority_rules(self) -> set[str | None]:
        return {stay.priority_rule_name for stay in self.history.stays}

    @cached_property
    def _entries(self) -> list[float]:
        return [stay.entered for stay in self.history.stays]

    def waiting_at(self, at: float) -> list[int]:
        """The numbers of the stays that wait at this instant: they are under no test and have no verdict."""
        place = bisect_left(self._entries, at)
        return [
            number
            for number in range(max(0, place - _NEAR_BY), place)
            if (self.history.stays[number].left or at + 1) > at and self._waits(number, at)
        ]

    def _waits(self, number: int, at: float) -> bool:
        begun = [run for run in self.runs_of.get(number, ()) if run.started <= at + LAG]
        if not begun:
            return True
        last = begun[-1]
        return last.ended is not None and last.ended < at and not last.has_verdict
