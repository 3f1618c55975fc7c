"""`extends`: what the document of another repository adds, and what happens if it cannot be read."""

import pytest

from configuration.documents import DAY_AFTER, lines, only_error, places, read, unreadable, uses, valid
from mergecast.language.configuration.models.actions import Comment
from mergecast.language.configuration.models.configuration import Configuration
from mergecast.language.configuration.models.conflict_resolvers import Automatic, ByLanguage


def _extended(local: str, remote: str) -> Configuration:
    return valid(f"extends: shared-config\n{local}", load=lambda _: remote)


def _names(rules: tuple[object, ...]) -> list[str]:
    return [getattr(rule, "name", "") for rule in rules]


def test_the_other_document_is_loaded_once() -> None:
    asked = []

    def load(name: str) -> str:
        asked.append(name)
        return ""

    assert valid("extends: shared-config\n", load=load).extends == "shared-config"
    assert ["shared-config"] == asked


def test_nothing_is_loaded_for_an_invalid_document() -> None:
    def load(_: str) -> str:
        raise AssertionError

    assert read("extends: shared-config\nqueue_rules: 1\n", load=load).errors
    assert read("queue_rules: []\n", load=load).configuration


@pytest.mark.parametrize(
    ("section", "rest"),
    [
        ("pull_request_rules", "conditions: [], actions: {}"),
        ("queue_rules", "batch_size: 1"),
        ("priority_rules", "conditions: []"),
        ("merge_protections", "if: [], success_conditions: []"),
    ],
)
def test_rules_are_merged_by_name_with_remote_rules_first(section: str, rest: str) -> None:
    def rules(*names: str) -> str:
        return f"{section}: [{', '.join(f'{{name: {name}, {rest}}}' for name in names)}]\n"

    assert ["r1", "r2", "l1", "both", "l2"] == _names(
        getattr(_extended(rules("l1", "both", "l2"), rules("r1", "both", "r2")), section)
    )
    assert ["r1"] == _names(getattr(_extended("", rules("r1")), section))
    assert ["l1"] == _names(getattr(_extended(rules("l1"), ""), section))


def test_of_two_rules_with_one_name_the_local_one_counts() -> None:
    remote = "queue_rules: [{name: q, batch_size: 7, max_checks_retries: 3}]\n"
    (queue,) = _extended("queue_rules: [{name: q, batch_size: 2}]\n", remote).queue_rules

    assert (2, 0) == (queue.batch_size, queue.max_checks_retries)


def test_settings_are_merged_key_by_key() -> None:
    merged = _extended(
        "merge_queue: {max_parallel_checks: 2}\n"
        "merge_protections_settings: {post_comment: false}\n"
        "commands_restrictions: {queue: {conditions: [sender=bob]}}\n",
        "merge_queue: {max_parallel_checks: 9, queued_label: waiting}\n"
        "merge_protections_settings: {reporting_method: deployments}\n"
        "commands_restrictions: {copy: {conditions: [sender=ann]}, queue: {conditions: []}}\n",
    )

    assert (2, "waiting") == (merged.merge_queue.max_parallel_checks, merged.merge_queue.queued_label)
    settings = merged.merge_protections_settings
    assert ("deployments", False) == (settings.reporting_method, settings.post_comment)
    assert 1 == len(merged.commands_restrictions.queue.conditions.members)
    assert 1 == len(merged.commands_restrictions.copy_.conditions.members)


def test_a_local_null_takes_precedence() -> None:
    merged = _extended("merge_queue: {queued_label: null}\n", "merge_queue: {queued_label: waiting}\n")

    assert merged.merge_queue.queued_label is None


def test_defaults_are_merged_at_every_level_but_lists_are_replaced() -> None:
    merged = _extended(
        "defaults: {actions: {comment: {message: hi}, label: {add: [local]}}}\n"
        "pull_request_rules: [{name: a, conditions: [], actions: {comment: , label: }}]\n",
        "defaults:\n"
        "  actions: {comment: {bot_account: robot, message: ho}, label: {add: [remote], remove: [x]}}\n"
        "  queue_rule: {batch_size: 4}\n",
    )
    actions = merged.pull_request_rules[0].actions

    assert Comment(message="hi", bot_account="robot") == actions.comment
    assert actions.label is not None
    assert (("local",), ("x",)) == (actions.label.add, actions.label.remove)
    assert merged.defaults.queue_rule is not None
    assert 4 == merged.defaults.queue_rule.batch_size


def test_remote_defaults_complete_local_rules_and_local_defaults_remote_rules() -> None:
    merged = _extended(
        "defaults: {queue_rule: {max_checks_retries: 2}}\nqueue_rules: [{name: here}]\n",
        "defaults: {queue_rule: {batch_size: 4}}\nqueue_rules: [{name: there}]\n",
    )

    assert [("there", 4, 2), ("here", 4, 2)] == [
        (queue.name, queue.batch_size, queue.max_checks_retries) for queue in merged.queue_rules
    ]


def test_local_scopes_replace_remote_scopes_entirely() -> None:
    remote = "merge_queue: {mode: isolated}\nscopes: {default_capacity: 3}\n"

    assert _extended("scopes: {merge_queue_scope: here}\n", remote).scopes.default_capacity is None
    assert 3 == _extended("", remote).scopes.default_capacity


def test_the_shared_part_of_the_other_document_is_dropped() -> None:
    assert _extended("", "shared: {a: 1}\n").shared is None
    assert {"b": 2} == _extended("shared: {b: 2}\n", "shared: {a: 1}\n").shared


def test_an_anchor_does_not_cross_documents() -> None:
    result = read("extends: x\nqueue_rules: *queues\n", load=lambda _: "shared: {q: &queues []}\n")

    assert [("", 2, 14)] == places(result)


def test_a_queue_of_the_other_document_may_be_named() -> None:
    local = "pull_request_rules: [{name: q, conditions: [], actions: {queue: {name: hotfix}}}]\n"

    assert _extended(local, "queue_rules: [{name: hotfix}]\n")
    assert [("pull_request_rules.0.actions.queue.name", 2, 72)] == places(
        read(f"extends: x\n{local}", load=lambda _: "queue_rules: [{name: other}]\n")
    )


def test_errors_are_counted_without_the_rules_of_the_other_document() -> None:
    result = read(
        "extends: x\nqueue_rules:\n  - name: here\n    merge_method: merge-batch\n",
        load=lambda _: "queue_rules: [{name: r1}, {name: r2}]\n",
    )

    assert [("queue_rules.0", 3, 5)] == places(result)


def test_an_unreadable_document_is_a_note_with_the_reason() -> None:
    result = read("extends: shared-config\n", load=unreadable("there is no such repository"))

    assert (
        (
            "The configuration of shared-config could not be read (there is no such repository); "
            "this simulation does not include it"
        ),
    ) == result.notes
    assert result.configuration is not None


@pytest.mark.parametrize(
    "local",
    [
        "pull_request_rules: [{name: q, conditions: [], actions: {queue: {name: hotfix}}}]",
        "queue_rules: [{name: q, merge_method: merge-batch}]",
        "queue_rules: [{name: q, allow_queue_branch_edit: true}]",
        "queue_rules: [{name: q, branch_protection_injection_mode: none}]",
        "merge_queue: {mode: parallel}",
    ],
)
def test_something_that_an_unreadable_document_may_contain_is_not_an_error(local: str) -> None:
    assert [] == lines(read(f"extends: x\n{local}\n", load=unreadable("no access")))
    assert read(f"{local}\n").errors


def test_other_errors_are_errors_with_or_without_the_other_document() -> None:
    local = "extends: x\nqueue_rules: [{name: q, batch_size: 1, merge_method: merge-batch}, {name: q}]\n"

    assert [("queue_rules.0", 2, 15), ("queue_rules.1", 2, 68)] == places(
        read(local, load=unreadable("no access"))
    )


@pytest.mark.parametrize(
    ("remote", "reason"),
    [
        ("queue_rules: 1\n", "Input should be a valid list"),
        ("a: [\n", "Invalid YAML"),
        ("queue_rules: [{name: a}, {name: a}]\n", "queue_rules names must be unique"),
        ("queue_rules: [{name: a, queue_conditions: [labels=x]}]\n", "Invalid attribute"),
    ],
)
def test_an_invalid_document_is_an_error_that_names_it(remote: str, reason: str) -> None:
    result = read("queue_rules: []\nextends: shared-config\n", load=lambda _: remote)

    assert [("extends", 2, 10)] == places(result)
    assert "the configuration of shared-config is invalid" in result.errors[0].message
    assert reason in result.errors[0].message


def test_the_other_document_cannot_extend_a_third() -> None:
    result = read("extends: x\nqueue_rules: [{name: q}]\n", load=lambda _: "extends: y\n")

    assert (
        (
            "The configuration of x could not be read "
            "(Extended configuration can't extend another configuration); "
            "this simulation does not include it"
        ),
    ) == result.notes


@pytest.mark.parametrize("name", ["mine", "Mine"])
def test_a_document_does_not_extend_itself(name: str) -> None:
    result = read(f"extends: {name}\n", repository="mine", load=lambda _: "")

    assert ["1:10: Configuration can't extend itself @ root → extends"] == lines(result)


def test_the_name_must_not_contain_an_owner() -> None:
    result = read("extends: acme/shared\n", load=lambda _: "")

    assert [("extends", 1, 10)] == places(result)
    assert "without the owner part" in result.errors[0].message


@pytest.mark.parametrize("value", ["null", "~", ""])
def test_extends_may_be_null(value: str) -> None:
    assert valid(f"extends: {value}\n").extends is None


def test_deprecated_uses_of_the_other_document_are_not_reported() -> None:
    remote = "queue_rules: [{name: there, allow_inplace_checks: true, conditions: []}]\n"
    local = "extends: x\nqueue_rules: [{name: here, allow_inplace_checks: true}]\n"

    assert ["queue_rules.0.allow_inplace_checks"] == uses(read(local, load=lambda _: remote))


def test_an_expired_option_makes_the_other_document_invalid() -> None:
    result = read("extends: x\n", load=lambda _: "queue_rules: [{name: a, conditions: []}]", today=DAY_AFTER)

    assert [("extends", 1, 10)] == places(result)


def test_a_removed_option_makes_the_other_document_invalid() -> None:
    """The message says what to write there."""
    result = read("extends: x\n", load=lambda _: "queue_rules: [{name: a, autoqueue: true}]")

    assert [("extends", 1, 10)] == places(result)
    assert "`autoqueue` was removed on 2026-07-16, use `auto_merge_conditions`" in result.errors[0].message


@pytest.mark.parametrize(
    ("local", "expected"),
    [("", [ByLanguage(language="go")]), ("conflict_resolvers: [auto: true]", [Automatic(auto=True)])],
)
def test_conflict_resolvers_are_not_merged(local: str, expected: list[object]) -> None:
    """Those of the other document count only if this one has none."""
    configuration = valid(f"extends: x\n{local}\n", load=lambda _: "conflict_resolvers: [language: go]")

    assert expected == [*configuration.conflict_resolvers]


def test_a_conflict_in_the_remote_part_is_a_note() -> None:
    """The author of this document cannot fix a conflict in the other one."""
    result = read(
        "extends: x\ndefaults: {queue_rule: {batch_size: 1}}\nqueue_rules: [{name: here}]\n",
        load=lambda _: (
            "defaults: {queue_rule: {batch_size: 4}}\n"
            "queue_rules: [{name: there, merge_method: merge-batch}]\n"
        ),
    )

    assert [] == lines(result)
    assert "merge_method: merge-batch requires batch_size > 1" in result.notes[0]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("commit_message_format: {title: pr-title}", 'commit_message_template: "{{ title }}"'),
        ('commit_message_template: "{{ title }}"', "commit_message_format: {title: pr-title}"),
        ("merge_conditions: [label=here]", "conditions: [label=there]"),
        ("conditions: [label=here]", "merge_conditions: [label=there]"),
        ("queue_conditions: [label=here]", "routing_conditions: [label=there]"),
    ],
)
def test_a_local_default_hides_the_remote_option_that_it_excludes(here: str, there: str) -> None:
    merged = _extended(
        f"defaults: {{queue_rule: {{{here}}}}}\nqueue_rules: [{{name: q}}]\n",
        f"defaults: {{queue_rule: {{{there}}}}}\n",
    )
    alone = valid(f"defaults: {{queue_rule: {{{here}}}}}\nqueue_rules: [{{name: q}}]\n")

    assert alone.queue_rules == merged.queue_rules


def test_sections_of_the_other_document_are_listed_too() -> None:
    """They have no effect either if their product is not enabled."""
    remote = "merge_queue: {mode: serial}\nqueue_rules: [{name: a}]\n"
    result = read("extends: x\nqueue_rules: [{name: b}]\n", load=lambda _: remote)

    assert ("extends", "queue_rules", "merge_queue") == result.sections


def test_a_remote_document_may_have_the_ignored_section() -> None:
    result = read("extends: x\n", load=lambda _: "partition_rules: []\nqueue_rules: [{name: a}]\n")

    assert () == result.notes


@pytest.mark.parametrize("name", ["..", ".", "a b", "a?b#c", "\u212aa", "a\n"])
def test_an_invalid_repository_name_is_an_error(name: str) -> None:
    error = only_error(f"extends: {name!r}\n" if "\n" not in name else 'extends: "a\\n"\n')

    assert error.message.startswith(
        "extends must be a repository name: letters, digits, `-`, `_` and `.`, found "
    )
    assert ("extends",) == error.path
