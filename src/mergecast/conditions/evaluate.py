"""Does a condition hold for this pull request, now?"""

from mergecast.conditions.attribute import Attribute, Observed, Scalar, ValueKind
from mergecast.conditions.compare import Search, Test, combine, test_of
from mergecast.conditions.errors import EvaluationError, NotRecorded, PatternTooSlow
from mergecast.conditions.facts.checks import PENDING, HeadCheck
from mergecast.conditions.facts.snapshot_view import SnapshotView
from mergecast.conditions.operators import EQUALITY
from mergecast.conditions.result import GroupResult, LeafResult, Result, Truth, holds_all, holds_any, opposite
from mergecast.conditions.tree import All, CommitField, Condition, Leaf, Not
from mergecast.conditions.values import CheckName

TOO_SLOW = "Regular expression took too long"


def evaluate(condition: Condition, reading: SnapshotView, now: int, search: Search) -> Result:
    """The tree of answers. Every leaf is evaluated, also where the answer is known without it."""
    if isinstance(condition, Leaf):
        return _once(condition, reading, now, search)
    if isinstance(condition, Not):
        inner = evaluate(condition.member, reading, now, search)
        return GroupResult(condition, opposite(inner.truth), (inner,))
    results = tuple([evaluate(member, reading, now, search) for member in condition.members])
    join = holds_all if isinstance(condition, All) else holds_any
    return GroupResult(condition, join([result.truth for result in results]), results)


def _once(leaf: Leaf, reading: SnapshotView, now: int, search: Search) -> LeafResult:
    """Many rules of a document share a condition; a slow pattern is not tried again for each of them."""
    known: LeafResult | None = reading.judged.get(id(leaf))
    if known is None or known.condition is not leaf or known.now != now:
        known = reading.judged[id(leaf)] = _evaluate_leaf(leaf, reading, now, search)
    return known


def _evaluate_leaf(leaf: Leaf, reading: SnapshotView, now: int, search: Search) -> LeafResult:
    try:
        test = test_of(leaf, reading, now, search)
        if leaf.attribute.kind is ValueKind.CHECK:
            return _evaluate_check(leaf, reading, now, test)
        seen = _seen(leaf, reading, now)
        holds = combine(leaf, seen, test)
    except NotRecorded as error:
        return LeafResult(leaf, Truth.UNKNOWN, now, missing=str(error))
    except EvaluationError as error:
        return LeafResult(leaf, Truth.UNKNOWN, now, error=str(error))
    except PatternTooSlow:
        return LeafResult(leaf, Truth.UNKNOWN, now, error=TOO_SLOW)
    truth = Truth.HOLDS if holds else Truth.FAILS
    return LeafResult(leaf, truth, now, seen, caveat=_caveat(leaf, reading))


def _evaluate_check(leaf: Leaf, reading: SnapshotView, now: int, test: Test) -> LeafResult:
    """Which checks are meant is found first: it decides the answer, and whether that can still change."""
    matching = matching_checks(leaf, reading, test)
    seen = _seen(leaf, reading, now)
    if leaf.is_counted:
        holds = combine(leaf, seen, test)
    else:
        found = in_states(leaf.attribute, matching)
        holds = combine(leaf, found, lambda _: True)
    return LeafResult(
        leaf,
        Truth.HOLDS if holds else Truth.FAILS,
        now,
        seen,
        caveat=_caveat(leaf, reading),
        is_complete=is_complete(leaf, matching, holds=holds),
        checks=tuple(dict.fromkeys([check.name for check in matching])),
    )


def _seen(leaf: Leaf, reading: SnapshotView, now: int) -> Observed:
    """What the attribute has: a list stays a list, `#` counts, the clock shows the present."""
    attribute = leaf.attribute
    if leaf.commit:
        return _of_commits(leaf.commit, reading)
    if attribute.kind is ValueKind.PRESENT or attribute.kind is ValueKind.SCHEDULE:
        return now
    if leaf.is_counted and attribute.count and attribute.count.read:
        return attribute.count.read(reading)
    value = reading.remembered(attribute.name, attribute.read)
    if leaf.is_counted:
        return len(value) if isinstance(value, str | tuple) else 0
    return value


def _of_commits(field: CommitField, reading: SnapshotView) -> tuple[Scalar, ...]:
    """The field of the commits selected; an index beyond them selects none."""
    commits = reading.commits
    if field.index is not None:
        start = field.index + len(commits) if field.index < 0 else field.index
        commits = commits[start : start + 1] if start >= 0 else ()
    return tuple(field.attribute.read(commit) for commit in commits)


def _caveat(leaf: Leaf, reading: SnapshotView) -> str | None:
    return leaf.attribute.caveat(reading.snapshot) if leaf.attribute.caveat else None


def matching_checks(leaf: Leaf, reading: SnapshotView, test: Test) -> tuple[HeadCheck, ...]:
    """The checks, in whatever state, whose names the value means; all of them for a count."""
    if leaf.is_counted:
        return reading.checks.visible
    if isinstance(leaf.value, CheckName):
        if leaf.operator in EQUALITY:
            return reading.checks.named(leaf.value.app, leaf.value.name)
        return tuple(check for check in reading.checks.of(leaf.value.app) if test(check.name))
    return tuple(check for check in reading.checks.visible if test(check.name))


def in_states(attribute: Attribute, checks: tuple[HeadCheck, ...]) -> tuple[str, ...]:
    """Names of those that are in the states which the attribute lists."""
    return tuple(dict.fromkeys([check.name for check in checks if check.state in attribute.check_states]))


def is_complete(leaf: Leaf, matching: tuple[HeadCheck, ...], *, holds: bool) -> bool:
    """Whether the checks that matter have reported. Nothing pending settles what is pending."""
    pending = sum(check.state == PENDING for check in matching)
    if leaf.is_counted:
        return not pending
    if PENDING in leaf.attribute.check_states:
        return not pending and (holds or bool(matching))
    return len(matching) > pending
