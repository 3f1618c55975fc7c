"""How good verdicts are in worlds with known causes, beside what they are held to."""

import gc
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY
from mergecast.queues.model.verdict import QUEUE_AGAIN, SURE, WAIT, Verdict
from mergecast.signals.verdict.calibration import calibrate
from mergecast.signals.verdict.engine import Engine
from mergecast.signals.verdict.happenings import Happening, Left
from worlds.blame import Blamed, Truth
from worlds.verdict_inputs import happened
from worlds.world import START

_BURN_IN: Final = 0.2
_ENOUGH: Final = 100  # removals of a world that has limits of its own


class Case(NamedTuple):
    world: str
    truth: Truth
    verdict: Verdict


class Returned(NamedTuple):
    """A change that was removed by CI and came back unchanged, with the chances that it had."""

    calibrated: float  # by the returns before it
    raw: float
    merged_before: float  # of those returns
    has_merged: bool


class Timed(NamedTuple):
    """Verdicts by session, the CPU time of each judgement in seconds, and returns once there were enough."""

    verdicts: dict[str, Verdict]
    seconds: list[float]
    returns: list[Returned]


def judged(happenings: Sequence[Happening], *, is_timed: bool) -> Timed:
    """The verdict about each removal after ten minutes; to time it, each is also judged when it happens."""
    engine, seconds, verdicts, returns = Engine(), list[float](), dict[str, Verdict](), list[Returned]()
    for happening in happenings:
        before = engine.returns
        for session_id, verdict in engine.apply(happening):
            verdicts.setdefault(session_id, verdict)
        if engine.returns is not before and (calibration := calibrate(before)):
            chance, has_merged = engine.returns[-1]
            share = calibration.merged / calibration.returns
            returns.append(Returned(calibration(chance), chance.passes, share, has_merged))
        if is_timed and isinstance(happening, Left) and happening.session_id in engine.open_removals:
            gc.disable()  # a collection looks at the whole world, which no server has in memory
            begun = time.process_time()
            engine.judge(happening.session_id)
            seconds.append(time.process_time() - begun)
            gc.enable()
    for session_id, verdict in engine.advance(happenings[-1].at + 2 * DAY):
        verdicts.setdefault(session_id, verdict)
    return Timed(verdicts, seconds, returns)


def cases(name: str, played: Blamed, *, names: bool, is_timed: bool = False) -> tuple[list[Case], Timed]:
    """The removals of a world after its first fifth, and everything that was said in it."""
    world = played.blamed.world
    happenings = happened(played.events, played.heads, played.names if names else {})
    found = judged(happenings, is_timed=is_timed)
    since = START + int(_BURN_IN * world.days * DAY)
    truths = [truth for truth in played.truths if truth.removed_at >= since]
    return [Case(name, truth, found.verdicts[truth.session_id]) for truth in truths], found


class Score(NamedTuple):
    """The figures of the table. Shares are between 0 and 1; None: there is no case."""

    removals: int
    auc: float
    brier: float  # as a share of that of a constant
    sure: float
    sure_right: float
    worst_right: float  # of any world with enough sure verdicts
    broken_again: float  # broken ones that were told to queue again
    worst_again: float  # of any world with enough broken ones
    innocent_helped: float  # innocent ones that were told to queue again or to wait


def score(found: Sequence[Case]) -> Score:
    chances = [(_chance(case.verdict), case.truth.passes) for case in found]
    sure = [case for case in found if case.verdict.certainty == SURE]
    broken = [case for case in found if case.truth.is_broken]
    innocent = [case for case in found if not case.truth.is_broken]
    return Score(
        len(found),
        auc(chances),
        brier(chances) / _constant(chances),
        len(sure) / len(found),
        _share(map(_is_right, sure)),
        min((_share(map(_is_right, of)) for of in _by_world(sure)), default=1.0),
        _share(map(_is_told_again, broken)),
        max((_share(map(_is_told_again, of)) for of in _by_world(broken)), default=0.0),
        _share(case.verdict.act in {QUEUE_AGAIN, WAIT} for case in innocent),
    )


def _chance(verdict: Verdict) -> float:
    return 0.5 if verdict.passes_now is None else verdict.passes_now


def _is_right(case: Case) -> bool:
    return case.verdict.cause == case.truth.cause


def _is_told_again(case: Case) -> bool:
    return case.verdict.act == QUEUE_AGAIN


def _share(found: Iterable[bool]) -> float:
    values = list(found)
    return sum(values) / len(values) if values else 0.0


def _by_world(found: Iterable[Case]) -> list[list[Case]]:
    """The worlds with enough cases."""
    worlds: defaultdict[str, list[Case]] = defaultdict(list)
    for case in found:
        worlds[case.world].append(case)
    return [of for of in worlds.values() if len(of) >= _ENOUGH]


def auc(chances: Sequence[tuple[float, bool]]) -> float:
    """How often one that passes was given a higher chance than one that does not."""
    ordered = sorted(chance for chance, _ in chances)
    positive = [
        bisect_left(ordered, one) + bisect_right(ordered, one) - 1 for one, passes in chances if passes
    ]
    negatives = len(chances) - len(positive)
    if not positive or not negatives:
        return 0.5
    ranks = sum(positive) / 2
    return (ranks - len(positive) * (len(positive) - 1) / 2) / (len(positive) * negatives)


def brier(chances: Sequence[tuple[float, bool]]) -> float:
    return sum((chance - passes) ** 2 for chance, passes in chances) / len(chances)


def _constant(chances: Sequence[tuple[float, bool]]) -> float:
    base = sum(passes for _, passes in chances) / len(chances)
    return base * (1 - base)


class Column(Enum):
    """What verdicts know, and how hard the world makes it."""

    ALL = "names and commits"
    COMMITS = "commits only"
    SAME_CHECKS = "flakes in the same checks as breakage"

    @property
    def has_names(self) -> bool:
        return self is not Column.COMMITS


class Limit(NamedTuple):
    """At least, or at most, this much."""

    value: float
    is_least: bool

    def holds(self, value: float) -> bool:
        return value >= self.value if self.is_least else value <= self.value

    @property
    def text(self) -> str:
        return f"{'>=' if self.is_least else '<='} {self.value:g}"


def _least(value: float) -> Limit:
    return Limit(value, is_least=True)


def _most(value: float) -> Limit:
    return Limit(value, is_least=False)


LIMITS: Final[dict[Column, dict[str, Limit]]] = {
    Column.ALL: {
        "auc": _least(0.86),
        "brier": _most(0.60),
        "sure": _least(0.38),
        "sure_right": _least(0.90),
        "worst_right": _least(0.80),
        "broken_again": _most(0.04),
        "worst_again": _most(0.07),
        "innocent_helped": _least(0.50),
    },
    Column.COMMITS: {
        "auc": _least(0.77),
        "brier": _most(0.80),
        "sure_right": _least(0.86),
        "broken_again": _most(0.04),
    },
    Column.SAME_CHECKS: {
        "auc": _least(0.75),
        "sure_right": _least(0.87),
        "innocent_helped": _least(0.30),
    },
}
