"""Does a condition hold for this pull request, now?"""

from mergecast.language.conditions.attribute import Attribute, Observed, Scalar, ValueKind
from mergecast.language.conditions.compare import Search, Test, combine, test_of
from mergecast.language.conditions.errors import EvaluationError, NotRecorded, PatternTooSlow
from mergecast.language.conditions.facts.checks import PENDING, HeadCheck
from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.operators import EQUALITY
from mergecast.language.conditions.result import GroupResult, LeafResult, Result, Truth, group_truth
from mergecast.language.conditions.tree import CommitField, Condition, Leaf, Not
from mergecast.language.conditions.values import CheckName

TOO_SLOW = "Regular expression took too long"


class Evaluator:
    """Evaluates conditions on one pull request at one instant; each leaf and each attribute only once.

    Many rules of a document share a condition, and a slow pattern must not run again for each of them.
    """

    def __init__(self, view: SnapshotView, now: int, search: Search) -> None:
        self.view, self.now, self.search = view, now, search
        # By identity, which is quicker than hashing a leaf; each result keeps its leaf alive.
        self._results: dict[int, LeafResult] = {}
        self._values: dict[str, Observed] = {}

    def evaluate(self, condition: Condition) -> Result:
        """The tree of results. Every leaf is evaluated, even where the result is known without it."""
        if isinstance(condition, Leaf):
            return self._leaf_result(condition)
        members = (condition.member,) if isinstance(condition, Not) else condition.members
        results = tuple([self.evaluate(member) for member in members])
        return GroupResult(condition, group_truth(condition, [result.truth for result in results]), results)

    def value_of(self, attribute: Attribute) -> Observed:
        """The value of the attribute on this pull request; raises NotRecorded or EvaluationError."""
        if attribute.name not in self._values:
            self._values[attribute.name] = attribute.read(self.view)
        return self._values[attribute.name]

    def _leaf_result(self, leaf: Leaf) -> LeafResult:
        known = self._results.get(id(leaf))
        if known is None:
            known = self._results[id(leaf)] = self._evaluate_leaf(leaf)
        return known

    def _evaluate_leaf(self, leaf: Leaf) -> LeafResult:
        now = self.now
        try:
            test = test_of(leaf, self.view, now, self.search)
            if leaf.attribute.kind is ValueKind.CHECK:
                return self._evaluate_check(leaf, test)
            observed = self._observe(leaf)
            holds = combine(leaf, observed, test)
        except NotRecorded as error:
            return LeafResult(leaf, Truth.UNKNOWN, now, missing=str(error))
        except EvaluationError as error:
            return LeafResult(leaf, Truth.UNKNOWN, now, error=str(error))
        except PatternTooSlow:
            return LeafResult(leaf, Truth.UNKNOWN, now, error=TOO_SLOW)
        truth = Truth.HOLDS if holds else Truth.FAILS
        return LeafResult(leaf, truth, now, observed, caveat=self._caveat(leaf))

    def _evaluate_check(self, leaf: Leaf, test: Test) -> LeafResult:
        """Find the checks that the condition refers to: they decide its truth and whether it is final."""
        matching = _matching_checks(leaf, self.view, test)
        observed = self._observe(leaf)
        if leaf.is_counted:
            holds = combine(leaf, observed, test)
        else:
            holds = combine(leaf, _names_in_states(leaf.attribute, matching), lambda _: True)
        return LeafResult(
            leaf,
            Truth.HOLDS if holds else Truth.FAILS,
            self.now,
            observed,
            caveat=self._caveat(leaf),
            is_complete=_is_complete(leaf, matching, holds=holds),
            checks=tuple(dict.fromkeys([check.name for check in matching])),
        )

    def _observe(self, leaf: Leaf) -> Observed:
        """The value that the condition looks at: a list stays a list, `#` counts, clocks show the instant."""
        attribute = leaf.attribute
        if leaf.commit:
            return _of_commits(leaf.commit, self.view)
        if attribute.kind is ValueKind.PRESENT or attribute.kind is ValueKind.SCHEDULE:
            return self.now
        if leaf.is_counted and attribute.count and attribute.count.read:
            return attribute.count.read(self.view)
        value = self.value_of(attribute)
        if leaf.is_counted:
            return len(value) if isinstance(value, str | tuple) else 0
        return value

    def _caveat(self, leaf: Leaf) -> str | None:
        return leaf.attribute.caveat(self.view.snapshot) if leaf.attribute.caveat else None


def _of_commits(field: CommitField, view: SnapshotView) -> tuple[Scalar, ...]:
    """The field of each selected commit; an index out of range selects none."""
    commits = view.commits
    if field.index is not None:
        start = field.index + len(commits) if field.index < 0 else field.index
        commits = commits[start : start + 1] if start >= 0 else ()
    return tuple(field.attribute.read(commit) for commit in commits)


def _matching_checks(leaf: Leaf, view: SnapshotView, test: Test) -> tuple[HeadCheck, ...]:
    """The checks whose names match the value, in any state; all checks for a count."""
    if leaf.is_counted:
        return view.checks.visible
    if isinstance(leaf.value, CheckName):
        if leaf.operator in EQUALITY:
            return view.checks.named(leaf.value.app, leaf.value.name)
        return tuple(check for check in view.checks.of(leaf.value.app) if test(check.name))
    return tuple(check for check in view.checks.visible if test(check.name))


def _names_in_states(attribute: Attribute, checks: tuple[HeadCheck, ...]) -> tuple[str, ...]:
    """Names of the checks that are in one of the attribute's states."""
    return tuple(dict.fromkeys([check.name for check in checks if check.state in attribute.check_states]))


def _is_complete(leaf: Leaf, matching: tuple[HeadCheck, ...], *, holds: bool) -> bool:
    """Whether the checks that matter have reported, so that the result is final."""
    pending = sum(check.state == PENDING for check in matching)
    if leaf.is_counted:
        return not pending
    if PENDING in leaf.attribute.check_states:
        return not pending and (holds or bool(matching))
    return len(matching) > pending
