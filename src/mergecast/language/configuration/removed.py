"""The table of removed options: since when, and what to write instead."""

from dataclasses import dataclass

from mergecast.language.configuration.deprecations import ACTIONS, QUEUE_RULES

_RULE = "pull_request_rules.*"
_MERGE, _QUEUE, _REBASE = (
    tuple(f"{actions}.{name}" for actions in ACTIONS) for name in ("merge", "queue", "rebase")
)


@dataclass(frozen=True, slots=True)
class RemovedOption:
    """Keys that are no longer accepted, and their replacement."""

    names: tuple[str, ...]
    parents: tuple[str, ...]
    since: str
    replacement: str

    def message(self, name: str) -> str:
        """The error message; it starts like that of an unknown key."""
        return f"Extra inputs are not permitted: `{name}` was removed {self.since}, {self.replacement}"


_REMOVE = "remove it: there is no replacement"
_AUTOMATIC = (
    "use `auto_merge_conditions` in `merge_protections_settings` (`true`, or a list of conditions); "
    "if it is false, only remove it"
)
_IN_QUEUE_RULES = ("merge_method", "update_method", "merge_bot_account", "update_bot_account")

REMOVED: tuple[RemovedOption, ...] = (
    RemovedOption(
        ("strict", "strict_method"), _MERGE, "on 2022-01-12", "use the merge queue (`queue_rules`)"
    ),
    RemovedOption(("bot_account", "update_bot_account"), _MERGE, "before 2024-04", "use `merge_bot_account`"),
    RemovedOption(("commit_message",), _MERGE, "on 2022-04-25", "use `commit_message_format`"),
    RemovedOption(
        ("commit_message",), _QUEUE, "on 2022-04-25", "use `commit_message_format` in `queue_rules`"
    ),
    RemovedOption(("rebase_fallback",), (*_MERGE, *_QUEUE), "on 2023-03-15", _REMOVE),
    RemovedOption(("priority",), _MERGE, "on 2023-01-17", _REMOVE),
    RemovedOption(("priority",), _QUEUE, "on 2023-05-15", "use `priority_rules`"),
    RemovedOption(("method",), _QUEUE, "on 2025-06-24", "use `merge_method` in `queue_rules`"),
    RemovedOption(_IN_QUEUE_RULES, _QUEUE, "on 2025-06-24", "use the same option in `queue_rules`"),
    RemovedOption(
        ("commit_message_template",), _QUEUE, "on 2025-06-24", "use `commit_message_format` in `queue_rules`"
    ),
    RemovedOption(
        ("queue_branch_merge_method",),
        _QUEUE,
        "on 2025-06-24",
        "use `merge_method: fast-forward` in `queue_rules`",
    ),
    RemovedOption(
        ("allow_inplace_checks",), _QUEUE, "on 2025-06-24", "remove it: the queue decides by itself"
    ),
    RemovedOption(("autosquash",), _QUEUE, "on 2025-02-14", _REMOVE),
    RemovedOption(("autosquash",), (*QUEUE_RULES, *_REBASE), "on 2026-09-29", _REMOVE),
    RemovedOption(("autoqueue",), QUEUE_RULES, "on 2026-07-16", _AUTOMATIC),
    RemovedOption(
        ("auto_merge",), ("merge_protections_settings", "merge_protections.*"), "before 2026-10", _AUTOMATIC
    ),
    RemovedOption(
        ("allow_merging_configuration_change",),
        (*_MERGE, *_QUEUE),
        "on 2025-06-24",
        "use the condition `-mergify-configuration-changed`",
    ),
    RemovedOption(
        ("require_branch_protection",),
        (*_QUEUE, *QUEUE_RULES),
        "on 2023-11-22",
        "use `branch_protection_injection_mode` in `queue_rules`: `queue` for true, `merge` for false",
    ),
    RemovedOption(
        ("priority_rules",), QUEUE_RULES, "on 2025-02-18", "use the top-level section `priority_rules`"
    ),
    RemovedOption(
        ("allow_checks_interruption",),
        QUEUE_RULES,
        "on 2025-02-14",
        "use `allow_checks_interruption` in `priority_rules`",
    ),
    RemovedOption(
        ("disallow_checks_interruption_from_queues",), QUEUE_RULES, "on 2025-02-25", "use `priority_rules`"
    ),
    RemovedOption(
        ("allow_inplace_speculative_checks", "allow_speculative_checks_interruption"),
        QUEUE_RULES,
        "before 2024",
        _REMOVE,
    ),
    RemovedOption(
        ("speculative_checks",), QUEUE_RULES, "on 2025-07-10", "use `merge_queue.max_parallel_checks`"
    ),
    RemovedOption(("max_check_retries",), QUEUE_RULES, "on 2026-02-20", "use `max_checks_retries`"),
    RemovedOption(("parallel_batches",), ("merge_queue",), "on 2025-10-10", "use `mode`"),
    RemovedOption(("unqueue",), ("commands_restrictions",), "on 2026-05-04", "use `dequeue`"),
    RemovedOption(("hidden",), (_RULE,), "before 2024", _REMOVE),
    RemovedOption(("rules",), ("",), "before 2021", "use `pull_request_rules`"),
    RemovedOption(("policies",), ("",), "before 2021", "use `merge_protections`"),
)

_BY_PLACE = {
    (parent, name): option for option in REMOVED for parent in option.parents for name in option.names
}


def removed_option(parent: str, name: str) -> RemovedOption | None:
    """The removed option with this name in the mapping at this pattern (`*` for list indexes)."""
    return _BY_PLACE.get((parent, name))
