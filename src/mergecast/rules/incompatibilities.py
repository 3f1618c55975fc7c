"""What is valid in a document and clashes with how the base branch is set up."""

from __future__ import annotations

from collections.abc import Iterator

from mergecast.configuration.cross_field import fast_forwards
from mergecast.configuration.queues import checks_in_place, queues_of
from mergecast.rules.branch_protection import demands
from mergecast.rules.context import Context
from mergecast.rules.sentence import Name, Sentence, sentence


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
