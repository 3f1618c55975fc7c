"""Attributes about checks and deployments."""

from dataclasses import replace

from mergecast.language.conditions.attribute import AllowedIn, Attribute, ValueKind
from mergecast.language.conditions.attributes.rows import texts
from mergecast.language.conditions.facts.checks import PENDING, caveat
from mergecast.queues.model.snapshot import Part

_PARTS = (Part.CHECK_RUNS, Part.STATUSES, Part.BRANCH_PROTECTION, Part.RULES)


def _checks(name: str, help: str, *states: str) -> Attribute:
    wanted = frozenset(states)
    row = texts(
        name,
        help,
        lambda view: tuple(dict.fromkeys(check.name for check in view.checks_in(wanted))),
        *_PARTS,
        kind=ValueKind.CHECK,
    )
    return replace(row, check_states=wanted, caveat=caveat)


CHECK: tuple[Attribute, ...] = (
    _checks("check-success", "Checks that succeeded.", "success"),
    _checks(
        "check-failure",
        "Checks that failed, were cancelled, timed out or require action.",
        "failure",
        "error",
        "action_required",
        "timed_out",
        "cancelled",
    ),
    _checks("check-neutral", "Checks that concluded neutral.", "neutral"),
    _checks("check-skipped", "Checks that were skipped.", "skipped"),
    _checks("check-cancelled", "Checks that were cancelled.", "cancelled"),
    _checks("check-timed-out", "Checks that timed out.", "timed_out"),
    _checks("check-pending", "Checks that are running, or required and not reported yet.", PENDING),
    _checks("check-stale", "Checks that the platform marked stale.", "stale"),
    _checks("check-success-or-neutral", "Checks that succeeded or concluded neutral.", "success", "neutral"),
    replace(
        texts(
            "check",
            "All checks.",
            lambda view: tuple(dict.fromkeys(check.name for check in view.checks.visible)),
            *_PARTS,
        ),
        allowed_in=AllowedIn.TEMPLATES,
    ),
    texts(
        "deployment-success",
        "Environments whose latest deployment succeeded.",
        lambda view: view.environments(frozenset({"success"})),
        Part.DEPLOYMENTS,
    ),
    texts(
        "deployment-failure",
        "Environments whose latest deployment failed.",
        lambda view: view.environments(frozenset({"failure", "error"})),
        Part.DEPLOYMENTS,
    ),
)

# Deprecated names that are still accepted, and their current names.
RENAMED = {
    "status-success": "check-success",
    "status-failure": "check-failure",
    "status-neutral": "check-neutral",
}
