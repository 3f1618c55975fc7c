"""What the statistic says about the CI checks of a world, beside what is true."""

import asyncio
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from empty_store import copy_empty_store
from mergecast.queues.answers.ci_checks import CiChecks
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.instant import SECOND, WEEK, Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_checks import CI_CHECKS
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from worlds.ci_checks import FINDS_BROKEN, FLAKY, SHORT_OF_MACHINES, SLOW, CheckedWorld, Played
from worlds.world import START

GOALS: Final = {"first": 0.0, "critical": 0.0, "flake_rate": 0.15, "wait_share": 0.05, "blocked": 0.15}
_AT_ONCE = 5_000
_REPOSITORY = Repository("acme", "world")


class Compared(NamedTuple):
    """Pairs of what the answer says and what is true."""

    first: tuple[str, str]  # the check that costs most
    critical: tuple[str, str]  # the check that most runs waited for
    flake_rate: tuple[float | None, float]
    flake_interval: tuple[float, float]
    accused: tuple[str, ...]  # checks that never flake, and of which the answer excludes it
    innocent: int  # checks that never flake
    runs: int  # of the flaky check
    wait_share: tuple[float, float]
    blocked: tuple[float, float]
    delayed: float  # how much longer other pull requests were in the queue because of flakes

    def errors(self) -> dict[str, float]:
        """How far the answer is off; 1 for a wrong name."""
        return {
            "first": float(self.first[0] != self.first[1]),
            "critical": float(self.critical[0] != self.critical[1]),
            "flake_rate": (self.flake_rate[0] or 0.0) / self.flake_rate[1] - 1,
            "wait_share": self.wait_share[0] - self.wait_share[1],
            "blocked": self.blocked[0] / self.blocked[1] - 1 if self.blocked[1] else self.blocked[0],
        }

    def text(self) -> str:
        return (
            f"first {self.first[0]} ({self.first[1]}), critical {self.critical[0]} ({self.critical[1]}), "
            f"flake rate {self._said()} ({self.flake_rate[1]:.4f}), "
            f"waiting {self.wait_share[0]:.3f} ({self.wait_share[1]:.3f}), "
            f"blocked {self.blocked[0] / 3600:.1f} h ({self.blocked[1] / 3600:.1f} h), "
            f"in all {self.delayed / 3600:.1f} h"
        )

    def _said(self) -> str:
        rate, (low, high) = self.flake_rate[0], self.flake_interval
        return f"{'cannot tell' if rate is None else f'{rate:.4f}'}, {low:.4f} to {high:.4f}"


def compare(checked: CheckedWorld) -> Compared:
    """Play a world with and without flakes, and ask about the first."""
    played, other = checked.play(), checked.without_flakes().play()
    checks = {check.name: check for check in _ask(played).checks}
    flaky, short = checks[FLAKY], checks[SHORT_OF_MACHINES]
    innocent, interval = [check for name, check in checks.items() if name != FLAKY], flaky.flake_interval
    assert interval is not None
    blocked = (played.lost_in_runs() - other.lost_in_runs()) / SECOND
    costs = {name: _sum(played.reports, name)[1] for name in checks}
    costs[FLAKY] += round(blocked * SECOND)
    costs[FINDS_BROKEN] += other.lost_in_runs()
    waited, ran = _sum(played.reports, SHORT_OF_MACHINES)
    total = short.waited_seconds.sum + short.seconds.sum
    return Compared(
        (next(iter(checks)), max(costs, key=lambda name: costs[name])),
        (max(checks, key=lambda name: checks[name].critical.runs), SLOW),
        (flaky.flake_rate, played.flake_rate()),
        (interval.low, interval.high),
        tuple(check.name for check in innocent if check.flake_interval and check.flake_interval.low > 0),
        len(innocent),
        flaky.runs,
        (short.waited_seconds.sum / total, waited / (waited + ran)),
        (flaky.blocked_seconds, blocked),
        _delayed(played, other),
    )


def _delayed(played: Played, other: Played) -> float:
    removed, before, after = played.removed(), other.queued(), played.queued()
    return sum(after[pull] - before[pull] for pull in after if pull not in removed) / SECOND


def _sum(reports: list[CiCheckReport], name: str) -> tuple[int, int]:
    """How long the executions of a check waited, and how long they ran."""
    spans = [
        (report.queued_at or 0, report.started_at or 0, report.ended_at or 0)
        for report in reports
        if report.name == name
    ]
    return sum(one[1] - one[0] for one in spans), sum(one[2] - one[1] for one in spans)


def _ask(played: Played) -> CiChecks:
    with tempfile.TemporaryDirectory() as folder:
        copy_empty_store(Path(folder))
        store = open_store(Path(folder))
        try:
            return asyncio.run(_answer(store, played))
        finally:
            store.close()


async def _answer(store: Store, played: Played) -> CiChecks:
    world = played.checked.world
    events: list[AnyEvent] = [*played.checked.events(played.record), *played.reports]
    for start in range(0, len(events), _AT_ONCE):
        await store.record(_REPOSITORY, events[start : start + _AT_ONCE])
    known = await store.repository(_REPOSITORY)
    assert known is not None
    id, window = known.id, Window(START, world.end + WEEK)

    def work(reader: Reader) -> CiChecks:
        question = Question(id, window, window, grid_for(window), reader.groups(id))
        answer = CI_CHECKS.answer(reader, question)
        assert isinstance(answer, CiChecks)
        return answer

    return await store.read(id, work)
