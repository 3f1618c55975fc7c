"""Do the checks of a queued pull request run on itself, or on a batch pull request, and why?"""

from __future__ import annotations

from collections.abc import Iterator

from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import BatchRange, QueueRule
from mergecast.configuration.queues import checks_in_place, queues_of
from mergecast.rules.sentence import Name, Sentence, sentence
from mergecast.rules.simulation import ChecksPlace


def find_checks_place(configuration: Configuration) -> ChecksPlace:
    if checks_in_place(configuration):
        alone = "one check at a time, batches of one, no second step and no retries"
        return ChecksPlace(True, (sentence(alone),))
    return ChecksPlace(False, tuple(_obstacles(configuration)))


def _obstacles(configuration: Configuration) -> Iterator[Sentence]:
    """Everything that asks for a branch of its own, not only the first."""
    parallel = configuration.merge_queue.max_parallel_checks
    if parallel > 1:
        yield sentence(f"`max_parallel_checks` is {parallel}")
    for rule in queues_of(configuration):
        yield from _of_queue(rule)


def _of_queue(rule: QueueRule) -> Iterator[Sentence]:
    queue = Name(rule.name)
    if rule.batch_size != 1:
        yield sentence("the queue ", queue, f" has {batches(rule)}")
    if rule.max_checks_retries:
        yield sentence("the queue ", queue, " runs failed checks again")
    if rule.merge_conditions.members and rule.merge_conditions != rule.queue_conditions:
        yield sentence("the queue ", queue, " has merge conditions of its own")


def batches(rule: QueueRule) -> str:
    size = rule.batch_size
    if isinstance(size, BatchRange):
        return f"batches of {size.min} to {size.max}"
    return "batches of one" if size == 1 else f"batches of {size}"
