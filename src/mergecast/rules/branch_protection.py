"""What the base branch asks for, as conditions: its classic protection and its rulesets together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from mergecast.conditions.tree import AnyOf, Condition
from mergecast.configuration.cross_field import fast_forwards
from mergecast.configuration.queues import checks_in_place, queues_of
from mergecast.model.protection import BranchProtection, BranchRule, ReviewRequirement
from mergecast.model.snapshot import Snapshot
from mergecast.rules.context import Context
from mergecast.rules.injected import check, injected
from mergecast.rules.sentence import Name, Sentence, sentence

SHIELD = "🛡 branch protection"
_ENDED_WELL = ("check-success", "check-neutral", "check-skipped")


@dataclass(frozen=True, slots=True)
class Demands:
    """The strictest of everything that is in force."""

    checks: tuple[str, ...]
    is_strict: bool
    reviews: ReviewRequirement
    needs_resolved_threads: bool
    names_reviewers: bool
    types: frozenset[str]  # of the rules in rulesets

    @property
    def is_linear(self) -> bool:
        return "required_linear_history" in self.types


def demands(snapshot: Snapshot) -> Demands:
    rules = snapshot.rules or ()
    sources: list[BranchProtection | BranchRule] = [*rules]
    if snapshot.branch_protection is not None:
        sources.insert(0, snapshot.branch_protection)
    reviews = [source.reviews for source in sources if source.reviews]
    return Demands(
        checks=tuple(dict.fromkeys(name for source in sources for name in source.required_checks)),
        is_strict=any(source.is_strict for source in sources),
        reviews=ReviewRequirement(
            approvals=max((one.approvals for one in reviews), default=0),
            from_code_owners=any(one.from_code_owners and one.approvals for one in reviews),
            of_last_push=any(one.of_last_push and one.approvals for one in reviews),
        ),
        needs_resolved_threads=any(source.needs_resolved_threads for source in sources),
        names_reviewers=any(rule.required_reviewers for rule in rules),
        types=frozenset(rule.type for rule in rules),
    )


def protection_conditions(context: Context) -> tuple[Condition, ...]:
    """Everything but that the branch be up to date, which a queue sees to by itself."""
    return _cached_conditions(demands(context.snapshot))


# Each queue and each rule that queues or merges asks for them, for each pull request of a branch.
@lru_cache(maxsize=64)
def _cached_conditions(wanted: Demands) -> tuple[Condition, ...]:
    return tuple(_conditions(wanted))


def up_to_date(context: Context) -> tuple[Condition, ...]:
    return _shielded("#commits-behind = 0") if demands(context.snapshot).is_strict else ()


def _conditions(wanted: Demands) -> Iterator[Condition]:
    for name in wanted.checks:
        yield AnyOf(tuple(check(attribute, name) for attribute in _ENDED_WELL), SHIELD)
    reviews = wanted.reviews
    if reviews.approvals:
        yield from _shielded(
            f"#approved-reviews-by >= {reviews.approvals}", "#changes-requested-reviews-by = 0"
        )
    if reviews.from_code_owners:
        yield from _shielded("github-review-decision = APPROVED")
    if wanted.names_reviewers:
        yield from _shielded("github-require-review-from-specific-teams")
    if reviews.of_last_push:
        yield from _shielded("github-require-last-push-approval")
    if wanted.needs_resolved_threads:
        yield from _shielded("#review-threads-unresolved = 0")


def _shielded(*texts: str) -> tuple[Condition, ...]:
    return tuple(injected(text, SHIELD) for text in texts)


def incompatibilities(context: Context) -> Iterator[Sentence]:
    """About the queues of the document; only recorded protections are known."""
    wanted = demands(context.snapshot)
    base = Name(context.pull.base)
    configuration = context.configuration
    rules = queues_of(configuration)
    is_batched = configuration.merge_queue.max_parallel_checks > 1 or any(
        rule.batch_size != 1 for rule in rules
    )
    if wanted.is_strict and is_batched:
        yield sentence(
            base,
            " only takes branches that are up to date, so that the queue checks one pull request at a time,"
            " whatever `batch_size` and `max_parallel_checks` say",
        )
    if "merge_queue" in wanted.types:
        yield sentence(base, " has a merge queue of the platform itself, which this queue cannot merge past")
    for rule in rules:
        if wanted.is_linear and rule.merge_method in {"merge", "merge-batch"}:
            yield sentence(
                base,
                " asks for a linear history, which the merge method of the queue ",
                Name(rule.name),
                " breaks",
            )
        if wanted.reviews.approvals and fast_forwards(rule) and not checks_in_place(configuration):
            yield sentence(
                base,
                " requires reviews, which the fast-forward of the queue ",
                Name(rule.name),
                " cannot have",
            )
