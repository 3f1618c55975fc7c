"""Everything that is estimated from one train, and draws of it."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from mergecast.estimate.breakage import Breakage, draw_breakage
from mergecast.estimate.departures import BY_PEOPLE, Hazard, fit_hazard
from mergecast.estimate.draws import generator, table
from mergecast.estimate.evidence import gather
from mergecast.estimate.lengths import DrawnLengths, Effect, Lengths, draw_lengths, fit_lengths
from mergecast.estimate.oracle import CLASSES, RunTables, Tables, comes_back, fate, leaving_class, outcome
from mergecast.estimate.overheads import Overheads, fit_overheads
from mergecast.estimate.population import Population, microseconds, population
from mergecast.estimate.run_table import Ending, RunTable, run_table
from mergecast.estimate.survival import Numbers
from mergecast.history.inference import TrainRules
from mergecast.history.structure import Stay
from mergecast.replay.codes import BROKEN, NEVER, REASONS
from mergecast.replay.values import Oracle

_FEW_RUNS: Final = 60
_TRIAL_DRAWS: Final = 10
_LARGEST_FACTOR: Final = 200
_DAY: Final = 86_400.0


@dataclass(frozen=True)
class Estimate:
    """What one train hides. `lengths` are per queue of the train."""

    seed: int
    rules: TrainRules
    people: Population
    lengths: tuple[Lengths, ...]
    breakages: tuple[Breakage, ...]  # one draw per replicate
    hazard: Hazard
    overheads: Overheads
    cancelled: float

    def oracle(self, replicate: int) -> Oracle:
        """The oracle of one replicate, the same for every policy that is replayed with it."""
        return Oracle(_tables(self, replicate), fate, outcome, comes_back)


def estimate(rules: TrainRules, replicates: int, seed: int) -> Estimate:
    line = rules.line
    runs = run_table(line, rules.queue_names)
    evidence = gather(runs, len(line.history.stays))
    # Who is broken and how long failing runs take depend on each other: a first guess, then both once more.
    trial = draw_breakage(runs, evidence, np.ones(len(runs.starts)), _TRIAL_DRAWS, generator(seed, 2))
    broken_share = _broken_share(runs, trial)
    everything = fit_lengths(runs, broken_share, np.arange(len(runs.starts)))
    lasting = _lasting(runs, everything)
    return Estimate(
        seed=seed,
        rules=rules,
        people=population(rules),
        lengths=tuple(
            _lengths_of(runs, broken_share, rule, everything) for rule in range(len(rules.queue_names))
        ),
        breakages=tuple(draw_breakage(runs, evidence, lasting, replicates, generator(seed, 3))),
        hazard=fit_hazard(line.history.stays, line.history.length),
        overheads=fit_overheads(line, rules.queue_names, rules.policy),
        cancelled=float(np.mean(runs.endings == Ending.CANCELLED)) if len(runs.starts) else 0.0,
    )


def _broken_share(runs: RunTable, draws: list[Breakage]) -> Numbers:
    """For each run, in how many draws its tree was broken."""
    counts = np.zeros(len(runs.starts))
    for draw in draws:
        counts += [not draw.broken.isdisjoint(tree) for tree in runs.trees]
    return counts / len(draws)


def _lasting(runs: RunTable, lengths: Lengths) -> Numbers:
    """How likely a run lasts as long as it did if it fails, over how likely if it passes."""
    logs = np.log(runs.lengths) - lengths.typical
    if not len(lengths.failing.values):
        return np.ones(len(logs))
    return lengths.failing.longer_than(logs) / np.maximum(lengths.passing.longer_than(logs), 1e-3)


def _lengths_of(runs: RunTable, broken_share: Numbers, rule: int, everything: Lengths) -> Lengths:
    rows = np.flatnonzero(runs.rules == rule)
    if np.sum(runs.endings[rows] == Ending.PASSED) < _FEW_RUNS:
        return everything
    return fit_lengths(runs, broken_share, rows)


def _tables(estimate: Estimate, replicate: int) -> Tables:
    people, breakage = estimate.people, estimate.breakages[replicate]
    chance = generator(estimate.seed, 4, replicate)
    flaws = [
        flaw | (BROKEN if stay.number in breakage.broken else 0)
        for flaw, stay in zip(people.flaws, people.stays, strict=True)
    ]
    left_as = [_left_as(stay, flaw) for stay, flaw in zip(people.stays, flaws, strict=True)]
    gaps = _gaps(people)
    after, reasons = _departures(estimate, chance)
    return Tables(
        numbers=table(estimate.seed, replicate),
        keys=list(people.keys),
        offsets=list(people.offsets),
        flaws=flaws,
        leaves_after=after,
        leaving_reasons=reasons,
        left_as=left_as,
        gaps=gaps,
        returns=_returns(estimate, left_as, gaps),
        hazard_since=microseconds(estimate.hazard.since),
        hazard=estimate.hazard.added_up,
        hand_reasons=[_code(reason) for reason in estimate.hazard.reasons],
        broken=breakage.rates.broken,
        flake_again=breakage.rates.flake_again,
        lucky=breakage.rates.lucky,
        cancelled=estimate.cancelled,
        form=microseconds(estimate.overheads.form),
        retry=microseconds(estimate.overheads.retry),
        runs=[
            _run_tables(draw_lengths(lengths, generator(estimate.seed, 5, replicate, rule)), breakage)
            for rule, lengths in enumerate(estimate.lengths)
        ],
    )


def _run_tables(drawn: DrawnLengths, breakage: Breakage) -> RunTables:
    has_donors = bool(drawn.donors)
    return RunTables(
        starts=[microseconds(start) for start in drawn.starts],
        donors=[1e6 * length for length in drawn.donors] if has_donors else [6e8],
        levels=[1e6 * level for level in drawn.levels] if has_donors else [6e8],
        flakes=[breakage.rates.flake] * (len(drawn.starts) + 1),
        failing=drawn.failing,
        by_size=_factors(drawn.batch),
        by_flight=_factors(drawn.flight),
    )


def _factors(effect: Effect) -> list[float]:
    if not effect.slope:
        return [1.0]
    factors: list[float] = np.exp(effect.of(np.arange(_LARGEST_FACTOR))).tolist()
    return factors


def _code(reason: str | None) -> int:
    return REASONS.index(reason) if reason in REASONS else len(REASONS) - 1


def _left_as(stay: Stay, flaws: int) -> int:
    if stay.reason is None or stay.is_merged:
        return NEVER
    return leaving_class(_code(stay.reason), is_broken=bool(flaws & BROKEN))


def _gaps(people: Population) -> list[int]:
    """How long after each stay its pull request was queued again."""
    gaps = [NEVER] * len(people.stays)
    for start, end in zip(people.offsets, people.offsets[1:], strict=False):
        for place in range(start, end - 1):
            left = people.stays[place].left
            if left is not None:
                gaps[place] = max(0, microseconds(people.stays[place + 1].entered - left))
    return gaps


def _returns(estimate: Estimate, left_as: list[int], gaps: list[int]) -> list[list[int]]:
    """Recorded gaps by class; whoever left within the last day may yet come back and is not counted."""
    last = estimate.rules.line.history.length - _DAY
    known: list[list[int]] = [[] for _ in range(CLASSES)]
    for stay, kind, gap in zip(estimate.people.stays, left_as, gaps, strict=True):
        if kind != NEVER and (gap != NEVER or (stay.left or 0.0) < last):
            known[kind].append(gap)
    return known


def _departures(estimate: Estimate, chance: np.random.Generator) -> tuple[list[int], list[int]]:
    """When each stay would be taken out by a person: as recorded, or at some time after it left otherwise."""
    hazard, end = estimate.hazard, estimate.rules.line.history.length
    after: list[int] = []
    reasons: list[int] = []
    exponentials = chance.standard_exponential(len(estimate.people.stays))
    picks = chance.integers(0, max(1, len(hazard.reasons)), len(estimate.people.stays))
    for stay, exponential, pick in zip(estimate.people.stays, exponentials, picks, strict=True):
        left = end if stay.left is None else stay.left
        code = _code(stay.reason)
        if stay.reason in BY_PEOPLE or (stay.reason is not None and code == len(REASONS) - 1):
            after.append(microseconds(left - stay.entered))
            reasons.append(code)
            continue
        instant = hazard.instant_of(hazard.risk_until(left) + float(exponential)) if hazard.reasons else None
        after.append(NEVER if instant is None else microseconds(instant - stay.entered))
        reasons.append(_code(hazard.reasons[pick]) if hazard.reasons else 0)
    return after, reasons
