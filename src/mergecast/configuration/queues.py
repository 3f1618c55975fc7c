"""Facts that follow from all queues: the implicit queue, and where checks run."""

from __future__ import annotations

from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import QueueOptions, QueueRule


def checks_in_place(configuration: Configuration) -> bool:
    """Whether checks run on the pull request itself: only if no queue ever needs another branch.

    `allow_inplace_checks` has no effect.
    """
    return configuration.merge_queue.max_parallel_checks == 1 and all(
        rule.batch_size == 1 and rule.max_checks_retries == 0 and _is_single_step(rule)
        for rule in queues_of(configuration)
    )


def _is_single_step(rule: QueueOptions) -> bool:
    return not rule.merge_conditions.members or rule.merge_conditions == rule.queue_conditions


def queues_of(configuration: Configuration) -> tuple[QueueRule, ...]:
    """The queues, or the implicit queue `default` if the document defines none.

    For routing and checks. Overviews and references to queues use the queues in the document.
    """
    return configuration.queue_rules or (_implicit_queue(configuration.defaults.queue_rule),)


def _implicit_queue(defaults: QueueOptions | None) -> QueueRule:
    """The defaults apply to it too; those of named queues are filled in while reading the document."""
    queue = QueueRule(name="default")
    if defaults is None:
        return queue
    return queue.model_copy(update={name: getattr(defaults, name) for name in defaults.model_fields_set})


def fast_forwards(rule: QueueRule) -> bool:
    return "fast-forward" in (rule.merge_method, rule.queue_branch_merge_method)
