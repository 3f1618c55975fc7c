"""Notes beside the figures: what was assumed, and what cannot be known."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.reach import NOTICEABLE, largest_recorded
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import DAY
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.codes import REASONS
from mergecast.queues.model.instant import duration
from mergecast.queues.model.words import plural

_RARE_SHARE: Final = 0.01
PEOPLE: Final = (
    "The forecast assumes that people queue the same pull requests at the same times under any settings."
)


class Outcome(NamedTuple):
    """What replays of the candidate showed beside figures."""

    busier: float  # share of the time with more concurrent runs than were ever recorded
    waiting: float  # pull requests in the queues at the end
    waiting_before: float  # the same under the baseline


def notes(
    history: History, trains: Sequence[TrainRules], candidate: Sequence[Plan], played: Outcome
) -> tuple[str, ...]:
    people = () if any(plan.what_if.arrivals != 1 for plan in candidate) else (PEOPLE,)
    return (
        *people,
        *assumptions(candidate),
        *_backlog(history, played),
        *_contention(played.busier),
        *_unknowns(trains, candidate),
        *_standstills(trains),
        *_strange_exits(history),
    )


def assumptions(candidate: Sequence[Plan]) -> Iterator[str]:
    """What is assumed about circumstances that differ from the recorded ones."""
    for what_if in dict.fromkeys(plan.what_if for plan in candidate):
        if what_if.ci_speed != 1:
            yield (
                f"Every CI run takes {what_if.ci_speed:g} times as long as it would have, whatever its size "
                "and outcome; the time until a run starts stays the same."
            )
        if what_if.arrivals > 1:
            yield (
                f"There are {what_if.arrivals:g} times as many pull requests: some recorded ones enter "
                "again, at the same time of another week and with outcomes of their own. They are broken and "
                "removed as often as others."
            )
        if what_if.arrivals < 1:
            yield (
                f"There are {what_if.arrivals:g} times as many pull requests: recorded ones are left out by "
                "chance."
            )
        if what_if.flakes != 1:
            yield (
                f"Runs fail by chance {what_if.flakes:g} times as often as they did; "
                "broken pull requests stay broken."
            )


def is_overloaded(history: History, waiting: float, waiting_before: float) -> bool:
    """A queue that does not keep up ends the window with more than a day of work."""
    start, end = history.recorded_span
    days = max(1.0, (end - start) / DAY)
    daily = len(history.entered_in_window) / days
    return waiting > max(daily, 2 * waiting_before)


def _backlog(history: History, played: Outcome) -> Iterator[str]:
    if is_overloaded(history, played.waiting, played.waiting_before):
        yield (
            f"The queue does not keep up: {played.waiting:.0f} pull requests wait at the end of the period "
            f"({played.waiting_before:.0f} under the baseline), so its figures grow with the period."
        )


def _contention(busier: float) -> Iterator[str]:
    if busier > NOTICEABLE:
        yield (
            f"For {busier:.0%} of the time the candidate runs more concurrent checks than ever recorded: "
            "the history does not show whether CI slows down then."
        )


def _unknowns(trains: Sequence[TrainRules], candidate: Sequence[Plan]) -> Iterator[str]:
    for train, plan in zip(trains, candidate, strict=True):
        names = train.quoted_names
        runs = train.recorded.history.runs
        has_retries = any(run.attempt > 1 for run in runs)
        if not has_retries and any(rule.max_checks_retries for rule in plan.policy.rules):
            yield (
                f"No run of {names} was retried: how often a retry fails again is a guess, "
                "and the intervals show how much that matters."
            )
        largest = largest_recorded(train.recorded.history)
        if any(rule.batch_size_max > largest for rule in plan.policy.rules):
            yield _never_recorded(names, largest)


def _never_recorded(names: str, largest: int) -> str:
    if largest == 1:
        return (
            f"All batches of {names} had one pull request: the history does not show whether larger ones "
            "take longer. The intervals range from no growth at all to members that are built one after "
            "the other; the values assume little growth."
        )
    return (
        f"No batch of {names} had more than {largest} pull requests: how long CI takes for larger ones was "
        "never recorded. It is inferred from smaller ones."
    )


def _standstills(trains: Sequence[TrainRules]) -> Iterator[str]:
    spans = {span for train in trains for span in train.recorded.standstills}
    if spans:
        lasted = duration(sum(until - since for since, until in spans))
        times = plural(len(spans), "once", f"{len(spans)} times")
        yield f"CI stood still {times}, for {lasted} in all; every replay repeats this."


def _strange_exits(history: History) -> Iterator[str]:
    left = [stay.reason for stay in history.stays if stay.reason is not None]
    strange = [reason for reason in left if reason not in REASONS]
    if strange and len(strange) > _RARE_SHARE * len(left):
        yield (
            f"{len(strange)} of {len(left)} pull requests left for reasons that are not modeled, such as "
            f"{min(strange)}: they leave at the recorded time under every setting."
        )
