"""The table of deprecations, and their uses in a document."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from mergecast.language.configuration.paths import Found, find

# What has no deadline of its own is accepted here up to this day, whatever the hosted service does.
DEADLINE = date(2027, 3, 31)

QUEUE_RULES = ("queue_rules.*", "defaults.queue_rule")
ACTIONS = ("pull_request_rules.*.actions", "defaults.actions")


@dataclass(frozen=True, slots=True)
class Deprecated:
    """Something that is accepted up to and including its deadline."""

    name: str
    parents: tuple[str, ...]  # patterns of the mappings that may contain the key
    since: date
    replacement: str  # what to do instead, as the end of a sentence
    what: str = "`{name}`"
    deadline: date = DEADLINE
    service_deadline: date | None = None  # when the hosted service stopped accepting it, if published
    is_marked_in_schema: bool = True

    def message(self, today: date, name: str | None = None) -> str:
        """The message up to the deadline; the deadline itself is reported separately."""
        message = f"{self._title(name)} is deprecated, {self.replacement}"
        if self.service_deadline is None or today < self.service_deadline:
            return message
        return f"{message}; the hosted service stopped accepting this on {self.service_deadline}"

    def error_message(self, name: str | None = None) -> str:
        """The error message after the deadline."""
        return f"{self._title(name)} is no longer supported since {self.deadline}, {self.replacement}"

    def _title(self, name: str | None) -> str:
        what = self.what.format(name=name or self.name)
        return what[0].upper() + what[1:]


_ACTION = "the `{name}` action"

DEPRECATIONS: tuple[Deprecated, ...] = (
    Deprecated(
        "commit_message_template",
        (*QUEUE_RULES, *(f"{parent}.merge" for parent in ACTIONS)),
        date(2026, 6, 30),
        "use `commit_message_format`",
        service_deadline=date(2026, 9, 30),
    ),
    Deprecated(
        "github_actions",
        ACTIONS,
        date(2026, 7, 22),
        "trigger the workflow with an event of the platform",
        _ACTION,
    ),
    Deprecated(
        "allow_queue_branch_edit",
        QUEUE_RULES,
        date(2026, 9, 23),
        "remove it, and push to the pull requests instead of the batch branches",
        deadline=date(2026, 12, 31),  # published
    ),
    Deprecated(
        "conditions",
        QUEUE_RULES,
        date(2026, 5, 6),
        "use `merge_conditions`",
        service_deadline=date(2026, 7, 31),
    ),
    Deprecated(
        "routing_conditions",
        QUEUE_RULES,
        date(2026, 5, 6),
        "use `queue_conditions`",
        service_deadline=date(2026, 7, 31),
    ),
    Deprecated(
        "queue_branch_merge_method", QUEUE_RULES, date(2026, 4, 1), "use `merge_method: fast-forward`"
    ),
    Deprecated(
        "allow_inplace_checks",
        QUEUE_RULES,
        date(2025, 9, 30),
        "remove it: the queue decides by itself whether checks run in place",
    ),
    Deprecated(
        "post_check",
        ACTIONS,
        date(2026, 3, 18),
        "use `merge_protections`",
        _ACTION,
        service_deadline=date(2026, 9, 30),
    ),
    Deprecated(
        "delete_head_branch",
        ACTIONS,
        date(2026, 3, 30),
        "use the platform's automatic deletion of head branches",
        _ACTION,
        service_deadline=date(2026, 6, 30),
    ),
    Deprecated(
        "requeue",
        ("commands_restrictions",),
        date(2026, 2, 18),
        "use `queue`",
        "the command `{name}`",
        is_marked_in_schema=False,  # nor is it in the published schema
    ),
)

# These two occur inside values: a condition and a template.
STATUS_ATTRIBUTES = Deprecated(
    "status-*",
    (),
    date(2021, 1, 1),
    "use the `check-` attribute of the same name",
    "the attribute `{name}`",
)
TEMPLATE_LANGUAGE = Deprecated(
    "Jinja2 expressions",
    (),
    date(2026, 6, 29),
    "use plain variables such as `{{ author }}`",
    "a Jinja2 expression in this field",
    service_deadline=date(2026, 9, 30),
)


@dataclass(frozen=True, slots=True)
class DeprecatedUse:
    """One use of a deprecated option in a document."""

    option: Deprecated
    found: Found


_BY_PARENT = {
    parent: {option.name: option for option in DEPRECATIONS if parent in option.parents}
    for option in DEPRECATIONS
    for parent in option.parents
}


def deprecated_uses(document: Any, wanted: Callable[[Deprecated], bool]) -> Iterator[DeprecatedUse]:
    """Every use of the options that `wanted` selects, whatever their values."""
    for parent, options in _BY_PARENT.items():
        names = {name for name, option in options.items() if wanted(option)}
        for found in find(document, parent, names):
            yield DeprecatedUse(options[str(found.place[-1])], found)
