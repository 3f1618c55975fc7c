"""Notes beside the figures: what was assumed, and what cannot be known."""

from collections.abc import Iterator, Sequence
from typing import Final

from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.codes import REASONS

_BUSY_SHARE: Final = 0.05
_RARE_SHARE: Final = 0.01
PEOPLE: Final = (
    "The forecast assumes that people queue the same pull requests at the same times under any settings."
)


def notes(
    history: History, trains: Sequence[TrainRules], candidate: Sequence[Plan], busier: float
) -> tuple[str, ...]:
    return (PEOPLE, *_contention(busier), *_unknowns(trains, candidate), *_strange_exits(history))


def _contention(busier: float) -> Iterator[str]:
    if busier > _BUSY_SHARE:
        yield (
            f"For {busier:.0%} of the time the candidate runs more concurrent checks than ever recorded: "
            "the history does not show whether CI slows down then."
        )


def _unknowns(trains: Sequence[TrainRules], candidate: Sequence[Plan]) -> Iterator[str]:
    for train, plan in zip(trains, candidate, strict=True):
        names = " and ".join(f"`{name}`" for name in train.queue_names)
        runs = train.recorded.history.runs
        has_retries = any(run.attempt > 1 for run in runs)
        if not has_retries and any(rule.max_checks_retries for rule in plan.policy.rules):
            yield (
                f"No run of {names} was retried: how often a retry fails again is a guess, "
                "and the intervals show how much that matters."
            )
        sizes = {len(run.members) for run in runs}
        if sizes == {1} and any(rule.batch_size_max > 1 for rule in plan.policy.rules):
            yield (
                f"All batches of {names} had one pull request: "
                "the history does not show whether larger ones take longer."
            )


def _strange_exits(history: History) -> Iterator[str]:
    left = [stay.reason for stay in history.stays if stay.reason is not None]
    strange = [reason for reason in left if reason not in REASONS]
    if strange and len(strange) > _RARE_SHARE * len(left):
        yield (
            f"{len(strange)} of {len(left)} pull requests left for reasons that are not modeled, such as "
            f"{min(strange)}: they leave at the recorded time under every setting."
        )
