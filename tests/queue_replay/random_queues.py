"""Small queues in all their variety, each made from one number, on which the two loops are compared."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.values import (
    Arrivals,
    Circumstances,
    ClosedSpan,
    Closing,
    Entering,
    EnteringFields,
    Fate,
    InitialBatch,
    Landing,
    Leaving,
    Mode,
    Oracle,
    Outcome,
    Policy,
    QueueRule,
    RunStart,
    RunStartFields,
    Split,
    Variants,
)

LAST = 4000
_FATE, _RUN, _BACK = range(3)


@dataclass(frozen=True)
class Chances:
    """How often things go wrong; every answer depends on the seed and on what is asked alone."""

    seed: int
    broken: float
    flaky: float
    leaving: float
    coming_back: float
    grain: int  # coarse times make many things happen at one instant

    def draw(self, *key: int) -> Random:
        """Whole numbers have the same hash in every process."""
        return Random(hash((self.seed, *key)))


@dataclass(frozen=True)
class Case:
    arrivals: Arrivals
    policy: Policy
    oracle: Oracle
    around: Circumstances


# Both loops ask the same questions, and seeding takes longer than remembering the answers of a queue.
remembered = lru_cache(maxsize=1024)


@remembered
def fate(chances: Chances, fields: EnteringFields) -> Fate:
    entering = Entering(*fields)
    draw = chances.draw(_FATE, entering.pull, entering.turn)
    flaws = codes.BROKEN * (draw.random() < chances.broken)
    flaws |= codes.CONFLICTING * (draw.random() < 0.03) | codes.REFUSED * (draw.random() < 0.03)
    leaves_at = entering.at + chances.grain * draw.randrange(0, 900 // chances.grain + 1)
    reason = draw.choice((codes.BY_HAND, codes.UPDATED))
    return Fate(flaws, leaves_at if draw.random() < chances.leaving else codes.NEVER, reason)


@remembered
def outcome(chances: Chances, fields: RunStartFields) -> Outcome:
    start = RunStart(*fields)
    draw = chances.draw(_RUN, *start)
    length = chances.grain * draw.randrange(0 if draw.random() < 0.05 else 1, 300 // chances.grain + 2)
    delay = draw.choice((0, 0, 0, chances.grain))
    chance = 0.95 if start.broken else chances.flaky
    if draw.random() < 0.03:
        return Outcome(delay, length, codes.CANCELLED)
    return Outcome(delay, length + start.elapsed, codes.FAIL if draw.random() < chance else codes.PASS)


@remembered
def comes_back(chances: Chances, leaving: Leaving) -> int:
    draw = chances.draw(_BACK, *leaving)
    if leaving.turn > 2 or draw.random() >= chances.coming_back:
        return codes.NEVER
    return chances.grain * draw.randrange(0, 200 // chances.grain + 1)


def case(seed: int) -> Case:
    draw = Random(seed)
    grain = draw.choice((1, 10, 50, 100))
    chances = Chances(
        seed=seed,
        broken=draw.choice((0, 0.1, 0.3)),
        flaky=draw.choice((0, 0.1, 0.3)),
        leaving=draw.choice((0, 0.1, 0.4)),
        coming_back=draw.choice((0, 0.5)),
        grain=grain,
    )
    policy = _policy(draw)
    pulls = draw.randrange(1, 26)
    begins_at = draw.choice((0, 0, 0, grain * 3))
    arrivals = _arrivals(draw, pulls, len(policy.rules), grain)
    around = Circumstances(
        closed=tuple(_closed(draw, len(policy.rules)) for _ in range(draw.choice((0, 0, 1, 2)))),
        pushes=tuple(draw.randrange(LAST // 4) for _ in range(draw.choice((0, 0, 0, 2)))),
        initial_batches=_initial_batches(draw, arrivals, policy, begins_at),
        begins_at=begins_at,
        ends_at=draw.choice((None, None, 600)),
    )
    return Case(arrivals, policy, Oracle(chances, fate, outcome, comes_back), around)


def _arrivals(draw: Random, pulls: int, rules: int, grain: int) -> Arrivals:
    span = draw.choice((0, 300, 1200)) // grain + 1
    numbers = draw.sample(range(1, 100), pulls)
    rows = sorted((grain * draw.randrange(span), number) for number in numbers)
    priorities = draw.choice(((2000,), (2000, 3000), (1000, 2000, 2000, 3000)))
    interrupting = draw.choice((0, 0.3))
    scopes = draw.choice(((0,), (1, 2), (0, 1, 2, 3, 4), (1, 2, codes.EVERY_SCOPE)))
    return Arrivals(
        number=[number for _, number in rows],
        entered_at=[at for at, _ in rows],
        priority=[draw.choice(priorities) for _ in rows],
        rule=[draw.randrange(rules) for _ in rows],
        interrupts=[draw.random() < interrupting for _ in rows],
        scopes=[draw.choice(scopes) for _ in rows],
    )


def _policy(draw: Random) -> Policy:
    kind = draw.choice(("mergify", "mergify", "mergify", "github", "gitlab"))
    if kind != "mergify":
        return _other_policy(draw, kind)
    mode = draw.choice((Mode.SERIAL, Mode.SERIAL, Mode.SERIAL, Mode.PARALLEL, Mode.ISOLATED))
    flip = draw.choice((0, 0.3, 0.5))
    return Policy(
        rules=tuple(_rule(draw) for _ in range(draw.choice((1, 1, 2)))),
        max_parallel_checks=draw.choice((1, 2, 3, 5)),
        mode=mode,
        skip_intermediate_results=draw.random() < 0.4,
        reset_on_external_merge=draw.random() < 0.7,
        capacities=draw.choice(((), (), ((1, 1), (2, 2)))),
        variants=Variants(
            slot_until_merged=draw.random() < flip,
            holds_for_vouchers=draw.random() >= flip,
            forms_behind_failure=draw.random() < flip,
            split=draw.choice(tuple(Split)) if flip else Split.CHUNKS,
            tests_last_member=draw.random() < flip,
            parts_wait=draw.random() < flip / 2,
            stopped_wait=draw.random() < flip / 2,
            keeps_parts=draw.random() < flip and mode is Mode.SERIAL,
            wait_from_seed=draw.random() < flip,
            spares_head=draw.random() < flip,
            one_priority=draw.random() < flip,
            urgent_starts_at_once=draw.random() < flip,
            closed_stops_starts=draw.random() < flip,
            retries_timeouts=draw.random() < flip,
            splits_timeouts=draw.random() >= flip,
            waits_for_ahead=draw.random() >= flip / 2,
        ),
    )


def _other_policy(draw: Random, kind: str) -> Policy:
    landing = Landing(
        draw.choice((1, 2, 3)), draw.choice((1, 3, 5)), draw.choice((0, 100)), draw.random() < 0.5
    )
    return Policy(
        rules=(QueueRule(checks_timeout=draw.choice((None, 200))),),
        max_parallel_checks=draw.choice((1, 2, 3, 5)),
        landing=landing if kind == "github" else None,
        variants=Variants(
            forms_behind_failure=True, waits_for_ahead=False, slot_until_merged=kind == "gitlab"
        ),
    )


def _rule(draw: Random) -> QueueRule:
    smallest = draw.choice((1, 1, 2, 3, 6))
    return QueueRule(
        batch_size_min=smallest,
        batch_size_max=smallest + draw.choice((0, 0, 2)),
        batch_max_wait_time=draw.choice((0, 50, 200)),
        max_checks_retries=draw.choice((0, 0, 1, 2)),
        checks_timeout=draw.choice((None, None, 150)),
        batch_max_failure_resolution_attempts=draw.choice((None, None, 0, 1)),
    )


def _closed(draw: Random, rules: int) -> ClosedSpan:
    start = draw.randrange(600)
    return ClosedSpan(
        start, start + draw.randrange(400), draw.choice(tuple(Closing)), draw.choice((None, rules - 1))
    )


def _initial_batches(
    draw: Random, arrivals: Arrivals, policy: Policy, begins_at: int
) -> tuple[InitialBatch, ...]:
    """The first pull requests are in the train already, in batches of one."""
    if policy.mode is not Mode.SERIAL or draw.random() < 0.8:
        return ()
    early = [row for row, at in enumerate(arrivals.entered_at) if at <= begins_at][:3]
    return tuple(InitialBatch((row,), 1, arrivals.entered_at[row], draw.random() < 0.3) for row in early)
