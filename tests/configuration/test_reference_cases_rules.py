"""The tricky cases C31 to C48 of the language's reference: what the document alone decides.

C41, C43 and C44 also say what happens to a particular pull request. That rest comes with the simulators:
rules have to be judged on a pull request.
"""

from datetime import date

import pytest

from configuration.documents import (
    DAY_AFTER,
    LAST_DAY,
    only_error,
    places,
    plain,
    read,
    uses,
    valid,
)
from mergecast.language.conditions.tree import All


def test_c31_an_unknown_queue_is_refused() -> None:
    error = only_error("""
        queue_rules:
          - name: default
        pull_request_rules:
          - name: q
            conditions: []
            actions:
              queue: {name: hotfix}
        """)

    assert error.message.startswith("hotfix queue not found")
    assert ("pull_request_rules", "0", "actions", "queue", "name") == error.path
    assert (7, 21) == (error.line, error.column)


def test_c32_two_queues_do_not_share_a_name() -> None:
    error = only_error("""
        queue_rules:
          - name: default
          - name: default
            batch_size: 2
        """)

    assert error.message.startswith("queue_rules names must be unique, found `default` twice")
    assert (("queue_rules", "1"), 3, 5) == (error.path, error.line, error.column)


def test_c33_an_option_that_left_the_queue_action_names_its_new_place() -> None:
    error = only_error("""
        pull_request_rules:
          - name: q
            conditions: []
            actions:
              queue: {method: squash}
        """)

    assert error.text.endswith(" @ root → pull_request_rules → item 0 → actions → queue → method")
    assert all(part in error.message for part in ("removed", "2025-06-24", "`queue_rules`", "`merge_method`"))
    assert (5, 15) == (error.line, error.column)


def test_c34_a_batch_range_upside_down_is_refused() -> None:
    error = only_error("queue_rules: [{name: default, batch_size: {min: 5, max: 2}}]")

    assert error.message.startswith("min must be lower than or equal to max")
    assert ("queue_rules", "0", "batch_size") == error.path


def test_c35_merge_batch_needs_batches_from_the_rule_or_the_defaults() -> None:
    text = "queue_rules: [{name: default, merge_method: merge-batch}]\n"

    assert only_error(text).message.startswith("merge_method: merge-batch requires batch_size > 1")
    assert valid(text + "defaults: {queue_rule: {batch_size: 4}}\n").queue_rules[0].batch_size == 4


def test_c36_trailers_need_a_body() -> None:
    error = only_error("""
        queue_rules:
          - name: default
            commit_message_format:
              title: pr-title
              trailers: [approved-by]
        """)

    assert error.message.startswith("trailers can't be used with body: inherit")
    assert ("queue_rules", "0", "commit_message_format") == error.path


def test_c37_parallel_mode_needs_scopes() -> None:
    """Capacities are allowed in every mode, since 2026-10-28 in serial mode too."""
    text = plain("""
        merge_queue: {mode: parallel}
        scopes:
          capacities: {e2e: 1}
        queue_rules:
          - name: default
        """)
    parallel = only_error(text)

    assert parallel.message.startswith("merge_queue mode parallel requires scopes.source")
    assert ("merge_queue", "mode") == parallel.path
    for mode in ("serial", "isolated"):
        assert {"e2e": 1} == valid(text.replace("parallel", mode)).scopes.capacities
    assert 2 == valid("scopes: {default_capacity: 2}\n").scopes.default_capacity


def test_c38_barriers_need_files() -> None:
    error = only_error("""
        scopes:
          source:
            manual:
          barrier_files:
            include: [Makefile]
        """)

    assert error.message.startswith("barrier_files requires a files source")
    assert ("scopes", "barrier_files") == error.path


@pytest.mark.parametrize(("spelling", "expected"), [("true", All(())), ("[]", All(())), ("null", None)])
def test_c39_auto_merge_for_all_or_none(spelling: str, expected: All | None) -> None:
    settings = valid(f"merge_protections_settings: {{auto_merge_conditions: {spelling}}}")

    assert expected == settings.merge_protections_settings.auto_merge_conditions


def test_c39_auto_merge_is_not_switched_off_with_false() -> None:
    error = only_error("merge_protections_settings: {auto_merge_conditions: false}")

    assert ("merge_protections_settings", "auto_merge_conditions") == error.path


@pytest.mark.parametrize("value", ["true", "false"])
@pytest.mark.parametrize(
    "settings", ["", 'merge_protections_settings: {auto_merge_conditions: ["label = go"]}\n']
)
def test_c40_autoqueue_is_refused(value: str, settings: str) -> None:
    """The published language no longer has it, so it is not a deprecation."""
    error = only_error(f"queue_rules:\n  - name: default\n    autoqueue: {value}\n{settings}")

    assert ("queue_rules", "0", "autoqueue") == error.path
    assert (
        "Extra inputs are not permitted: `autoqueue` was removed on 2026-07-16, use `auto_merge_conditions` "
        "in `merge_protections_settings` (`true`, or a list of conditions); if it is false, only remove it"
    ) == error.message


def test_c41_auto_merge_beside_a_protection_is_valid() -> None:
    configuration = valid("""
        merge_protections_settings:
          auto_merge_conditions: true
        merge_protections:
          - name: main only
            if: ["base = main"]
            success_conditions: ["check-success = ci"]
        """)

    assert All(()) == configuration.merge_protections_settings.auto_merge_conditions


def test_c42_defaults_are_shallow_and_a_written_null_wins() -> None:
    first, second, third = valid("""
        defaults:
          actions:
            comment: {bot_account: robot}
        pull_request_rules:
          - name: a
            conditions: []
            actions: {comment: {message: hi}}
          - name: b
            conditions: []
            actions: {comment: {message: hi, bot_account: null}}
          - name: c
            conditions: []
            actions: {close: }
        """).pull_request_rules

    assert first.actions.comment is not None
    assert second.actions.comment is not None
    assert ("hi", "robot") == (first.actions.comment.message, first.actions.comment.bot_account)
    assert ("hi", None) == (second.actions.comment.message, second.actions.comment.bot_account)
    assert {"close"} == third.actions.model_fields_set


def test_c43_a_label_may_be_toggled() -> None:
    (rule,) = valid("""
        pull_request_rules:
          - name: wip
            conditions: ["title ~= ^WIP"]
            actions: {label: {toggle: [WIP]}}
        """).pull_request_rules

    assert rule.actions.label is not None
    assert ("WIP",) == rule.actions.label.toggle


def test_c44_priorities_keep_their_order_and_have_numbers() -> None:
    configuration = valid("""
        queue_rules:
          - name: default
        priority_rules:
          - name: low
            conditions: ["label = refactor"]
            priority: low
          - name: high
            conditions: ["label = urgent"]
            priority: high
        """)

    assert [("low", 1000), ("high", 3000)] == [(it.name, it.priority) for it in configuration.priority_rules]


def test_c45_a_priority_ends_at_ten_thousand() -> None:
    text = "priority_rules: [{name: p, conditions: [], priority: %s}]"

    assert only_error(text % 20000).message.startswith("Input should be between 1 and 10000")
    assert only_error(text % 0).message.startswith("Input should be between 1 and 10000")
    assert 10000 == valid(text % 10000).priority_rules[0].priority


_OLD = """
    pull_request_rules:
      - name: old
        conditions: [merged]
        actions:
          github_actions: {workflow: {dispatch: [{workflow: x.yml}]}}
          post_check:
    queue_rules:
      - name: default
        commit_message_template: "{{ title }}"
    """
_OLD_PATHS = [
    "pull_request_rules.0.actions.github_actions",
    "pull_request_rules.0.actions.post_check",
    "queue_rules.0.commit_message_template",
]


@pytest.mark.parametrize("today", [date(2026, 11, 15), LAST_DAY])
def test_c46_deprecated_uses_are_listed_until_their_last_day(today: date) -> None:
    result = read(_OLD, today=today)

    assert [] == places(result)
    assert _OLD_PATHS == uses(result)
    assert {LAST_DAY} == {use.deadline for use in result.deprecations}


def test_c46_deprecated_uses_are_refused_from_the_day_after() -> None:
    result = read(_OLD, today=DAY_AFTER)

    assert _OLD_PATHS == [path for path, _, _ in places(result)]
    assert all(
        part in error.message
        for part, error in zip(
            ("event", "`merge_protections`", "`commit_message_format`"), result.errors, strict=True
        )
    )


_CONDITIONS = 'queue_rules:\n  - name: default\n    conditions: ["check-success = ci"]\n'


def test_c47_conditions_of_a_queue_are_merge_conditions() -> None:
    assert valid(_CONDITIONS).queue_rules == valid(_CONDITIONS.replace("cond", "merge_cond")).queue_rules
    assert ["queue_rules.0.conditions"] == uses(read(_CONDITIONS, today=LAST_DAY))
    assert "`merge_conditions`" in only_error(_CONDITIONS, today=DAY_AFTER).message


@pytest.mark.parametrize("today", [date(2026, 11, 15), LAST_DAY])
def test_c47_the_older_and_the_newer_spelling_exclude_each_other(today: date) -> None:
    error = only_error(_CONDITIONS + "    merge_conditions: []\n", today=today)

    assert error.message.startswith("conditions and merge_conditions can't be used together")
    assert ("queue_rules", "0") == error.path


def test_c47_both_spellings_stay_refused_after_the_deadline() -> None:
    assert read(_CONDITIONS + "    merge_conditions: []\n", today=DAY_AFTER).errors


def test_c48_partitions_are_ignored_with_a_note() -> None:
    text = """
        partition_rules:
          - name: api
            conditions: ["files ~= ^api/"]
        queue_rules:
          - name: default
        """
    (note,) = read(text).notes

    assert "`partition_rules` is ignored" in note
    assert "default" == valid(text).queue_rules[0].name
