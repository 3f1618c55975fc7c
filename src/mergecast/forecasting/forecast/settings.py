"""Settings as a flat object: checked, applied to a policy, and read back from one."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from mergecast.forecasting.forecast.requirements import (
    COUNTS_OF_A_QUEUE,
    KIND_OF,
    LENGTHS_OF_A_QUEUE,
    OF_A_QUEUE,
    RATIOS,
    SETTINGS,
)
from mergecast.forecasting.forecast.what_if import WhatIf
from mergecast.forecasting.replay.values import Landing, Mode, Policy, QueueRule, github_policy, gitlab_policy
from mergecast.queues.model.instant import MINUTE, SECOND
from mergecast.queues.model.nearest import nearest


class SettingError(NamedTuple):
    field: str
    message: str


Settings = Mapping[str, Any]


def errors_of(settings: Settings) -> list[SettingError]:
    """Every error in the settings of a request."""
    found = [SettingError(name, _unknown(name)) for name in settings if name not in SETTINGS]
    for name, value in settings.items():
        message = SETTINGS[name].error(value) if name in SETTINGS else None
        if message:
            found.append(SettingError(name, message))
    return found


def errors_of_kind(settings: Settings, kinds: Collection[str]) -> list[SettingError]:
    """Settings that queues of these kinds do not have."""
    return [
        SettingError(name, f"is a setting of {KIND_OF[name]} queues; the kind here is {', '.join(kinds)}")
        for name in settings
        if name in KIND_OF and KIND_OF[name] not in kinds
    ]


def errors_of_groups(policy: Policy) -> list[SettingError]:
    """What is wrong with the groups in which GitHub merges."""
    landing = policy.landing
    if landing is None or landing.min_entries <= landing.max_entries:
        return []
    message = f"must not be above max_entries_to_merge, which is {landing.max_entries}"
    return [SettingError("min_entries_to_merge", message)]


def errors_of_queue(settings: Settings) -> list[SettingError]:
    """Every error in the settings of one queue."""
    shared = [name for name in settings if name in SETTINGS and name not in OF_A_QUEUE]
    return [
        *errors_of(settings),
        *(SettingError(name, "is the same for all queues of a branch; set it for all") for name in shared),
    ]


def _unknown(name: str) -> str:
    known = nearest(name, SETTINGS)
    advice = f"did you mean `{known}`?" if known else f"the settings are {', '.join(sorted(SETTINGS))}"
    return f"is not a setting; {advice}"


def apply(settings: Settings, kind_before: str, baseline: Policy) -> Policy:
    """The baseline with these settings, which have no errors. What no setting says stays as it is.

    Settings of another kind of queue have no effect.
    """
    kind = settings.get("kind", kind_before)
    settings = {name: value for name, value in settings.items() if KIND_OF.get(name, kind) == kind}
    policy = baseline if kind == kind_before else _DEFAULTS[kind](len(baseline.rules))
    policy = replace(policy, rules=tuple(_with_rule_settings(settings, rule) for rule in policy.rules))
    slots = settings.get(_SLOTS[kind], policy.max_parallel_checks)
    policy = replace(policy, max_parallel_checks=slots)
    if kind == "github":
        return replace(policy, landing=_with_landing(settings, policy.landing or Landing()))
    if kind == "gitlab":
        return policy
    return replace(
        policy,
        mode=Mode(settings.get("mode", policy.mode)),
        skip_intermediate_results=settings.get("skip_intermediate_results", policy.skip_intermediate_results),
    )


def apply_to_queue(settings: Settings, queue: int, policy: Policy) -> Policy:
    """The policy with these settings of one queue, which have no errors."""
    rules = list(policy.rules)
    rules[queue] = _with_rule_settings(settings, rules[queue])
    return replace(policy, rules=tuple(rules))


def what_if(settings: Settings, baseline: WhatIf) -> WhatIf:
    """The circumstances of the baseline with these settings."""
    return replace(baseline, **{name: float(settings[name]) for name in RATIOS if name in settings})


_SLOTS: Final = {
    "mergify": "max_parallel_checks",
    "github": "max_entries_to_build",
    "gitlab": "parallel_pipelines",
}
_DEFAULTS: Final[dict[str, Callable[[int], Policy]]] = {
    "mergify": lambda queues: Policy(rules=(QueueRule(),) * queues, max_parallel_checks=5),
    "github": lambda queues: replace(github_policy(), rules=(QueueRule(),) * queues),
    "gitlab": lambda queues: replace(gitlab_policy(), rules=(QueueRule(),) * queues),
}


def _with_rule_settings(settings: Settings, rule: QueueRule) -> QueueRule:
    changed: dict[str, Any] = {}
    if "batch_size" in settings:
        size = settings["batch_size"]
        bounds = size if isinstance(size, dict) else {"min": size, "max": size}
        changed = {"batch_size_min": bounds["min"], "batch_size_max": bounds["max"]}
    for name in LENGTHS_OF_A_QUEUE:
        if name in settings:
            changed[name] = None if settings[name] is None else settings[name] * SECOND
    for name in COUNTS_OF_A_QUEUE:
        if name in settings:
            changed[name] = settings[name]
    return replace(rule, **changed)


def _with_landing(settings: Settings, landing: Landing) -> Landing:
    strategy = settings.get("grouping_strategy")
    return Landing(
        min_entries=settings.get("min_entries_to_merge", landing.min_entries),
        max_entries=settings.get("max_entries_to_merge", landing.max_entries),
        wait=settings["wait_minutes"] * MINUTE if "wait_minutes" in settings else landing.wait,
        head_green=landing.head_green if strategy is None else strategy == "HEADGREEN",
    )


def described(kind: str, policy: Policy, queue: int = 0) -> dict[str, Any]:
    """Every setting of one queue of a policy, as understood."""
    rule = policy.rules[queue]
    timeout = None if rule.checks_timeout is None else rule.checks_timeout // SECOND
    if kind == "gitlab":
        return {"kind": kind, "parallel_pipelines": policy.max_parallel_checks, "checks_timeout": timeout}
    if kind == "github":
        landing = policy.landing or Landing()
        return {
            "kind": kind,
            "max_entries_to_build": policy.max_parallel_checks,
            "min_entries_to_merge": landing.min_entries,
            "max_entries_to_merge": landing.max_entries,
            "wait_minutes": landing.wait // MINUTE,
            "grouping_strategy": "HEADGREEN" if landing.head_green else "ALLGREEN",
            "checks_timeout": timeout,
        }
    same_size = rule.batch_size_min == rule.batch_size_max
    return {
        "kind": kind,
        "mode": policy.mode.value,
        "batch_size": rule.batch_size_max
        if same_size
        else {"min": rule.batch_size_min, "max": rule.batch_size_max},
        "batch_max_wait_time": rule.batch_max_wait_time // SECOND,
        "max_parallel_checks": policy.max_parallel_checks,
        "max_checks_retries": rule.max_checks_retries,
        "checks_timeout": timeout,
        "batch_max_failure_resolution_attempts": rule.batch_max_failure_resolution_attempts,
        "skip_intermediate_results": policy.skip_intermediate_results,
    }
