"""The fourteen CI checks of every run: one is flaky, one is slow, one lacks machines on weekday mornings."""

from dataclasses import dataclass
from random import Random
from typing import Final

from mergecast.demo.settings import DAY, HOUR, WEEK

FLAKY: Final = "browser tests"
SLOW: Final = "end-to-end"
SHORT_OF_MACHINES: Final = "gpu kernels"
_WEEKDAYS: Final = 5 * DAY
_MORNING: Final = (7 * HOUR, 12 * HOUR)  # in UTC
# Of all flakes, this share is due to the flaky check.
_FLAKY_SHARE: Final = 0.85


@dataclass(frozen=True, slots=True)
class _Check:
    """`share` is how much of a whole run it takes."""

    name: str
    share: float
    runner: str = "linux-x64-4"
    is_required: bool = True
    breaks: int = 1  # how often a broken change fails in it, compared with others


_CHECKS: Final = (
    _Check("lint", 0.06),
    _Check("types", 0.12, breaks=3),
    _Check("build", 0.25, "linux-x64-16"),
    _Check("unit tests", 0.35, "linux-x64-16", breaks=6),
    _Check("unit tests (windows)", 0.5, "windows-x64-8"),
    _Check("unit tests (macos)", 0.45, "macos-arm64"),
    _Check("integration", 0.6, "linux-x64-16", breaks=4),
    _Check(SLOW, 1.0, "linux-x64-16"),
    _Check(FLAKY, 0.4, breaks=0),
    _Check(SHORT_OF_MACHINES, 0.3, "gpu", breaks=0),
    _Check("api contract", 0.15),
    _Check("migrations", 0.2),
    _Check("docs", 0.1, is_required=False, breaks=0),
    _Check("bundle size", 0.15, is_required=False, breaks=0),
)
_NAMES_THAT_BREAK: Final = tuple(check.name for check in _CHECKS for _ in range(check.breaks))
NAMES: Final = tuple(check.name for check in _CHECKS)


@dataclass(frozen=True, slots=True)
class CiRun:
    """A run of CI that has ended; moments are in seconds since the start of the history."""

    id: str
    started_at: float
    ended_at: float
    seconds: float  # how long it would have taken if nothing had stopped it
    outcome: str
    breakage: str | None  # what it must fail with, always in the same check; None if nothing is broken


@dataclass(frozen=True, slots=True)
class CiCheck:
    """What one check did in a run."""

    name: str
    conclusion: str
    queued_at: float
    started_at: float | None  # None if it was stopped while it waited for a machine
    ended_at: float
    runner: str
    is_required: bool


def ci_checks(seed: int, run: CiRun) -> list[CiCheck]:
    """What the checks of a run did; the same seed gives the same."""
    chance = Random(f"{seed}:ci:{run.id}")
    failing = _failing(seed, chance, run)
    return [_ci_check(chance, run, check, failing) for check in _CHECKS]


def _failing(seed: int, chance: Random, run: CiRun) -> str | None:
    """The check that a failed run failed with."""
    if run.outcome == "CHECKS_TIMEOUT":
        return SLOW
    if run.outcome not in ("CHECKS_FAILED", "CHECKS_RETRIED"):
        return None
    if run.breakage is not None:
        return Random(f"{seed}:breakage:{run.breakage}").choice(_NAMES_THAT_BREAK)
    return FLAKY if chance.random() < _FLAKY_SHARE else chance.choice(_NAMES_THAT_BREAK)


def _ci_check(chance: Random, run: CiRun, check: _Check, failing: str | None) -> CiCheck:
    length = run.ended_at - run.started_at
    waits = min(_wait(chance, run, check), 0.9 * run.seconds)
    takes = min(check.share * chance.uniform(0.9, 1.0) * run.seconds, run.seconds - waits)
    if check.name in (failing, SLOW):
        takes = run.seconds - waits
    begins = run.started_at + waits
    if begins >= run.ended_at:
        return CiCheck(
            check.name, "cancelled", run.started_at, None, run.ended_at, check.runner, check.is_required
        )
    is_over = waits + takes <= length + 0.001
    if check.name == failing:
        conclusion = "timed_out" if run.outcome == "CHECKS_TIMEOUT" else "failure"
    else:
        conclusion = "success" if is_over and (failing is None or check.name != SLOW) else "cancelled"
    ends = min(begins + takes, run.ended_at)
    return CiCheck(check.name, conclusion, run.started_at, begins, ends, check.runner, check.is_required)


def _wait(chance: Random, run: CiRun, check: _Check) -> float:
    """How long a check waits for a machine, in seconds."""
    usual = chance.uniform(4, 25)
    if check.name != SHORT_OF_MACHINES or not _is_weekday_morning(run.started_at):
        return usual
    return usual + chance.uniform(0.3, 0.65) * run.seconds


def _is_weekday_morning(moment: float) -> bool:
    """The history starts on a Monday."""
    return moment % WEEK < _WEEKDAYS and _MORNING[0] <= moment % DAY < _MORNING[1]
