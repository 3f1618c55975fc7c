"""How one train is run: settings of its queues, priorities, and hours in which it merges."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple

from mergecast.forecasting.estimate.population import Population
from mergecast.forecasting.forecast.requirements import KIND_OF, SETTINGS
from mergecast.forecasting.forecast.settings import Settings, apply, described, errors_of_groups, what_if
from mergecast.forecasting.forecast.what_if import AS_RECORDED, WhatIf
from mergecast.forecasting.history.inference import USUAL_GROUP, TrainRules
from mergecast.forecasting.history.seconds import HOUR, in_seconds
from mergecast.forecasting.replay.values import Arrivals, Circumstances, ClosedSpan, Closing, Policy


class Urgency(NamedTuple):
    """What a priority rule gives the pull requests that it matches."""

    priority: int
    interrupts: bool


_GROUPS: Final = ("min_entries_to_merge", "max_entries_to_merge")
# Whether what the history shows cannot have happened under a setting. Less than a limit can.
_EXCEEDED: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "max_entries_to_build": lambda seen, told: seen > told,
    "max_entries_to_merge": lambda seen, told: seen > max(told, USUAL_GROUP),
    "grouping_strategy": lambda seen, told: (seen, told) == ("HEADGREEN", "ALLGREEN"),
}
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


def as_told(values: Settings, shown: Sequence[Plan]) -> list[Plan]:
    """The plans with what the platform says about their queues, where it can be replayed."""
    return [replace(plan, policy=apply(told_of(values, plan), plan.kind, plan.policy)) for plan in shown]


def contradictions(values: Settings, shown: Sequence[Plan]) -> list[tuple[str, Any, Any]]:
    """Settings that the history exceeds: name, what the platform says, and what the history shows."""
    found = []
    for plan in shown:
        seen = described(plan.kind, plan.policy)
        for name, value in told_of(values, plan).items():
            if name in _EXCEEDED and _EXCEEDED[name](seen[name], value):
                found.append((name, value, seen[name]))
    return found


def told_of(values: Settings, plan: Plan) -> Settings:
    """What of the values can be replayed; nothing if they are those of another kind of queue."""
    known = {
        name: value for name, value in values.items() if name in SETTINGS and not SETTINGS[name].error(value)
    }
    if all(KIND_OF.get(name) != plan.kind for name in known):
        return {}
    is_possible = not errors_of_groups(apply(known, plan.kind, plan.policy))
    return known if is_possible else {name: known[name] for name in known if name not in _GROUPS}


def settings_of(trains: Sequence[TrainRules], plans: Sequence[Plan]) -> dict[str, dict[str, Any]]:
    """The settings of each queue, as understood, by its name."""
    return {
        name: {
            **described(plan.kind, plan.policy, queue),
            "priority_rules": _priority_rules(train, plan),
            "hours_closed_by_schedule": round(_closed_seconds(train, plan, queue) / HOUR, 1),
            **asdict(plan.what_if),
        }
        for train, plan in zip(trains, plans, strict=True)
        for queue, name in enumerate(train.queue_names)
    }


def _priority_rules(train: TrainRules, plan: Plan) -> dict[str, int]:
    """The priority of each rule that was recorded or that the plan has."""
    if plan.priority_rules is not None:
        return {name: rule.priority for name, rule in sorted(plan.priority_rules.items())}
    return {name: number for name, number in sorted(train.priorities.items(), key=str) if name is not None}


def _closed_seconds(train: TrainRules, plan: Plan, queue: int) -> float:
    """How much of the window a schedule closes."""
    length = train.recorded.history.length
    spans: Iterable[tuple[float, float]] = train.closed.schedules
    if plan.schedules is not None:
        own = [span for span in plan.schedules if span.rule == queue]
        spans = [(in_seconds(span.start), in_seconds(span.end)) for span in own]
    return sum(max(0.0, min(end, length) - max(start, 0.0)) for start, end in spans)
