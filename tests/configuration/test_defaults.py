"""`defaults`, compared with a plain implementation."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configuration.document_places import dumped
from configuration.documents import lines, only_error, read, valid
from configuration.valid_documents import Document, defined, documents, in_harmony
from mergecast.language.configuration.models.actions import Label

_RIVALS = [
    ("commit_message_format", "commit_message_template"),
    ("merge_conditions", "conditions"),
    ("queue_conditions", "routing_conditions"),
]


def _completed(options: Document | None, defaults: Document | None) -> Document | None:
    """The rules of the language reference, implemented literally."""
    if not defaults:
        return options
    if options is None:
        return defaults
    kept = dict(defaults)
    for one, other in _RIVALS:
        for written, hidden in ((one, other), (other, one)):
            if written in options:
                kept.pop(hidden, None)
    return {**kept, **options}


def _by_hand(document: Document) -> Document:
    result = deepcopy(document)
    defaults = result.pop("defaults", {})
    actions = defaults.get("actions", {})
    for rule in result.get("pull_request_rules", ()):
        for name, options in rule["actions"].items():
            rule["actions"][name] = _completed(options, actions.get(name))
    result["queue_rules"] = [
        _completed(rule, defaults.get("queue_rule")) for rule in result.get("queue_rules", ())
    ]
    return result


@st.composite
def _with_defaults(draw: st.DrawFn) -> Document:
    """A document whose rules and defaults use the same actions; some queues use deprecated names."""
    document = draw(documents())
    actions = draw(defined("Actions"))
    document["defaults"] = {"actions": actions, "queue_rule": _older(draw, draw(defined("QueueOptions")))}
    document["pull_request_rules"] = [
        {"name": "r", "conditions": [], "actions": {name: options}}
        for name in actions
        for options in _written(draw, name)
    ]
    queues = draw(st.lists(defined("QueueRule"), max_size=2))
    document["queue_rules"] = [_older(draw, queue) for queue in queues]
    return in_harmony(document)


def _written(draw: st.DrawFn, action: str) -> list[Document | None]:
    definition = "".join(word.capitalize() for word in action.split("_"))
    some: Document = draw(defined(definition))
    return [None, some] if action == "github_actions" else [None, {}, some]


def _older(draw: st.DrawFn, queue: Document) -> Document:
    for newer, older in (("merge_conditions", "conditions"), ("queue_conditions", "routing_conditions")):
        if newer in queue and draw(st.booleans()):
            queue[older] = queue.pop(newer)
    return queue


@settings(deadline=None, derandomize=True, max_examples=150)
@given(_with_defaults())
def test_defaults_equal_options_written_out_in_every_rule(document: Document) -> None:
    found, expected = read(dumped(document)), read(dumped(_by_hand(document)))

    assert [] == lines(found) == lines(expected)
    assert found.configuration is not None
    assert expected.configuration is not None
    assert expected.configuration.pull_request_rules == found.configuration.pull_request_rules
    assert expected.configuration.queue_rules == found.configuration.queue_rules


def _rule(actions: str) -> str:
    return f"pull_request_rules: [{{name: a, conditions: [], actions: {actions}}}]\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", {"add": ("x",), "remove": ("y",)}),
        ("{}", {"add": ("x",), "remove": ("y",)}),
        ("{add: [z]}", {"add": ("z",), "remove": ("y",)}),
        ("{add: [], toggle: [t]}", {"add": (), "remove": ("y",), "toggle": ("t",)}),
    ],
)
def test_an_action_is_completed_key_by_key(written: str, expected: dict[str, Any]) -> None:
    (rule,) = valid(
        f"defaults: {{actions: {{label: {{add: [x], remove: [y]}}}}}}\n{_rule(f'{{label: {written}}}')}"
    ).pull_request_rules

    assert Label(**expected) == rule.actions.label


def test_a_mapping_of_the_rule_replaces_that_of_the_defaults() -> None:
    (queue,) = valid("""
        defaults: {queue_rule: {commit_message_format: {title: pr-title, body: empty}}}
        queue_rules: [{name: a, commit_message_format: {body: pr-body}}]
        """).queue_rules

    assert queue.commit_message_format is not None
    assert ("inherit", "pr-body") == (queue.commit_message_format.title, queue.commit_message_format.body)


def test_conditions_are_replaced_and_not_appended() -> None:
    first, second = valid("""
        defaults: {queue_rule: {queue_conditions: [draft, closed]}}
        queue_rules: [{name: a, queue_conditions: [label=x]}, {name: b}]
        """).queue_rules

    assert (1, 2) == (len(first.queue_conditions.members), len(second.queue_conditions.members))


def test_defaults_of_one_rule_do_not_leak_into_another_through_an_alias() -> None:
    first, second, third = valid("""
        defaults: {actions: {comment: {bot_account: robot}}}
        pull_request_rules:
          - {name: a, conditions: [], actions: &all {comment: &one {message: hi}}}
          - {name: b, conditions: [], actions: *all}
          - {name: c, conditions: [], actions: {comment: *one, close: }}
        """).pull_request_rules

    assert first.actions == second.actions
    assert first.actions.comment == third.actions.comment


def test_an_error_in_the_defaults_is_reported_there_and_once() -> None:
    error = only_error(f"defaults: {{actions: {{comment: {{mesage: hi}}}}}}\n{_rule('{comment: }')}")

    assert ("defaults", "actions", "comment", "mesage") == error.path
    assert (1, 32) == (error.line, error.column)


def test_a_conflict_between_a_rule_and_its_defaults_is_reported_at_the_rule() -> None:
    error = only_error("""
        defaults: {queue_rule: {merge_method: merge-batch, batch_size: 4}}
        queue_rules:
          - {name: a}
          - {name: b, batch_size: 1}
        """)

    assert ("queue_rules", "1") == error.path
    assert (4, 5) == (error.line, error.column)


@pytest.mark.parametrize(
    ("defaults", "path"),
    [
        ("{queue_rule: {batch_size: {min: 4, max: 2}}}", "defaults.queue_rule.batch_size"),
        (
            "{queue_rule: {commit_message_format: {trailers: [merged-by]}}}",
            "defaults.queue_rule.commit_message_format",
        ),
        ("{queue_rule: {commit_message_format: {}, commit_message_template: x}}", "defaults.queue_rule"),
        (
            "{actions: {merge: {commit_message_format: {trailers: [merged-by]}}}}",
            "defaults.actions.merge.commit_message_format",
        ),
    ],
)
def test_a_conflict_inside_the_defaults_is_reported_there(defaults: str, path: str) -> None:
    """Even if no rule uses them."""
    assert path == ".".join(only_error(f"defaults: {defaults}\n").path)


@pytest.mark.parametrize("defaults", ["{}", "{actions: {}}", "{queue_rule: null}", "{queue_rule: {}}"])
def test_empty_defaults_change_nothing(defaults: str) -> None:
    queues = "queue_rules: [{name: a, batch_size: 2}]\n"

    assert valid(queues).queue_rules == valid(f"defaults: {defaults}\n{queues}").queue_rules


def test_defaults_add_no_action() -> None:
    (rule,) = valid(f"defaults: {{actions: {{close: {{message: bye}}}}}}\n{_rule('{}')}").pull_request_rules

    assert set() == rule.actions.model_fields_set


def test_an_action_without_options_is_not_the_same_as_no_action() -> None:
    with_action, without_action = valid(
        "pull_request_rules:\n"
        "  - {name: a, conditions: [], actions: {close: }}\n"
        "  - {name: b, conditions: [], actions: {}}\n"
    ).pull_request_rules

    assert with_action.actions != without_action.actions
