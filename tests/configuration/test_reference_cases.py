"""The tricky cases C01 to C30 of the language's reference: what the document alone decides.

C17, C18, C19, C22, C24, C25, C26, C27 and C29 also say what happens to a particular pull request, C01
what the title of its simulation is. That rest comes with the simulators: rules have to be judged on
a pull request.
"""

import pytest

from configuration.documents import only_error, places, plain, read, rule_with, valid
from mergecast.language.conditions.operators import Operator
from mergecast.language.conditions.times.timestamps import RelativeTime
from mergecast.language.conditions.tree import All, AnyOf, Condition, Leaf, Not
from mergecast.language.conditions.values import CheckName, Placeholder
from mergecast.language.configuration.models.configuration import Configuration


def _members(configuration: Configuration, rule: int = 0) -> tuple[Condition, ...]:
    return configuration.pull_request_rules[rule].conditions.members


def _leaf(condition: Condition) -> Leaf:
    assert isinstance(condition, Leaf)
    return condition


def _only_leaf(text: str) -> Leaf:
    (condition,) = _members(valid(rule_with(text)))
    return _leaf(condition)


def test_c01_an_empty_document_is_valid() -> None:
    assert valid("# nothing but a comment\n") == valid("") == valid("{}")


def test_c02_a_list_at_the_top_is_refused() -> None:
    error = only_error("- pull_request_rules\n")

    assert "expected a mapping at the top level" in error.message
    assert ((), 1, 1) == (error.path, error.line, error.column)


def test_c03_an_undefined_alias_is_one_error_with_its_position() -> None:
    error = only_error("""
        pull_request_rules:
          - name: a
            actions: {}
            conditions:   *nope
        """)

    assert error.message.startswith("Invalid YAML: found undefined alias 'nope'")
    assert error.text.startswith("Invalid YAML @ line 4, column 19")
    assert ((), 4, 19) == (error.path, error.line, error.column)


def test_c04_a_section_with_nothing_behind_it_is_refused() -> None:
    error = only_error("queue_rules:\n")

    assert error.text.endswith(" @ root → queue_rules")
    assert error.message.startswith("Input should be a valid list")


def test_c05_an_unquoted_hash_is_refused_and_explained() -> None:
    error = only_error(rule_with("#files < 10"))

    assert error.text.endswith(" @ root → pull_request_rules → item 0 → conditions → item 0")
    assert "quotes" in error.message
    assert 4 == error.line


def test_c06_a_comment_may_eat_a_pattern() -> None:
    configuration = valid("""
        merge_protections:
          - name: issue linked
            if: []
            success_conditions:
              - title ~= #[0-9]+
        """)

    (leaf,) = configuration.merge_protections[0].success_conditions.members
    assert "title ~=" == _leaf(leaf).text
    assert Operator.MATCHES == _leaf(leaf).operator


def test_c07_a_mapping_is_no_condition() -> None:
    error = only_error(rule_with("label: bug"))

    assert error.message.startswith("Extra inputs are not permitted: `label`")
    assert "`label=bug`" in error.message
    assert ("pull_request_rules", "0", "conditions", "0", "label") == error.path


def test_c08_a_colon_without_a_blank_is_an_equals_sign() -> None:
    assert _only_leaf("label:bug") == _only_leaf("label = bug")


def test_c09_an_aliased_list_needs_a_group() -> None:
    text = plain("""
        shared:
          c: &checks
            - check-success = a
            - check-success = b
        queue_rules:
          - name: default
            queue_conditions:
              - *checks
        """)
    error = only_error(text)

    assert ("queue_rules", "0", "queue_conditions", "0") == error.path
    assert "write `and:` before the list" in error.message
    (group,) = valid(text.replace("- *checks", "- and: *checks")).queue_rules[0].queue_conditions.members
    assert isinstance(group, All)
    assert ["check-success = a", "check-success = b"] == [_leaf(member).text for member in group.members]


def test_c10_a_group_has_one_key() -> None:
    error = only_error("""
        pull_request_rules:
          - name: a
            conditions:
              - and: [draft]
                or: [closed]
            actions: {}
        """)

    assert ("pull_request_rules", "0", "conditions", "0") == error.path
    assert "one key" in error.message


def test_c11_not_takes_one_condition_and_no_list() -> None:
    error = only_error("""
        pull_request_rules:
          - name: a
            conditions:
              - not: [draft]
            actions: {}
          - name: b
            conditions:
              - not: draft
            actions: {}
        """)

    assert ("pull_request_rules", "0", "conditions", "0", "not") == error.path
    (negation,) = _members(valid(rule_with("not: draft")))
    assert Not(_only_leaf("draft")) == negation


def test_c12_conditions_may_be_true_and_never_false() -> None:
    text = "pull_request_rules: [{name: a, conditions: %s, actions: {}}]"

    assert () == _members(valid(text % "true"))
    assert ("pull_request_rules", "0", "conditions") == only_error(text % "false").path


def test_c13_groups_may_be_empty() -> None:
    configuration = valid("""
        pull_request_rules:
          - name: all
            conditions: [{and: []}]
            actions: {}
          - name: any
            conditions: [{or: []}]
            actions: {}
        """)

    assert (All(()),) == _members(configuration)
    assert (AnyOf(()),) == _members(configuration, 1)


def test_c14_a_boolean_attribute_takes_no_value() -> None:
    message = only_error(rule_with('"closed=false"')).message

    assert message.startswith(
        "Invalid condition 'closed=false'. Operators are invalid for Boolean attribute: `closed`"
    )


def test_c15_a_count_that_is_missing_and_one_too_many() -> None:
    result = read(rule_with("commits-behind > 0", '"#conflict"'))

    first, second = (error.message for error in result.errors)
    assert "`#` modifier is required for attribute: `commits-behind`" in first
    assert "`#` modifier is invalid for attribute: `conflict`" in second
    assert [4, 5] == [error.line for error in result.errors]


def test_c16_a_schedule_is_not_negated_with_a_minus() -> None:
    text = "queue_rules: [{name: default, merge_conditions: ['%s Mon-Fri 09:00-17:00[Europe/Paris]']}]"

    assert "`-` modifier is invalid for attribute: `schedule`" in only_error(text % "-schedule =").message
    assert valid(text % "schedule !=")


@pytest.mark.parametrize("condition", ["label != wip", "-label ~= ^w", "label != doc"])
def test_c17_c18_different_on_a_list_is_valid(condition: str) -> None:
    assert "label" == _only_leaf(condition).attribute.name


def test_c19_the_longest_name_of_an_attribute_wins() -> None:
    leaf = _only_leaf("merged-at < 2 days 3 hours ago")

    assert "merged-at" == leaf.attribute.name
    assert isinstance(leaf.value, RelativeTime)


def test_c20_a_time_has_no_equals_sign() -> None:
    assert "Invalid operator" in only_error(rule_with("updated-at = 2026-01-01")).message


def test_c21_flags_of_a_pattern_stand_at_its_start() -> None:
    message = only_error(rule_with("'files ~= docs/(?i)readme'")).message

    assert "Invalid regular expression: " in message


@pytest.mark.parametrize(
    ("pattern", "matches"), [("src/*.py", False), ("src/**/*.{py,pyi}", True), ("src/a/*.py", True)]
)
def test_c22_a_star_does_not_cross_folders(pattern: str, *, matches: bool) -> None:
    value = _only_leaf(f'"files *= {pattern}"').value

    assert hasattr(value, "matches")
    assert matches == value.matches("src/a/b.py")


def test_c23_an_unbalanced_brace_is_refused_at_its_pattern() -> None:
    error = only_error("""
        scopes:
          source:
            files:
              api:
                include: ["services/{api,web/**"]
        """)

    assert ("scopes", "source", "files", "api", "include", "0") == error.path
    assert "Invalid glob pattern 'services/{api,web/**': unbalanced brace" in error.message
    assert (5, 19) == (error.line, error.column)


def test_c24_a_guard_of_a_folder_is_valid() -> None:
    assert valid("""
        merge_protections:
          - name: guard
            if: ["files ~= ^critical/"]
            success_conditions: ["label = reviewed"]
        """)


def test_c25_a_check_may_name_its_app_and_not_the_app_alone() -> None:
    assert CheckName(None, "lint") == _only_leaf("check-success = lint").value
    assert CheckName("github-actions", "lint") == _only_leaf("check-success = @github-actions/lint").value
    assert only_error(rule_with("check-success = @github-actions"))


def test_c26_two_conditions_on_one_check_are_valid() -> None:
    failed, cancelled = _members(valid(rule_with("check-failure = test", "-check-cancelled = test")))

    assert not _leaf(failed).is_negated
    assert _leaf(cancelled).is_negated


def test_c27_a_queue_needs_only_a_name() -> None:
    (queue,) = valid("queue_rules:\n  - name: default\n").queue_rules

    assert (1, "auto", "queue") == (
        queue.batch_size,
        queue.checks_timeout,
        queue.branch_protection_injection_mode,
    )
    assert All(()) == queue.queue_conditions == queue.merge_conditions


def test_c28_the_sender_belongs_to_commands_alone() -> None:
    result = read("""
        commands_restrictions:
          backport:
            conditions: ["sender = @core"]
        pull_request_rules:
          - name: a
            conditions: ["sender = bob"]
            actions: {}
        """)

    assert [("pull_request_rules.0.conditions.0", 6, 18)] == places(result)
    assert "Attribute only allowed in commands_restrictions section: `sender`" in result.errors[0].message


def test_c29_the_author_stands_for_a_text_and_not_for_a_number() -> None:
    assert Placeholder.AUTHOR == _only_leaf('"commits[*].author = {{ author }}"').value
    assert only_error(rule_with('"number = {{ author }}"'))


def test_c30_the_hash_of_a_commit_is_no_condition() -> None:
    message = only_error(rule_with("commits[-1].sha = abc")).message

    assert message.startswith("Invalid condition 'commits[-1].sha = abc'. Invalid attribute")
