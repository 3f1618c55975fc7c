"""The rules of a branch on GitHub, as far as they concern its queue."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mergecast.incoming.sources.payload import Payload, member, members, text
from mergecast.queues.answers.audit import BranchRules, QueueRule

_STATUS_CHECKS = "required_status_checks"
_OF_RULE = {
    "checkResponseTimeout": "check_response_timeout_minutes",
    "maximumEntriesToBuild": "max_entries_to_build",
    "maximumEntriesToMerge": "max_entries_to_merge",
    "minimumEntriesToMerge": "min_entries_to_merge",
    "minimumEntriesToMergeWaitTime": "min_entries_to_merge_wait_minutes",
    "mergingStrategy": "grouping_strategy",
}


def branch_rules(rules: Sequence[Payload]) -> BranchRules:
    """What GitHub answers for the rules of a branch.

    Without a rule that names checks, what is required is not known. The classic protection of the branch,
    which may require some, is not among these rules, and a rule that requires a workflow names no check.
    """
    queues = [member(rule, "parameters") for rule in rules if text(rule, "type") == "merge_queue"]
    required = [member(rule, "parameters") for rule in rules if text(rule, "type") == _STATUS_CHECKS]
    checks = [check for rule in required for check in members(rule, _STATUS_CHECKS)]
    names = {name for check in checks if (name := text(check, "context"))}
    return BranchRules(
        required=tuple(sorted(names)) or None,
        queue=_queue(queues[0] if queues else None),
    )


def queue_rule(configuration: Payload) -> QueueRule | None:
    """The settings as the queue itself tells them; None if it tells none."""
    named = {_OF_RULE.get(name, ""): value for name, value in configuration.items()}
    return _queue(named or None)


def _queue(parameters: Payload | None) -> QueueRule | None:
    if parameters is None:
        return None
    known: dict[str, Any] = {name: parameters.get(name) for name in QueueRule.__struct_fields__}
    try:
        return msgspec.convert(known, QueueRule)
    except msgspec.ValidationError:
        return QueueRule()
