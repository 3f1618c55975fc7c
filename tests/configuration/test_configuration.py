"""The typed configuration of a valid document."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from configuration.documents import lines, read, valid
from mergecast.language.conditions.tree import All, AnyOf
from mergecast.language.configuration.models.configuration import checks_in_place
from mergecast.language.configuration.models.queue_rules import BatchRange
from mergecast.language.configuration.models.scopes import FilesSource, ManualSource

_RULE = "pull_request_rules: [{name: a, conditions: [], %s}]"
_ACTION = "pull_request_rules: [{name: a, conditions: [], actions: {%s}}]"
_QUEUE = "queue_rules: [{name: a, %s}]"

# Every place where null is a valid value.
_NULLS = [
    "extends: null",
    "shared: null",
    _RULE % "actions: {}, description: null, disabled: null",
    *(
        _ACTION % f"{action}: null"
        for action in (
            "assign",
            "backport",
            "close",
            "comment",
            "copy",
            "delete_head_branch",
            "dismiss_reviews",
            "edit",
            "github_actions",
            "label",
            "merge",
            "post_check",
            "queue",
            "rebase",
            "request_reviews",
            "review",
            "squash",
            "update",
        )
    ),
    "defaults: {queue_rule: null}",
    "defaults: {actions: {label: null}}",
    _ACTION % "merge: {method: null, merge_bot_account: null, commit_message_format: null}",
    _ACTION % "merge: {commit_message_template: null}",
    _ACTION % "comment: {message: null, bot_account: null}",
    _ACTION % "review: {message: null}",
    _ACTION % "dismiss_reviews: {message: null}",
    _ACTION % "edit: {draft: null}",
    _ACTION % "request_reviews: {random_count: null}",
    _ACTION % "github_actions: {workflow: {dispatch: [{workflow: x, ref: null}]}}",
    _ACTION % "queue: {name: null}",
    _ACTION % "post_check: {success_conditions: null, neutral_conditions: null}",
    _QUEUE % "merge_method: null, update_method: null, queue_branch_merge_method: null",
    _QUEUE % "checks_timeout: null, batch_max_failure_resolution_attempts: null",
    _QUEUE % "commit_message_template: null, commit_message_format: null",
    _QUEUE % "merge_bot_account: null, update_bot_account: null, draft_bot_account: null",
    "merge_queue: {queued_label: null, checking_label: null, dequeued_label: null}",
    "merge_protections_settings: {auto_merge_conditions: null}",
    "merge_protections: [{name: a, description: null, if: [], success_conditions: []}]",
    "scopes: {source: null, barrier_files: null, default_capacity: null}",
    "scopes: {source: {manual: null}}",
]


@pytest.mark.parametrize("text", _NULLS)
def test_null_is_accepted(text: str) -> None:
    assert [] == lines(read(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("10", 10), ("5.0", 5), ("010", 8), ("1_0", 10), ("1:30", 90), ("0x1F", 31)],
)
def test_numbers_follow_yaml(text: str, expected: int) -> None:
    found = valid(f"merge_queue: {{max_parallel_checks: {text}}}").merge_queue.max_parallel_checks

    assert (expected, int) == (found, type(found))


@pytest.mark.parametrize("text", ["true", "5.5", "1e1", '"5"', "null", "2026-01-01", ".inf", ".nan", "[5]"])
def test_other_values_are_not_numbers(text: str) -> None:
    assert read(f"merge_queue: {{max_parallel_checks: {text}}}").errors


@pytest.mark.parametrize("text", ["12", "true", "on", "2026-01-01", "1.5", "null", "[a]", "{a: b}"])
def test_values_are_not_coerced_to_strings(text: str) -> None:
    assert read(f"merge_queue: {{queued_label: {text}}}").errors or text == "null"


def test_values_are_parsed() -> None:
    (queue,) = valid(
        _QUEUE % "batch_size: {min: 2, max: 3}, batch_max_wait_time: 1 h 5 m, checks_timeout: 90 s"
    ).queue_rules

    assert BatchRange(min=2, max=3) == queue.batch_size
    assert timedelta(hours=1, minutes=5) == queue.batch_max_wait_time
    assert timedelta(seconds=90) == queue.checks_timeout


@pytest.mark.parametrize(("priority", "expected"), [("low", 1000), ("medium", 2000), ("high", 3000), (7, 7)])
def test_priorities_are_numbers(priority: str | int, expected: int) -> None:
    (rule,) = valid(f"priority_rules: [{{name: a, conditions: [], priority: {priority}}}]").priority_rules

    assert expected == rule.priority


def test_the_default_priority_is_medium() -> None:
    assert 2000 == valid("priority_rules: [{name: a, conditions: []}]").priority_rules[0].priority


def test_sources_of_scopes() -> None:
    files = valid("scopes: {source: {files: {api: {include: [a/**]}}}}").scopes.source
    manual = valid("scopes: {source: {manual: }}").scopes.source

    assert isinstance(files, FilesSource)
    assert files.files["api"].include[0].matches("a/b/c")
    assert isinstance(manual, ManualSource)


@pytest.mark.parametrize("command", ["backport", "copy_", "dequeue", "queue", "requeue"])
@pytest.mark.parametrize("text", ["", "commands_restrictions: {backport: {}, copy: {}, queue: {}}"])
def test_commands_that_need_write_permission(command: str, text: str) -> None:
    restriction: All = getattr(valid(text).commands_restrictions, command).conditions

    assert ["sender-permission >= write"] == [getattr(leaf, "text", "") for leaf in restriction.members]


@pytest.mark.parametrize("command", ["rebase", "refresh", "squash", "update"])
def test_commands_that_authors_may_use_on_their_forks(command: str) -> None:
    restriction: All = getattr(valid("").commands_restrictions, command).conditions
    (group,) = restriction.members

    assert isinstance(group, AnyOf)
    writers, authors = group.members
    assert isinstance(authors, All)
    assert "sender-permission >= write" == getattr(writers, "text", "")
    assert ["sender", "from-fork"] == [
        getattr(leaf, "text", "").split("=", maxsplit=1)[0].strip() for leaf in authors.members
    ]


def test_restrictions_replace_the_default() -> None:
    restrictions = valid("commands_restrictions: {queue: {conditions: []}}").commands_restrictions

    assert All(()) == restrictions.queue.conditions


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("batch_size: 1", True),
        ("batch_size: 2", False),
        ("batch_size: {min: 1, max: 2}", False),
        ("max_checks_retries: 1", False),
        ("queue_conditions: [draft], merge_conditions: [draft]", True),
        ("merge_conditions: [draft]", False),
        ("allow_inplace_checks: false", True),
    ],
)
def test_where_checks_run(options: str, *, expected: bool) -> None:
    assert expected is checks_in_place(valid(f"merge_queue: {{max_parallel_checks: 1}}\n{_QUEUE % options}"))
    assert not checks_in_place(valid(_QUEUE % options))


def test_a_configuration_cannot_be_changed() -> None:
    configuration = valid(
        "merge_queue: {mode: isolated}\nscopes: {source: {files: {api: {}}}, capacities: {api: 2}}\n"
    )

    with pytest.raises(ValidationError):
        configuration.merge_queue.max_parallel_checks = 3
    assert isinstance(configuration.queue_rules, tuple)


def _mutable(value: Any) -> bool:
    return isinstance(value, dict | list | set)


def test_mappings_with_free_keys_cannot_be_changed() -> None:
    configuration = valid(
        "merge_queue: {mode: isolated}\n"
        "scopes: {source: {files: {api: {}}}, capacities: {api: 2}}\n"
        + _ACTION
        % "github_actions: {workflow: {dispatch: [{workflow: x, inputs: {a: 1}}]}}"
    )
    workflows = configuration.pull_request_rules[0].actions.github_actions
    assert workflows is not None
    source = configuration.scopes.source
    assert isinstance(source, FilesSource)
    found: list[Mapping[str, Any]] = [
        configuration.scopes.capacities,
        source.files,
        workflows.workflow.dispatch[0].inputs,
        valid("").scopes.capacities,
    ]

    assert [False] * 4 == [_mutable(mapping) for mapping in found]


def test_a_merge_key_may_be_overridden() -> None:
    document = """
        shared: {one: &one {batch_size: 1}, two: &two {batch_size: 2}}
        queue_rules: [{<<: *one, <<: *two, batch_size: 3, name: a}]
        """

    assert 3 == valid(document).queue_rules[0].batch_size
