"""The table of attributes, used by the parser, the evaluator, the documentation and suggestions."""

from collections.abc import Mapping
from types import MappingProxyType

from mergecast.language.conditions.attribute import Attribute, CommitAttribute
from mergecast.language.conditions.attributes.change import CHANGE, COMMIT_FIELDS
from mergecast.language.conditions.attributes.check import CHECK, RENAMED
from mergecast.language.conditions.attributes.pull import PULL
from mergecast.language.conditions.attributes.queue import CLOCK, COMMAND, QUEUE
from mergecast.language.conditions.attributes.review import REVIEW

_ROWS = (*PULL, *REVIEW, *CHECK, *CHANGE, *QUEUE, *CLOCK, *COMMAND)

ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({row.name: row for row in _ROWS})
COMMIT_ATTRIBUTES: Mapping[str, CommitAttribute] = MappingProxyType({row.name: row for row in COMMIT_FIELDS})
TEMPLATE_ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({row.template_name: row for row in _ROWS})

# Deprecated names and their current names.
DEPRECATED_NAMES: Mapping[str, str] = MappingProxyType(RENAMED)

_CLOCK_ADVICE = "was removed on 2023-02-11; write `schedule` or `current-datetime`"
_PARTITION_ADVICE = "was removed with partitions; use `scope`"
_FREEZE_ADVICE = "was removed in February 2025; a freeze is no longer visible to conditions"
# Names of removed attributes, and what to write instead.
REMOVED_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "branch-protection-review-decision": "was renamed in May 2026; write `github-review-decision`",
        "queue-freeze": _FREEZE_ADVICE,
        "queue-frozen": _FREEZE_ADVICE,
        "queue-freeze-reason": _FREEZE_ADVICE,
        "queue-partition-name": _PARTITION_ADVICE,
        "partition-name": _PARTITION_ADVICE,
        "current-partition-name": _PARTITION_ADVICE,
        "current-day": _CLOCK_ADVICE,
        "current-day-of-week": _CLOCK_ADVICE,
        "current-month": _CLOCK_ADVICE,
        "current-time": _CLOCK_ADVICE,
        "current-timestamp": _CLOCK_ADVICE,
        "current-year": _CLOCK_ADVICE,
    }
)
