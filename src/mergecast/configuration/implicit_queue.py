"""The queues that a document means; one that names none has one all the same."""

from __future__ import annotations

from mergecast.configuration.models.configuration import Configuration
from mergecast.configuration.models.queue_rules import QueueOptions, QueueRule


def queues_of(configuration: Configuration) -> tuple[QueueRule, ...]:
    """For admission and for checks; overviews and references to queues go by what is written."""
    return configuration.queue_rules or (_implicit_queue(configuration.defaults.queue_rule),)


def _implicit_queue(defaults: QueueOptions | None) -> QueueRule:
    """Named queues are completed while the document is read, this one is not in it."""
    queue = QueueRule(name="default")
    if defaults is None:
        return queue
    return queue.model_copy(update={name: getattr(defaults, name) for name in defaults.model_fields_set})
