"""Every source: how its items become deliveries, and how the deliveries of a thread become events."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mergecast.incoming.sources import unreadable
from mergecast.incoming.sources.activity_log import deliveries as activity_log
from mergecast.incoming.sources.activity_log.translate import SOURCE as ACTIVITY_LOG
from mergecast.incoming.sources.github import deliveries as github
from mergecast.incoming.sources.github.translate import SOURCE as GITHUB
from mergecast.incoming.sources.gitlab import deliveries as gitlab
from mergecast.incoming.sources.gitlab.translate import SOURCE as GITLAB
from mergecast.incoming.sources.translation import ThreadRules
from mergecast.queues.model.delivery import Delivery


class Source(NamedTuple):
    # id, kind, body in JSON, instant of reception → delivery
    read_item: Callable[[str, str, bytes, int], Delivery]
    rules: ThreadRules


SOURCES: Mapping[str, Source] = {
    GITHUB: Source(github.item_delivery, github.RULES),
    ACTIVITY_LOG: Source(activity_log.item_delivery, activity_log.RULES),
    GITLAB: Source(gitlab.item_delivery, gitlab.RULES),
}


def rules_of(source: str, thread: str) -> ThreadRules:
    """How a thread is translated."""
    return unreadable.RULES if thread == unreadable.UNREADABLE else SOURCES[source].rules
