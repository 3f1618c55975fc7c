"""A queue in which a test says what happens, minute by minute."""

from collections.abc import Sequence
from typing import Self

from mergecast.queues.model.ci_check import CANCELLED, FAILURE
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.verdict import Verdict
from mergecast.signals.verdict.engine import Engine
from mergecast.signals.verdict.happenings import Check, Report, RunId, Split, Stay, happenings

START = 20_000 * DAY
MERGED, FAILED = "PR_MERGED", "CHECKS_FAILED"


class Queue:
    """Pull requests enter with a commit, `a` unless a test says otherwise."""

    def __init__(self) -> None:
        self.minute = 0.0
        self.stays: dict[str, Stay] = {}
        self._checks: dict[RunId, list[Check]] = {}
        self.reports: list[Report] = []
        self.splits: list[Split] = []
        self._present: dict[int, str] = {}
        self._batches = 0

    @property
    def now(self) -> int:
        return START + int(self.minute * MINUTE)

    @property
    def checks(self) -> list[Check]:
        return [check for checks in self._checks.values() for check in checks]

    def wait(self, minutes: float) -> Self:
        self.minute += minutes
        return self

    def enter(self, pull: int, commit: str | None = "a") -> Self:
        session = f"{pull}-{len(self.stays)}"
        sha = commit and commit * 40
        self.stays[session] = Stay(session, pull, self.now, entered_sha=sha)
        self._present[pull] = session
        return self

    def leave(self, pull: int, reason: str = FAILED) -> str:
        session = self._present.pop(pull)
        self.stays[session] = self.stays[session]._replace(left_at=self.now, reason=reason)
        return session

    def start(self, pulls: Sequence[int], batch: str | None = None, attempt: int = 1) -> RunId:
        self._batches += batch is None
        run = RunId(batch or f"b{self._batches}", attempt)
        self._checks[run] = [
            Check(self._present[pull], pull, run, self.now, pull_requests=tuple(pulls)) for pull in pulls
        ]
        return run

    def end(self, run: RunId, outcome: str, names: Sequence[str] = ()) -> None:
        self._checks[run] = [
            check._replace(ended_at=self.now, outcome=outcome) for check in self._checks[run]
        ]
        self.reports += [Report(run, name, self.now, FAILURE) for name in names]

    def cancel(self, run: RunId, name: str, minutes: float, outcome: str = FAILED) -> None:
        """A check is cancelled after so long, and with it the run ends."""
        self.end(run, outcome)
        self.reports.append(Report(run, name, self.now, CANCELLED, int(minutes * MINUTE)))

    def run(self, pulls: Sequence[int], names: Sequence[str] | None = None, *, attempt: int = 1) -> RunId:
        """A run of ten minutes that fails in these checks, or passes."""
        batch = f"b{self._batches}" if attempt > 1 else None
        run = self.start(pulls, batch, attempt)
        self.wait(10)
        self.end(run, "SUCCESS" if names is None else FAILED, names or ())
        return run

    def merge(self, count: int, first: int = 1000) -> Self:
        """So many pull requests pass, one after the other, and merge."""
        for pull in range(first, first + count):
            self.enter(pull, "f")
            self.run([pull])
            self.leave(pull, MERGED)
            self.wait(5)
        return self

    def split(self, run: RunId, pulls: Sequence[int]) -> None:
        self.splits.append(Split(self.now, run.batch_id, tuple(pulls)))

    def verdicts(self) -> dict[str, Verdict]:
        """What is said about each removal in the end."""
        engine, found = Engine(), dict[str, Verdict]()
        for happening in happenings(self.stays.values(), self.checks, self.reports, self.splits):
            found |= engine.apply(happening)
        return found | dict(engine.advance(self.now + 2 * DAY))
