"""What differs between two settings, in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from mergecast.api.settings.document import Settings
from mergecast.queues.model.ci_price import Prices, format_decimal
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.notification import ALERT, Rule
from mergecast.queues.model.threshold import SetThreshold
from mergecast.signals.alerts.pinning import WantedPeriod
from mergecast.signals.thresholds.written_value import written_value

T = TypeVar("T")


def differences(before: Settings, after: Settings) -> tuple[str, ...]:
    """One line for each thing that was added, changed or deleted."""
    return (
        *_listed("thresholds", _by_place(before), _by_place(after), _threshold_in_words),
        *_listed("reference_periods", _by_name(before), _by_name(after), _period_in_words),
        *_prices(before.prices, after.prices),
        *_rules(before.notifications, after.notifications),
    )


def _by_place(settings: Settings) -> dict[str, SetThreshold]:
    return {f"{one.figure} of {_where(one)}": one for one in settings.thresholds}


def _by_name(settings: Settings) -> dict[str, WantedPeriod]:
    return {one.name: one for one in settings.reference_periods}


def _listed(
    section: str, before: Mapping[str, T], after: Mapping[str, T], in_words: Callable[[T], str]
) -> Iterator[str]:
    for name in before:
        if name not in after:
            yield f"{section}: deleted {name}: {in_words(before[name])}"
    for name, value in after.items():
        if name not in before:
            yield f"{section}: added {name}: {in_words(value)}"
        elif value != before[name]:
            yield f"{section}: changed {name}: {in_words(value)}, before: {in_words(before[name])}"


def _where(one: SetThreshold) -> str:
    on = "" if one.base_ref is None else f" on {one.base_ref}"
    return f"{'all queues' if one.queue_name is None else one.queue_name}{on}"


def _threshold_in_words(one: SetThreshold) -> str:
    """When it speaks.

    >>> _threshold_in_words(SetThreshold("time_to_merge_p95", 3600.0, alert=False))
    'above 1h, without alerts'
    >>> _threshold_in_words(SetThreshold("run_too_long", None))
    'off'
    """
    if one.value is None:
        return "off"
    return f"above {written_value(one.figure, one.value)}{'' if one.alert else ', without alerts'}"


def _period_in_words(one: WantedPeriod) -> str:
    start, end = map(format_instant, one.window)
    limits = ", ".join(f"{name} {limit:g}" for name, limit in one.limits._asdict().items())
    return f"{one.queue_name} on {one.base_ref}, {start} to {end}, limits {limits}"


def _prices(before: Prices | None, after: Prices | None) -> Iterator[str]:
    if before == after:
        return
    if after is None:
        yield "prices: deleted"
        return
    runners = "".join(
        f", {runner} {format_decimal(price)}" for runner, price in sorted(after.by_runner.items())
    )
    yield f"prices: set to {after.currency} {format_decimal(after.per_minute)} a minute{runners}"


def _rules(before: Mapping[str, Sequence[Rule]], after: Mapping[str, Sequence[Rule]]) -> Iterator[str]:
    for name, rules in after.items():
        if rules != before.get(name):
            said = "; ".join(map(_rule_in_words, rules)) or "nothing"
            yield f"notifications: {name} receives {said}"


def _rule_in_words(rule: Rule) -> str:
    """What a rule chooses.

    >>> _rule_in_words(Rule(ALERT, figures=("run_too_long",), origins=("set",), queues=("default",)))
    'alerts of run_too_long with the origin set in default'
    """
    words = "alerts" if rule.what == ALERT else rule.what
    figures = f" of {', '.join(rule.figures)}" if rule.figures is not None else ""
    origins = f" with the origin {' or '.join(rule.origins)}" if rule.origins is not None else ""
    queues = f" in {', '.join(rule.queues)}" if rule.queues is not None else ""
    return f"{words}{figures}{origins}{queues}"
