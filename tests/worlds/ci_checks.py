"""Worlds whose CI checks are known: one is flaky, one slow, and one waits for machines in the morning.

A run fails either because a pull request is broken, which `unit` finds, or because `e2e` is flaky. So a
replay of the same world without flakes says what the flaky check costs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import Oracle, Outcome, Policy, QueueRule, RunStart, RunStartFields
from mergecast.queues.model.ci_check import CANCELLED, FAILURE, SUCCESS, CiCheckReport
from mergecast.queues.model.event import QUEUE_ENTERED, Event
from mergecast.queues.model.instant import DAY, HOUR
from worlds.draws import chance
from worlds.events import BASE_REF, QUEUE_NAMES, SOURCE, events_of
from worlds.world import PUSHES, START, World, comes_back, fate, is_broken, outcome

FLAKY: Final = "e2e"
SLOW: Final = "build"
SHORT_OF_MACHINES: Final = "gpu"
FINDS_BROKEN: Final = "unit"
# When each check ends, as a share of a run that passes.
_ENDS: Final = {"lint": 0.1, SHORT_OF_MACHINES: 0.5, FINDS_BROKEN: 0.6, FLAKY: 0.7, SLOW: 1.0}
_PUSHED_WITHOUT_NEED: Final = 0.2
_STOPPED: Final = (codes.AHEAD_FAILED, codes.AHEAD_LEFT)
_FAILED: Final = (codes.FAIL, codes.TIMEOUT, codes.RETRIED)


class Planned(NamedTuple):
    """What a run would come to, unless it is stopped."""

    length: int
    failing: str | None  # the check that fails
    is_flake: bool  # nothing that it tests is broken


@dataclass(frozen=True)
class CheckedWorld:
    """A world and a policy; `morning` is the share of its time that a check waits for machines then."""

    world: World
    policy: Policy
    morning: float = 0.6
    is_mixed: bool = False  # the flaky check finds what is broken on every second day
    has_commits: bool = False  # events name the commits of pull requests

    def play(self) -> "Played":
        planned: list[Planned] = []

        def note(world: World, fields: RunStartFields) -> Outcome:
            found, start = outcome(world, fields), RunStart(*fields)
            failing = self._finder(start.at) if start.broken else FLAKY
            is_failed = found.verdict == codes.FAIL
            planned.append(Planned(found.length, failing if is_failed else None, not start.broken))
            return found

        world = self.world
        record = replay(
            world.arrivals, self.policy, Oracle(world, fate, note, comes_back), world.circumstances()
        )
        return Played(self, record, planned)

    def _finder(self, at: int) -> str:
        """The check that finds what is broken."""
        return FLAKY if self.is_mixed and (at - START) // DAY % 2 else FINDS_BROKEN

    def events(self, record: Record) -> list[Event]:
        return [self._with_commit(event) for event in events_of(self.world, record)]

    def _with_commit(self, event: Event) -> Event:
        if not self.has_commits or event.type != QUEUE_ENTERED:
            return event
        number, turn = (event.session_id or "")[1:].split("-")
        pull = int(number) - self.world.arrivals.number[0]
        pushed = sum(self._is_pushed(pull, later) for later in range(1, int(turn) + 1))
        return event._replace(head_sha=f"{pull:032x}{pushed + 1:08x}")

    def _is_pushed(self, pull: int, turn: int) -> bool:
        """Whether a pull request came back with another commit: repaired, broken, or changed without need."""
        is_changed = any(is_broken(self.world, pull, one) for one in (turn - 1, turn))
        return is_changed or chance(self.world.seed, PUSHES, pull, turn) < _PUSHED_WITHOUT_NEED

    def without_flakes(self) -> "CheckedWorld":
        return replace(self, world=replace(self.world, flakes=0.0, flakes_again=0.0))


@dataclass(frozen=True)
class Played:
    checked: CheckedWorld
    record: Record
    planned: list[Planned]
    reports: list[CiCheckReport] = field(init=False)

    def __post_init__(self) -> None:
        assert len(self.planned) == len(self.record.runs.batch)  # one answer of the oracle for each run
        object.__setattr__(self, "reports", list(self._all_reports()))

    def _all_reports(self) -> Iterator[CiCheckReport]:
        for run, planned in enumerate(self.planned):
            if self._has_begun(run):
                yield from self._reports(run, planned)

    def _reports(self, run: int, planned: Planned) -> Iterator[CiCheckReport]:
        runs = self.record.runs
        begun, over, batch = runs.started_at[run], runs.ended_at[run], f"b{runs.batch[run]:06d}"
        for name, share in _ENDS.items():
            fails = name == planned.failing
            length = planned.length if fails else int(planned.length * share)
            started_at = begun + int(length * self._waiting(name, begun))
            ended_at = min(begun + length, over)
            is_stopped = begun + length > over or (planned.failing is not None and share == 1.0)
            conclusion = CANCELLED if is_stopped else FAILURE if fails else SUCCESS
            id = f"{batch}-{runs.attempt[run]}-{name}"
            yield CiCheckReport(
                id, ended_at, BASE_REF, QUEUE_NAMES[0], batch, id, name, conclusion, runs.attempt[run],
                queued_at=begun, started_at=min(started_at, ended_at), ended_at=ended_at,
                runner=f"for-{name}", source=SOURCE,
            )  # fmt: skip

    def _waiting(self, name: str, at: int) -> float:
        day, time = divmod(at - START, DAY)
        is_morning = day % 7 < 5 and 8 * HOUR <= time < 12 * HOUR
        return self.checked.morning if name == SHORT_OF_MACHINES and is_morning else 0.02

    def flake_rate(self) -> float:
        """The share of executions of the flaky check with a verdict that failed by chance."""
        flakes = verdicts = 0
        for run, planned in enumerate(self.planned):
            for one in self._reports(run, planned) if self._has_begun(run) else ():
                if one.name == FLAKY and one.conclusion != CANCELLED:
                    verdicts += 1
                    flakes += one.conclusion == FAILURE and planned.is_flake
        return flakes / verdicts

    def _has_begun(self, run: int) -> bool:
        return self.record.runs.ended_at[run] > self.record.runs.started_at[run]

    def lost_in_runs(self) -> int:
        """The time of stays in runs that were stopped because of others, or repeated."""
        record, lost = self.record, 0
        for run, batch in enumerate(record.runs.batch):
            taken = record.runs.ended_at[run] - record.runs.started_at[run]
            if record.runs.outcome[run] in _STOPPED:
                lost += taken * record.batches.size[batch]
            elif record.runs.outcome[run] in _FAILED:
                lost += taken * sum(not self._is_removed(run, stay) for stay in record.members_of(batch))
        return lost

    def _is_removed(self, run: int, stay: int) -> bool:
        runs, stays = self.record.runs, self.record.stays
        is_last = stays.left_at[stay] >= runs.ended_at[run] and runs.outcome[run] != codes.RETRIED
        return is_last and stays.batch[stay] == runs.batch[run] and stays.reason[stay] == codes.FAILED

    def queued(self) -> dict[int, int]:
        """How long each pull request was in the queue."""
        found: dict[int, int] = {}
        stays = self.record.stays
        for pull, entered_at, left_at in zip(stays.pull, stays.entered_at, stays.left_at, strict=True):
            found[pull] = found.get(pull, 0) + left_at - entered_at
        return found

    def removed(self) -> set[int]:
        """The pull requests that CI removed at least once."""
        stays = self.record.stays
        return {pull for pull, why in zip(stays.pull, stays.reason, strict=True) if why == codes.FAILED}


def train(*, batch: int = 1, parallel: int = 5, retries: int = 1) -> Policy:
    return Policy(
        (QueueRule(batch_size_max=batch, max_checks_retries=retries),), max_parallel_checks=parallel
    )


def checked_world(
    seed: int, policy: Policy, *, days: int = 28, pulls_per_day: float = 60, flakes: float = 0.05
) -> CheckedWorld:
    """A queue in which nothing else happens: no one leaves by hand, and nothing conflicts."""
    world = World(
        seed, days=days, pulls_per_day=pulls_per_day, broken=0.02, flakes=flakes, flakes_again=flakes,
        cancelled=0.0, conflicting=0.0, refused=0.0, leaving_per_hour=0.0,
    )  # fmt: skip
    return CheckedWorld(world, policy)
