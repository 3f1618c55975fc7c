"""Whether a candidate stays inside what was ever recorded: sizes of batches, runs at once, retries."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.answer import Reach
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.values import Mode
from mergecast.queues.model.words import counted, plural

NOTICEABLE: Final = 0.05  # of the time or of the runs
_ENOUGH_RUNS: Final = 5  # one wrong report is not a record


class Excess(NamedTuple):
    """How far replays of a candidate went beyond the record."""

    busier: float  # share of the time with more concurrent runs than were ever recorded
    larger: float  # share of the runs with a larger batch than were ever recorded


def largest_recorded(history: History) -> int:
    """The largest size that several batches had, or else the largest."""
    sizes = sorted((len(run.members) for run in history.runs if run.has_verdict), reverse=True)
    return sizes[min(_ENOUGH_RUNS, len(sizes)) - 1] if sizes else 1


def reach_of(
    trains: Sequence[TrainRules], today: Sequence[Plan], candidate: Sequence[Plan], excess: Excess
) -> Reach:
    """Today's settings go beyond nothing, even if the queue never used all that they allow."""
    found: dict[str, list[TrainRules]] = {}
    for train, current, plan in zip(trains, today, candidate, strict=True):
        if _extent(plan) not in (_extent(current), _extent(Plan(train.policy, train.kind))):
            for words in (*_new_rules(train, current, plan), *_more_than_recorded(train, plan, excess)):
                found.setdefault(words, []).append(train)
    beyond = (
        words
        if len(own) == len(trains)
        else f"{words} in {' and '.join(train.quoted_names for train in own)}"
        for words, own in found.items()
    )
    return Reach("beyond" if found else "inside", tuple(beyond))


def _extent(plan: Plan) -> tuple[object, ...]:
    """What of a plan can go beyond the record; for several queues, the most."""
    policy, rules = plan.policy, plan.policy.rules
    batch = max(rule.batch_size_max for rule in rules)
    return plan.kind, plan.what_if, policy.mode, policy.max_parallel_checks, batch, _retries(plan)


def _retries(plan: Plan) -> int:
    return max(rule.max_checks_retries for rule in plan.policy.rules)


def _new_rules(train: TrainRules, today: Plan, plan: Plan) -> Iterator[str]:
    """Rules that were never seen at work, and are not today's either."""
    if plan.kind not in (train.kind, today.kind):
        yield f"a queue of the kind {plan.kind}"
    if plan.policy.mode not in (Mode.SERIAL, today.policy.mode):
        yield f"{plan.policy.mode.value} mode"
    recorded = max((run.attempt for run in train.recorded.history.runs), default=1) - 1
    wanted = _retries(plan)
    if wanted > max(recorded, _retries(today)):
        yield f"{counted(wanted, 'retry', 'retries')} of a run (recorded: {recorded or 'none'})"


def _more_than_recorded(train: TrainRules, plan: Plan, excess: Excess) -> Iterator[str]:
    """What replays of the plan did more than was ever recorded."""
    largest = largest_recorded(train.recorded.history)
    asked = max(rule.batch_size_max for rule in plan.policy.rules)
    if asked > largest and excess.larger > NOTICEABLE:
        recorded = "no batches at all" if largest == 1 else f"at most {largest}"
        yield f"batches of up to {asked} (recorded: {recorded})"
    slots = train.policy.max_parallel_checks
    if plan.policy.max_parallel_checks > slots and excess.busier > NOTICEABLE:
        yield f"more than {slots} concurrent {plural(slots, 'run')}"
