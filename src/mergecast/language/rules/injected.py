"""Conditions that the service adds; their descriptions say where they come from."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.attributes import ATTRIBUTES
from mergecast.language.conditions.facts.metadata import depends_on, merge_after
from mergecast.language.conditions.operators import Operator
from mergecast.language.conditions.parser import parse_condition
from mergecast.language.conditions.printer import print_condition
from mergecast.language.conditions.times.timestamps import Instant
from mergecast.language.conditions.tree import AnyOf, Condition, Leaf
from mergecast.language.conditions.values import CheckName, Value
from mergecast.language.rules.context import Context

CONFIGURATION_CHECK = "Configuration changed"


def required(action: str, *texts: str) -> tuple[Leaf, ...]:
    """What an action requires in addition to the conditions of its rule."""
    return tuple(injected(text, f"📌 {action} requirement") for text in texts)


@lru_cache(maxsize=256)
def injected(text: str, description: str | None) -> Leaf:
    """A condition that the service adds. There are few different ones, and every queue uses them."""
    return replace(parse_condition(text, Section.INJECTED), description=description, is_injected=True)


def comparison(name: str, operator: Operator, value: Value, description: str | None) -> Leaf:
    """A leaf whose value is text of users, which must not be parsed as part of the condition."""
    leaf = Leaf("", ATTRIBUTES[name], operator, value, description=description, is_injected=True)
    return replace(leaf, text=print_condition(leaf))


def check(attribute: str, name: str, description: str | None = None) -> Leaf:
    return comparison(attribute, Operator.EQUAL, CheckName(None, name), description)


def before_merging(context: Context, action: str) -> tuple[Condition, ...]:
    """What merging and queueing require of every pull request, apart from the protection of its base."""
    return (
        *configuration_change(context, action),
        *dependencies(context),
        *waiting_time(context),
    )


def configuration_change(context: Context, action: str) -> Iterator[Condition]:
    """A changed document must have passed its check; without recorded files, a change is not noticed."""
    if context.snapshot.files is None or context.pull.base != context.pull.default_branch:
        return
    unchanged = injected("-mergify-configuration-changed", None)
    passed = check("check-success", CONFIGURATION_CHECK)
    yield AnyOf((unchanged, passed), f"📌 {action} requirement")


def dependencies(context: Context) -> Iterator[Leaf]:
    """Each pull request that this one depends on must be merged."""
    states = {name.lower(): state for name, state in (context.snapshot.dependencies or {}).items()}
    is_recorded = context.snapshot.dependencies is not None
    for reference in depends_on(context.pull):
        state = states.get(reference.lower(), "not found" if is_recorded else None)
        description = _dependency(context, reference, state)
        yield comparison("depends-on", Operator.EQUAL, reference, description)


def _dependency(context: Context, reference: str, state: str | None) -> str:
    if state == "not found":
        return "🔗 Depends-On, not found"
    if state == "closed":
        return "🔗 Depends-On, closed without a merge"
    if state != "merged" and may_be_stacked(context, reference):
        return "🔗 Depends-On; in a stack, being queued behind it is enough"
    return "🔗 Depends-On"


def may_be_stacked(context: Context, reference: str) -> bool:
    """Whether the base may be the head of the other pull request; snapshots do not record that."""
    pull = context.pull
    in_repository = reference.lower().startswith(f"{pull.full_name}#".lower())
    return in_repository and not pull.from_fork and pull.base != pull.default_branch


def waiting_time(context: Context) -> Iterator[Leaf]:
    instant = merge_after(context.pull)
    if instant is not None:
        yield comparison("current-datetime", Operator.AT_LEAST, Instant(instant), "🕒 Merge-After")
