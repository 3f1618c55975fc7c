"""A message is a single short line, whatever the document contains."""

import pytest

from configuration.documents import only_error, read, rule_with

_WITH_LINES = [
    'merge_queue: {mode: "a\\nb"}',
    '"a\\nb": 1',
    'queue_rules: [{name: a, queue_conditions: ["la\\nbel=x"]}]',
    'queue_rules: [{name: a, queue_conditions: ["number = 1\\n2"]}]',
    'queue_rules: [{name: a, queue_conditions: ["label = {{ a\\nb }}"]}]',
    'queue_rules: [{name: a, queue_conditions: [{"a\\nb": x}]}]',
    'queue_rules: [{name: "a\\nb"}, {name: "a\\nb"}]',
    'pull_request_rules: [{name: a, conditions: [], actions: {queue: {name: "a\\nb"}}}]',
    'pull_request_rules: [{name: a, conditions: [], actions: {request_reviews: {users: ["a\\nb"]}}}]',
    'pull_request_rules: [{name: a, conditions: [], actions: {comment: {message: "{{ a\\n }}"}}}]',
    'pull_request_rules: [{name: a, conditions: [], actions: {backport: {regexes: ["(\\n"]}}}]',
    'priority_rules: [{name: a, conditions: [], priority: "a\\nb"}]',
    'scopes: {merge_queue_scope: "a\\nb"}',
    'scopes: {source: {files: {"a\\nb": {}}}}',
    'scopes: {source: {files: {api: {include: ["{\\n"]}}}}',
    "queue_rules: [{name: a, commit_message_template: \"{{ titel['\\n'] }}\"}]",
    'merge_queue: {mode: "a\\r\\nb"}',
    'merge_queue: {mode: "a\\u2028b"}',
]
_LONG = "x" * 5000
_KEYS = ["2026-01-01", "2026-01-01T10:00:00Z", "null", "1", "1.5", ".nan", "true", "!!binary aGk=", "''"]
_WITH_KEYS = [
    "scopes: {source: {files: {%s: {zebra: 1}}}}",
    "scopes: {source: {files: {%s: {include: ['{']}}}}",
    "scopes: {source: {files: {%s: 1}}}",
    "scopes: {capacities: {%s: 0}}",
    "pull_request_rules: [{name: a, conditions: [], actions: {request_reviews: {users: {%s: 0}}}}]",
    "pull_request_rules: [{name: a, conditions: [], actions: {request_reviews: {teams: {%s: 1}}}}]",
    "defaults: {actions: {github_actions: {workflow: {dispatch: [{workflow: a, inputs: {%s: []}}]}}}}",
    "merge_queue: {%s: 0}",
    "defaults: {actions: {%s: {}}}",
    "queue_rules: [{name: a, queue_conditions: [{%s: 0}]}]",
    "queue_rules: [{name: a, batch_size: {%s: 0}}]",
    "%s: {}",
]


@pytest.mark.parametrize("text", _WITH_LINES)
def test_an_error_is_a_single_line(text: str) -> None:
    result = read(text)

    assert result.errors
    assert all(len(error.text.splitlines()) == 1 for error in result.errors)


def test_a_note_is_a_single_line() -> None:
    assert all(len(note.splitlines()) == 1 for note in read('extends: "a\\nb"\n').notes)


@pytest.mark.parametrize("key", _KEYS)
def test_keys_of_any_type_are_errors_and_never_a_crash(key: str) -> None:
    found = {text: read(text % key).errors for text in _WITH_KEYS}
    errors = [error for several in found.values() for error in several]

    assert [] == [text for text, several in found.items() if not several]
    assert [] == [error for error in errors if "datetime" in error.text]
    assert [] == [error for error in errors if "None" in error.path or "True" in error.path]


@pytest.mark.parametrize(
    "text",
    [
        f"merge_queue: {{max_parallel_checks: 1{'0' * 2500}}}",
        "merge_queue: {max_parallel_checks: 1.0e+300}",
        f"merge_queue: {{mode: {_LONG}}}",
        f"merge_queue: {{{_LONG}: 1}}",
        f"queue_rules: [{{name: {_LONG}}}, {{name: {_LONG}}}]",
        f"pull_request_rules: [{{name: a, conditions: [], actions: {{queue: {{name: {_LONG}}}}}}}]",
        f"defaults: {{actions: {{comment: {{message: '{{{{ {_LONG} }}}}'}}}}}}",
        f"scopes: {{source: {{files: {{api: {{include: ['{{{_LONG}']}}}}}}}}",
        rule_with(f"label = {_LONG} {{{{ title }}}}"),
        rule_with(f"'#files > {_LONG}'"),
        rule_with(_LONG),
    ],
)
def test_long_values_are_shortened_in_messages(text: str) -> None:
    assert len(only_error(text).message) < 1000


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('"\\0": 1\n', ("\0",)),
        ('merge_queue: {"\\0files": 1}\n', ("merge_queue", "\0files")),
        ('queue_rules: [{name: a, batch_size: {min: 1, max: 2, "\\0fixed": 3}}]\n', ("queue_rules", "0")),
    ],
)
def test_a_nul_in_a_key_is_an_error_like_others(text: str, path: tuple[str, ...]) -> None:
    """It is an invalid character or an unknown key, reported at the key."""
    error = only_error(text)

    assert error.path in ((), path) or error.path[:2] == path


def test_advice_about_quotes_appears_only_where_quotes_help() -> None:
    quoted = only_error('merge_queue: {max_parallel_checks: "5"}').message
    unquoted = only_error("merge_queue: {max_parallel_checks: many}").message
    duration = only_error("queue_rules: [{name: a, batch_max_wait_time: 30}]").message

    assert "without quotes" in quoted
    assert "without quotes" not in unquoted
    assert "`30 s`" in duration


def test_the_suggested_replacement_is_valid() -> None:
    """The queue action has no option but its name, so the message must say where the option belongs."""
    message = only_error(
        "pull_request_rules: [{name: a, conditions: [], actions: {queue: {commit_message: x}}}]"
    ).message

    assert "`commit_message_format`" in message
    assert "`queue_rules`" in message


def test_the_note_about_messages_that_have_no_effect_covers_actions() -> None:
    result = read(
        "pull_request_rules: [{name: m, conditions: [], "
        "actions: {merge: {method: fast-forward, commit_message_template: x}}}]\n"
    )

    assert any("fast-forward" in note for note in result.notes)


def test_an_input_without_a_fraction_is_an_integer() -> None:
    result = read(
        "pull_request_rules: [{name: m, conditions: [], actions: {github_actions: "
        "{workflow: {dispatch: [{workflow: a, inputs: {n: 5.0}}]}}}}]\n"
    )

    assert () == result.errors
