"""The rules of a branch on GitHub, as far as they concern its queue."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mergecast.incoming.sources.payload import Payload, member, members, text
from mergecast.queues.answers.audit import BranchRules, QueueRule

_STATUS_CHECKS = "required_status_checks"


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
        queue=_queue(queues[0]) if queues else None,
    )


def _queue(parameters: Payload) -> QueueRule:
    known: dict[str, Any] = {name: parameters.get(name) for name in QueueRule.__struct_fields__}
    try:
        return msgspec.convert(known, QueueRule)
    except msgspec.ValidationError:
        return QueueRule()
