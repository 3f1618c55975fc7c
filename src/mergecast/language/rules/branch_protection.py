"""What the base branch requires: its classic protection and its rulesets, combined and as conditions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mergecast.language.conditions.tree import AnyOf, Condition
from mergecast.language.configuration.models.configuration import checks_in_place, fast_forwards, queues_of
from mergecast.language.rules.context import Context
from mergecast.language.rules.injected import check, injected
from mergecast.language.rules.sentence import Name, Sentence, sentence
from mergecast.queues.model.snapshot import BranchProtection, BranchRule, ReviewRequirement, Snapshot

SHIELD = "🛡 branch protection"
_PASSED = ("check-success", "check-neutral", "check-skipped")


@dataclass(frozen=True, slots=True)
class BranchRequirements:
    """The strictest combination of everything that applies to a branch."""

    checks: tuple[str, ...]
    is_strict: bool  # branches must be up to date before they are merged
    reviews: ReviewRequirement
    forbids_change_requests: bool
    needs_resolved_threads: bool
    names_reviewers: bool
    types: frozenset[str]  # of the rules in rulesets

    @property
    def is_linear(self) -> bool:
        return "required_linear_history" in self.types


def branch_requirements(snapshot: Snapshot) -> BranchRequirements:
    rules = snapshot.rules or ()
    sources: list[BranchProtection | BranchRule] = [*rules]
    if snapshot.branch_protection is not None:
        sources.insert(0, snapshot.branch_protection)
    reviews = [source.reviews for source in sources if source.reviews]
    in_rulesets = [rule.reviews for rule in rules if rule.reviews]
    return BranchRequirements(
        checks=tuple(dict.fromkeys(name for source in sources for name in source.required_checks)),
        is_strict=any(source.is_strict for source in sources),
        reviews=ReviewRequirement(
            approvals=max((review.approvals for review in reviews), default=0),
            from_code_owners=any(review.from_code_owners and review.approvals for review in reviews)
            or any(review.from_code_owners for review in in_rulesets),
            of_last_push=any(review.of_last_push and review.approvals for review in reviews),
        ),
        # Even if a ruleset requires no approval, a change request blocks the merge.
        forbids_change_requests=bool(in_rulesets) or any(review.approvals for review in reviews),
        needs_resolved_threads=any(source.needs_resolved_threads for source in sources),
        names_reviewers=any(rule.required_reviewers for rule in rules),
        types=frozenset(rule.type for rule in rules),
    )


def protection_conditions(context: Context) -> tuple[Condition, ...]:
    """Everything except that the branch must be up to date, which a queue takes care of."""
    return _cached_conditions(branch_requirements(context.snapshot))


# Every queue, and every rule that queues or merges, needs them for every pull request of a branch.
@lru_cache(maxsize=64)
def _cached_conditions(required: BranchRequirements) -> tuple[Condition, ...]:
    return tuple(_conditions(required))


def up_to_date(context: Context) -> tuple[Condition, ...]:
    return _shielded("#commits-behind = 0") if branch_requirements(context.snapshot).is_strict else ()


def _conditions(required: BranchRequirements) -> Iterator[Condition]:
    for name in required.checks:
        yield AnyOf(tuple(check(attribute, name) for attribute in _PASSED), SHIELD)
    reviews = required.reviews
    if reviews.approvals:
        yield from _shielded(f"#approved-reviews-by >= {reviews.approvals}")
    if required.forbids_change_requests:
        yield from _shielded("#changes-requested-reviews-by = 0")
    if reviews.from_code_owners:
        yield from _shielded("github-review-decision = APPROVED")
    if required.names_reviewers:
        yield from _shielded("github-require-review-from-specific-teams")
    if reviews.of_last_push:
        yield from _shielded("github-require-last-push-approval")
    if required.needs_resolved_threads:
        yield from _shielded("#review-threads-unresolved = 0")


def _shielded(*texts: str) -> tuple[Condition, ...]:
    return tuple(injected(text, SHIELD) for text in texts)


def queue_obstacle(context: Context) -> Sentence | None:
    """Why no queue of the document can merge into the base branch, and what to change; None if one can."""
    if not branch_requirements(context.snapshot).is_strict or checks_in_place(context.configuration):
        return None
    return sentence(
        Name(context.pull.base),
        " requires branches to be up to date before merging, which only in-place checks can satisfy;"
        " remove that requirement, or set `max_parallel_checks: 1` and `batch_size: 1`, without"
        " `max_checks_retries` and without `merge_conditions` that differ from `queue_conditions`",
    )


def incompatibilities(context: Context) -> Iterator[Sentence]:
    """Settings of the base branch that the queues of the document cannot work with, as far as recorded."""
    required = branch_requirements(context.snapshot)
    base = Name(context.pull.base)
    configuration = context.configuration
    rules = queues_of(configuration)
    if "merge_queue" in required.types:
        yield sentence(
            base, " has a merge queue of the platform itself, which prevents this queue from merging"
        )
    for rule in rules:
        if required.is_linear and rule.merge_method in {"merge", "merge-batch"}:
            yield sentence(
                base,
                " requires linear history; the merge method of the queue ",
                Name(rule.name),
                " breaks it",
            )
        if required.reviews.approvals and fast_forwards(rule) and not checks_in_place(configuration):
            yield sentence(
                base,
                " requires reviews; the fast-forward of the queue ",
                Name(rule.name),
                " cannot have them",
            )
