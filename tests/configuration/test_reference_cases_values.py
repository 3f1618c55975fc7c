"""The tricky cases C49 to C63 of the language's reference: what the document alone decides.

C55, C56 and C58 also say what happens to a particular pull request; C52, C53, C59, C60, C61 and C62 how a
queue works its way through several. That rest comes with the simulators.
"""

import pytest

from configuration.documents import LAST_DAY, only_error, places, read, rule_with, unreadable, uses, valid
from mergecast.language.conditions.tree import Leaf
from mergecast.language.configuration.models.configuration import checks_in_place, unused_sections

_COPY = """
    pull_request_rules:
      - name: cp
        conditions: []
        actions:
          copy: {branches: [prod], title: "{{ title }} from {{ %s }}"}
    """


def test_c49_an_unknown_variable_is_an_error() -> None:
    error = only_error(_COPY % "branch")

    assert error.message.startswith("Unknown variable: branch")
    assert ("pull_request_rules", "0", "actions", "copy", "title") == error.path
    assert (5, 39) == (error.line, error.column)


def test_c49_an_attribute_outside_the_list_of_its_field_is_deprecated() -> None:
    result = read(_COPY % "head")

    assert [] == places(result)
    assert ["pull_request_rules.0.actions.copy.title"] == uses(result)


def test_c50_a_duration_is_a_text_with_units() -> None:
    text = "queue_rules: [{name: default, batch_max_wait_time: %s}]"

    assert only_error(text % "30").message.startswith("Input should be a valid string")
    assert only_error(text % "PT30S").message.startswith("Invalid date interval")
    assert 30 == valid(text % "30 s").queue_rules[0].batch_max_wait_time.total_seconds()


def test_c51_a_schedule_that_ends_before_it_starts_is_refused() -> None:
    message = only_error("""
        queue_rules:
          - name: night
            merge_conditions: ["schedule = Mon-Fri 22:00-06:00[UTC]"]
        """).message

    assert "Invalid schedule: " in message
    assert "ends before it starts" in message


_IN_PLACE = """
merge_queue: {max_parallel_checks: 1}
queue_rules:
  - name: default
    queue_conditions: ["check-success = ci"]
"""


def test_c53_one_pull_request_at_a_time_is_checked_in_place() -> None:
    assert checks_in_place(valid(_IN_PLACE))


@pytest.mark.parametrize(
    "more",
    [
        '    merge_conditions: ["check-success = e2e"]\n',
        "    max_checks_retries: 1\n",
        "  - name: other\n    batch_size: 2\n",
    ],
)
def test_c53_anything_more_needs_batch_pull_requests(more: str) -> None:
    assert not checks_in_place(valid(_IN_PLACE + more))


def test_c54_sections_without_their_product_are_unused() -> None:
    result = read("""
        defaults: {queue_rule: {batch_size: 2}}
        pull_request_rules: []
        queue_rules:
          - name: default
        merge_protections:
          - name: p
            if: []
            success_conditions: [label = ok]
        """)
    unused = unused_sections(result.sections, {"workflow_automation"})

    assert [("queue_rules", "merge_queue"), ("merge_protections", "merge_protections")] == [
        (it.section, it.product) for it in unused
    ]


_COMMENT = """
    pull_request_rules:
      - name: a
        conditions: [-closed]
        actions:
          comment: {message: "%s"}
    """


def test_c55_an_expression_in_a_message_is_deprecated_and_a_plain_variable_is_not() -> None:
    (use,) = read(_COMMENT % "ping @{{ assignee | join(', @') }}").deprecations

    assert ("pull_request_rules", "0", "actions", "comment", "message") == use.path_to_field
    assert LAST_DAY == use.deadline
    assert () == read(_COMMENT % "ping {{ assignees }}").deprecations


def test_c56_a_comparison_that_probably_meant_a_count_is_hinted_at() -> None:
    result = read(rule_with("created-at<=24h ago", "approved-reviews-by>=1"))
    (hint,) = result.hints

    assert [] == places(result)
    assert "#approved-reviews-by" in hint.message
    assert ("pull_request_rules", "0", "conditions", "1") == hint.path
    assert (5, 9) == (hint.line, hint.column)


_EXTENDS = """
extends: shared-config
queue_rules:
  - name: default
pull_request_rules:
  - name: q
    conditions: []
    actions:
      queue: {name: hotfix}
"""


def test_c57_a_queue_may_be_in_a_document_that_cannot_be_read() -> None:
    result = read(_EXTENDS, load=unreadable("no access"))

    assert [] == places(result)
    assert (
        "The configuration of shared-config could not be read (no access); "
        "this simulation does not include it"
    ) in result.notes


def test_c57_without_extends_the_queue_is_missing() -> None:
    error = only_error(_EXTENDS.replace("extends: shared-config\n", ""))

    assert error.message.startswith("hotfix queue not found")


def test_c58_a_count_may_be_negated() -> None:
    plain_count, negated = (
        valid(rule_with('"#approved-reviews-by >= 1"', '"-#approved-reviews-by >= 1"'))
        .pull_request_rules[0]
        .conditions.members
    )

    assert isinstance(plain_count, Leaf)
    assert isinstance(negated, Leaf)
    assert (True, False) == (plain_count.is_counted, plain_count.is_negated)
    assert (True, True) == (negated.is_counted, negated.is_negated)


_QUEUES = {
    "c52": ("{max_parallel_checks: 3}", "batch_size: 6"),
    "c59": ("{max_parallel_checks: 2}", "batch_size: 3, batch_max_wait_time: 5 min"),
    "c60": ("{max_parallel_checks: 1}", "batch_size: 1"),
    "c61": ("{max_parallel_checks: 1}", "batch_size: 2, max_checks_retries: 1"),
    "c62": ("{max_parallel_checks: 3, skip_intermediate_results: true}", "batch_size: 1"),
}


@pytest.mark.parametrize("case", _QUEUES)
def test_the_queues_of_the_cases_with_a_queue_are_valid(case: str) -> None:
    settings, options = _QUEUES[case]

    assert valid(
        f"merge_queue: {settings}\n"
        f"queue_rules: [{{name: default, {options}, merge_conditions: ['check-success = ci']}}]\n"
    )


@pytest.mark.parametrize(("spelling", "expected"), [("", False), (", allow_checks_interruption: true", True)])
def test_c60_a_priority_interrupts_only_when_it_says_so(spelling: str, *, expected: bool) -> None:
    text = f"priority_rules: [{{name: urgent, conditions: ['label = urgent'], priority: high{spelling}}}]"

    assert expected is valid(text).priority_rules[0].allow_checks_interruption


def test_c63_a_pattern_with_a_flag_that_does_not_exist_is_refused() -> None:
    error = only_error("""
        pull_request_rules:
          - name: a
            conditions: ["files~=^(?src/index/ivf-raft)"]
            actions: {}
        """)

    assert "Invalid regular expression: " in error.message
    assert 3 == error.line
