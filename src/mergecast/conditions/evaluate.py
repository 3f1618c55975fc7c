"""Does a condition hold for this pull request, now?"""

from mergecast.conditions.attribute import Kind, Scalar, Seen
from mergecast.conditions.check_conditions import in_states, is_complete, matching_checks
from mergecast.conditions.compare import Search, Test, combine, test_of
from mergecast.conditions.errors import EvaluationError, NotRecorded, PatternTooSlow
from mergecast.conditions.facts.snapshot_view import Reading
from mergecast.conditions.result import GroupResult, LeafResult, Result, Truth, holds_all, holds_any, opposite
from mergecast.conditions.tree import All, CommitField, Condition, Leaf, Not

TOO_SLOW = "Regular expression took too long"


def evaluate(condition: Condition, reading: Reading, now: int, search: Search) -> Result:
    """The tree of answers. Every leaf is evaluated, also where the answer is known without it."""
    if isinstance(condition, Leaf):
        return _once(condition, reading, now, search)
    if isinstance(condition, Not):
        inner = evaluate(condition.member, reading, now, search)
        return GroupResult(condition, opposite(inner.truth), (inner,))
    results = tuple([evaluate(member, reading, now, search) for member in condition.members])
    join = holds_all if isinstance(condition, All) else holds_any
    return GroupResult(condition, join([result.truth for result in results]), results)


def _once(leaf: Leaf, reading: Reading, now: int, search: Search) -> LeafResult:
    """Many rules of a document share a condition; a slow pattern is not tried again for each of them."""
    known: LeafResult | None = reading.judged.get(id(leaf))
    if known is None or known.condition is not leaf or known.now != now:
        known = reading.judged[id(leaf)] = _evaluate_leaf(leaf, reading, now, search)
    return known


def _evaluate_leaf(leaf: Leaf, reading: Reading, now: int, search: Search) -> LeafResult:
    try:
        test = test_of(leaf, reading, now, search)
        if leaf.attribute.kind is Kind.CHECK:
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


def _evaluate_check(leaf: Leaf, reading: Reading, now: int, test: Test) -> LeafResult:
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


def _seen(leaf: Leaf, reading: Reading, now: int) -> Seen:
    """What the attribute has: a list stays a list, `#` counts, the clock shows the present."""
    attribute = leaf.attribute
    if leaf.commit:
        return _of_commits(leaf.commit, reading)
    if attribute.kind is Kind.PRESENT or attribute.kind is Kind.SCHEDULE:
        return now
    if leaf.is_counted and attribute.count and attribute.count.read:
        return attribute.count.read(reading)
    value = reading.remembered(attribute.name, attribute.read)
    if leaf.is_counted:
        return len(value) if isinstance(value, str | tuple) else 0
    return value


def _of_commits(field: CommitField, reading: Reading) -> tuple[Scalar, ...]:
    """The field of the commits selected; an index beyond them selects none."""
    commits = reading.commits
    if field.index is not None:
        start = field.index + len(commits) if field.index < 0 else field.index
        commits = commits[start : start + 1] if start >= 0 else ()
    return tuple(field.attribute.read(commit) for commit in commits)


def _caveat(leaf: Leaf, reading: Reading) -> str | None:
    return leaf.attribute.caveat(reading.snapshot) if leaf.attribute.caveat else None
