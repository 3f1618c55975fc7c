"""Every deprecation, before and after its deadline."""

from datetime import date, timedelta

import pytest

from configuration.documents import DAY_AFTER, LAST_DAY, TODAY, lines, places, read, uses
from mergecast.language.configuration.deprecations import DEPRECATIONS

_RULE = "pull_request_rules:\n  - name: a\n    conditions: []\n    actions:\n      "
_QUEUE = "queue_rules:\n  - name: a\n    "
_DEFAULT_QUEUE = "defaults:\n  queue_rule:\n    "
_DEFAULT_ACTIONS = "defaults:\n  actions:\n    "

# A document, the path of the deprecated key, and the replacement that both messages name.
_KEYS = [
    (
        f'{_QUEUE}commit_message_template: "x"',
        "queue_rules.0.commit_message_template",
        "`commit_message_format`",
    ),
    (
        f'{_DEFAULT_QUEUE}commit_message_template: "x"',
        "defaults.queue_rule.commit_message_template",
        "`commit_message_format`",
    ),
    (
        f'{_RULE}merge: {{commit_message_template: "x"}}',
        "pull_request_rules.0.actions.merge.commit_message_template",
        "`commit_message_format`",
    ),
    (
        f'{_DEFAULT_ACTIONS}merge: {{commit_message_template: "x"}}',
        "defaults.actions.merge.commit_message_template",
        "`commit_message_format`",
    ),
    (f"{_RULE}github_actions: {{workflow: {{}}}}", "pull_request_rules.0.actions.github_actions", "event"),
    (f"{_RULE}github_actions:", "pull_request_rules.0.actions.github_actions", "event"),
    (f"{_DEFAULT_ACTIONS}github_actions:", "defaults.actions.github_actions", "event"),
    (f"{_QUEUE}allow_queue_branch_edit: false", "queue_rules.0.allow_queue_branch_edit", "remove it"),
    (
        f"{_QUEUE}merge_method: fast-forward\n    allow_queue_branch_edit: true",
        "queue_rules.0.allow_queue_branch_edit",
        "remove it",
    ),
    (
        f"{_DEFAULT_QUEUE}allow_queue_branch_edit: true",
        "defaults.queue_rule.allow_queue_branch_edit",
        "remove it",
    ),
    (f"{_QUEUE}conditions: []", "queue_rules.0.conditions", "`merge_conditions`"),
    (f"{_DEFAULT_QUEUE}conditions: []", "defaults.queue_rule.conditions", "`merge_conditions`"),
    (f"{_QUEUE}routing_conditions: []", "queue_rules.0.routing_conditions", "`queue_conditions`"),
    (
        f"{_DEFAULT_QUEUE}routing_conditions: []",
        "defaults.queue_rule.routing_conditions",
        "`queue_conditions`",
    ),
    (
        f"{_QUEUE}queue_branch_merge_method: fast-forward",
        "queue_rules.0.queue_branch_merge_method",
        "`merge_method: fast-forward`",
    ),
    (
        f"{_DEFAULT_QUEUE}queue_branch_merge_method: null",
        "defaults.queue_rule.queue_branch_merge_method",
        "`merge_method: fast-forward`",
    ),
    (f"{_QUEUE}allow_inplace_checks: true", "queue_rules.0.allow_inplace_checks", "remove it"),
    (f"{_DEFAULT_QUEUE}allow_inplace_checks: false", "defaults.queue_rule.allow_inplace_checks", "remove it"),
    (f"{_RULE}post_check: {{}}", "pull_request_rules.0.actions.post_check", "`merge_protections`"),
    (f"{_DEFAULT_ACTIONS}post_check:", "defaults.actions.post_check", "`merge_protections`"),
    (
        f"{_RULE}delete_head_branch: {{force: true}}",
        "pull_request_rules.0.actions.delete_head_branch",
        "head branches",
    ),
    (f"{_DEFAULT_ACTIONS}delete_head_branch:", "defaults.actions.delete_head_branch", "head branches"),
    ("commands_restrictions:\n  requeue: {}", "commands_restrictions.requeue", "`queue`"),
]

_EARLIER = {"allow_queue_branch_edit": date(2026, 12, 31)}

_JINJA = "{{ author | upper }}"
_TEMPLATES = [
    "comment: {message: '%s'}",
    "review: {message: '%s'}",
    "close: {message: '%s'}",
    "copy: {title: '%s'}",
    "backport: {body: '%s'}",
    "backport: {assignees: ['%s']}",
    "assign: {users: ['%s']}",
    "assign: {add_users: [ann, '%s']}",
    "assign: {remove_users: ['%s']}",
    "comment: {bot_account: '%s'}",
    "edit: {bot_account: '%s'}",
    "merge: {merge_bot_account: '%s'}",
    "rebase: {bot_account: '%s'}",
    "request_reviews: {bot_account: '%s'}",
    "squash: {bot_account: '%s'}",
    "update: {bot_account: '%s'}",
]


@pytest.mark.parametrize(("text", "path", "replacement"), _KEYS)
def test_a_deprecated_key_is_a_warning_up_to_its_deadline_and_then_an_error(
    text: str, path: str, replacement: str
) -> None:
    deadline = _EARLIER.get(path.rsplit(".", maxsplit=1)[-1], LAST_DAY)
    last, after = read(text, today=deadline), read(text, today=deadline + timedelta(days=1))

    assert [] == lines(last)
    assert [path] == uses(last)
    assert [(path, deadline, True)] == [
        (".".join(use.path_to_field or ()), use.deadline, replacement in use.message)
        for use in last.deprecations
    ]
    assert [path] == [place for place, _, _ in places(after)]
    assert replacement in after.errors[0].message
    assert f"no longer supported since {deadline}" in after.errors[0].message
    assert (last.deprecations[0].line, last.deprecations[0].column) == places(after)[0][1:]


def test_the_cases_cover_every_row_and_every_place() -> None:
    tried = {path.replace(".0", ".*") for _, path, _ in _KEYS}

    assert tried == {f"{parent}.{row.name}" for row in DEPRECATIONS for parent in row.parents}


@pytest.mark.parametrize(("text", "path", "replacement"), _KEYS)
def test_a_message_is_one_sentence_without_a_date(text: str, path: str, replacement: str) -> None:
    (use,) = read(text).deprecations

    assert f"`{path.rsplit('.', maxsplit=1)[-1]}`" in use.message
    assert "is deprecated" in use.message
    assert "2027" not in use.message
    assert not use.message.endswith(".")
    assert replacement in use.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("status-success", "check-success"),
        ("status-failure", "check-failure"),
        ("status-neutral", "check-neutral"),
    ],
)
def test_deprecated_names_of_check_attributes(old: str, new: str) -> None:
    text = f"pull_request_rules:\n  - name: a\n    conditions: [draft, '-{old}=ci']\n    actions: {{}}\n"
    last, after = read(text, today=LAST_DAY), read(text, today=DAY_AFTER)
    newer = read(text.replace(old, new), today=DAY_AFTER)

    assert last.configuration is not None
    assert newer.configuration is not None
    assert last.configuration.pull_request_rules == newer.configuration.pull_request_rules
    assert ["pull_request_rules.0.conditions.1"] == uses(last)
    assert [("pull_request_rules.0.conditions.1", 3, 25)] == places(after)
    assert f"`{old}`" in after.errors[0].message
    assert () == newer.deprecations


@pytest.mark.parametrize("template", _TEMPLATES)
def test_an_expression_where_plain_variables_are_documented(template: str) -> None:
    text = _RULE + template % _JINJA
    last, after = read(text, today=LAST_DAY), read(text, today=DAY_AFTER)

    assert [] == lines(last)
    assert 1 == len(last.deprecations)
    assert uses(last) == [place for place, _, _ in places(after)]
    assert (5, text.splitlines()[-1].index(f"'{_JINJA}") + 1) == places(after)[0][1:]
    assert () == read(_RULE + template % "{{ author }}", today=DAY_AFTER).deprecations


@pytest.mark.parametrize("name", ["merge_bot_account", "update_bot_account", "draft_bot_account"])
def test_an_expression_in_an_account_of_a_queue(name: str) -> None:
    text = f"{_QUEUE}{name}: '{_JINJA}'\n"

    assert [f"queue_rules.0.{name}"] == uses(read(text, today=LAST_DAY))
    assert [f"queue_rules.0.{name}"] == [place for place, _, _ in places(read(text, today=DAY_AFTER))]


def test_an_expression_in_an_input_of_a_workflow() -> None:
    text = (
        f"{_RULE}github_actions: {{workflow: {{dispatch: [{{workflow: x, inputs: {{a: '{_JINJA}'}}}}]}}}}\n"
    )

    assert [
        "pull_request_rules.0.actions.github_actions",
        "pull_request_rules.0.actions.github_actions.workflow.dispatch.0.inputs.a",
    ] == uses(read(text))


def test_blocks_are_literal_after_the_deadline_where_the_rest_is_plain() -> None:
    text = f"{_RULE}comment: {{message: '100{{% of {{{{ author }}}}'}}\n"

    assert [] == lines(read(text, today=DAY_AFTER))
    assert () == read(text, today=DAY_AFTER).deprecations


_MANY = """
    queue_rules:
      - name: z
        allow_inplace_checks: true
        queue_conditions: [status-success=ci]
      - name: y
        commit_message_template: "{{ title }}"
        conditions: [status-failure=ci]
    commands_restrictions: {requeue: {conditions: [status-success=x]}}
    pull_request_rules:
      - name: a
        actions:
          post_check:
          comment: {message: "{{ author|upper }}", bot_account: "{{ author|lower }}"}
        conditions: [status-success=ci]
    defaults:
      actions: {delete_head_branch: null}
    """


def test_deprecations_are_listed_in_document_order() -> None:
    result = read(_MANY)

    assert [
        "queue_rules.0.allow_inplace_checks",
        "queue_rules.0.queue_conditions.0",
        "queue_rules.1.commit_message_template",
        "queue_rules.1.conditions",
        "queue_rules.1.conditions.0",
        "commands_restrictions.requeue",
        "commands_restrictions.requeue.conditions.0",
        "pull_request_rules.0.actions.post_check",
        "pull_request_rules.0.actions.comment.message",
        "pull_request_rules.0.actions.comment.bot_account",
        "pull_request_rules.0.conditions.0",
        "defaults.actions.delete_head_branch",
    ] == uses(result)
    assert sorted(result.deprecations, key=lambda use: (use.line, use.column)) == [*result.deprecations]


def test_every_use_after_its_deadline_is_an_error() -> None:
    """Keys, conditions and templates are reported together."""
    paths = [path for path, _, _ in places(read(_MANY, today=DAY_AFTER))]

    assert uses(read(_MANY)) == paths


def test_a_deprecation_through_an_alias_is_reported_where_it_is_used() -> None:
    result = read("""
        shared:
          options: &options {allow_inplace_checks: true}
        queue_rules:
          - {<<: *options, name: a}
          - {<<: *options, name: b}
        """)

    assert ["queue_rules.0.allow_inplace_checks", "queue_rules.1.allow_inplace_checks"] == uses(result)


def test_a_deprecation_in_the_defaults_is_reported_once_and_there() -> None:
    result = read("""
        defaults:
          queue_rule: {allow_inplace_checks: true}
          actions: {comment: {message: "{{ author|upper }}"}}
        queue_rules: [{name: a}, {name: b}]
        pull_request_rules: [{name: a, conditions: [], actions: {comment: }}]
        """)

    assert ["defaults.queue_rule.allow_inplace_checks", "defaults.actions.comment.message"] == uses(result)


def test_an_implicit_default_is_not_a_deprecated_use() -> None:
    assert () == read("queue_rules: [{name: a}]\nmerge_protections_settings: {}\n").deprecations


@pytest.mark.parametrize(
    "text", [f"{_RULE}assign: {{users: [ann]}}\n", f"{_RULE}rebase: {{bot_account: robot}}\n", ""]
)
def test_old_options_that_are_not_deprecated(text: str) -> None:
    assert [] == uses(read(text))


def test_the_content_of_shared_is_ignored() -> None:
    assert [] == uses(read("shared: {queue_rules: [{name: a, allow_inplace_checks: true}]}\n"))


@pytest.mark.parametrize("today", [date(2020, 1, 1), TODAY, LAST_DAY])
def test_up_to_the_deadline_the_day_changes_only_messages(today: date) -> None:
    expected, found = read(_MANY), read(_MANY, today=today)

    assert uses(expected) == uses(found)
    assert [] == lines(found)
    assert expected.configuration == found.configuration


_STOPPED = [
    (f"{_QUEUE}conditions: []", date(2026, 7, 31)),
    (f"{_QUEUE}routing_conditions: []", date(2026, 7, 31)),
    (f'{_QUEUE}commit_message_template: "x"', date(2026, 9, 30)),
    (f"{_RULE}delete_head_branch: {{}}", date(2026, 6, 30)),
    (f"{_RULE}post_check: {{}}", date(2026, 9, 30)),
    (f'{_RULE}comment: {{message: "{{{{ author|upper }}}}"}}', date(2026, 9, 30)),
]


@pytest.mark.parametrize(("text", "stopped"), _STOPPED)
def test_a_deprecation_says_when_the_hosted_service_stopped_accepting_it(text: str, stopped: date) -> None:
    (use,) = read(text, today=stopped).deprecations

    assert use.message.endswith(f"; the hosted service stopped accepting this on {stopped}")
    assert LAST_DAY == use.deadline


@pytest.mark.parametrize(("text", "stopped"), _STOPPED)
def test_a_deprecation_does_not_name_a_day_that_has_not_come(text: str, stopped: date) -> None:
    (use,) = read(text, today=stopped - timedelta(days=1)).deprecations

    assert "hosted service" not in use.message


@pytest.mark.parametrize(
    "text", [f"{_QUEUE}allow_inplace_checks: true", f"{_QUEUE}merge_conditions: [status-success = x]"]
)
def test_a_deprecation_without_a_published_date_names_none(text: str) -> None:
    (use,) = read(text, today=LAST_DAY).deprecations

    assert "hosted service" not in use.message
