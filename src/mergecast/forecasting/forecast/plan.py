"""How one train is run: settings of its queues, priorities, and hours in which it merges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.population import Population
from mergecast.forecasting.forecast.settings import Settings, apply, what_if
from mergecast.forecasting.forecast.what_if import AS_RECORDED, WhatIf
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.replay.values import Arrivals, Circumstances, ClosedSpan, Closing, Policy


class Urgency(NamedTuple):
    """What a priority rule gives the pull requests that it matches."""

    priority: int
    interrupts: bool


_USUAL: Final = Urgency(2000, interrupts=False)


@dataclass(frozen=True)
class Plan:
    """A policy and, where a document gives them, its priority rules and its schedule.

    Without a document these two come from the history. Freezes and pauses are always as recorded.
    """

    policy: Policy
    kind: str = "mergify"
    priority_rules: Mapping[str, Urgency] | None = None
    schedules: tuple[ClosedSpan, ...] | None = None
    what_if: WhatIf = AS_RECORDED

    def arrivals(self, population: Population) -> Arrivals:
        """The arrivals, with the priority that the plan gives to the recorded rule."""
        if self.priority_rules is None:
            return population.arrivals
        found = [self.priority_rules.get(name or "", _USUAL) for name in population.priority_rule_names]
        return population.arrivals._replace(
            priority=[urgency.priority for urgency in found],
            interrupts=[urgency.interrupts for urgency in found],
        )

    def around(self, recorded: Circumstances) -> Circumstances:
        """What happens around the train, with the schedule of the plan."""
        if self.schedules is None:
            return recorded
        others = [span for span in recorded.closed if span.closing is not Closing.SCHEDULE]
        return recorded._replace(closed=(*others, *self.schedules))


def with_settings(settings: Settings, baseline: Plan) -> Plan:
    """The baseline with these settings, which have no errors."""
    policy = apply(settings, baseline.kind, baseline.policy)
    return replace(
        baseline,
        policy=policy,
        kind=settings.get("kind", baseline.kind),
        what_if=what_if(settings, baseline.what_if),
    )


def as_recorded(trains: Sequence[TrainRules]) -> list[Plan]:
    """The plan inferred from the history."""
    return [Plan(train.policy, train.kind) for train in trains]
