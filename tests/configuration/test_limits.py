"""The limits of the language: the largest value that is allowed, and one more."""

import pytest

from configuration.documents import lines, read, valid

_SECTIONS = [
    ("pull_request_rules", 200, "conditions: [], actions: {}"),
    ("queue_rules", 50, "batch_size: 1"),
    ("priority_rules", 50, "conditions: []"),
    ("merge_protections", 100, "if: [], success_conditions: []"),
]
_LISTS = [
    ("assign", "users", 10),
    ("assign", "add_users", 10),
    ("assign", "remove_users", 40),
    ("backport", "branches", 30),
    ("backport", "regexes", 30),
    ("backport", "labels", 30),
    ("backport", "assignees", 10),
    ("copy", "branches", 30),
    ("copy", "regexes", 30),
    ("copy", "labels", 30),
    ("copy", "assignees", 10),
    ("label", "add", 50),
    ("label", "remove", 50),
    ("label", "toggle", 50),
    ("dismiss_reviews", "approved", 50),
    ("dismiss_reviews", "changes_requested", 50),
    ("request_reviews", "users", 150),
    ("request_reviews", "teams", 150),
    ("request_reviews", "users_from_teams", 150),
]
_NUMBERS = [
    ("queue_rules: [{name: a, batch_size: %s}]", "queue_rules → item 0 → batch_size", 1, 128),
    (
        "queue_rules: [{name: a, batch_size: {min: 1, max: %s}}]",
        "queue_rules → item 0 → batch_size → max",
        1,
        128,
    ),
    ("merge_queue: {max_parallel_checks: %s}", "merge_queue → max_parallel_checks", 1, 128),
    (
        "merge_queue: {mode: isolated}\nscopes: {default_capacity: %s}",
        "scopes → default_capacity",
        1,
        128,
    ),
    (
        "merge_queue: {mode: isolated}\nscopes: {capacities: {e2e: %s}}",
        "scopes → capacities → e2e",
        1,
        128,
    ),
    (
        "pull_request_rules: [{name: a, conditions: [], actions: {request_reviews: {random_count: %s}}}]",
        "pull_request_rules → item 0 → actions → request_reviews → random_count",
        1,
        15,
    ),
]


def _rules(section: str, count: int, rest: str) -> str:
    return f"{section}:\n" + "".join(f"  - {{name: r{index}, {rest}}}\n" for index in range(count))


def _action(name: str, options: str) -> str:
    return f"pull_request_rules:\n  - name: a\n    conditions: []\n    actions: {{{name}: {{{options}}}}}\n"


def _names(count: int) -> str:
    return f"[{', '.join(f'n{index}' for index in range(count))}]"


def _only(text: str) -> str:
    (line,) = lines(read(text))
    return line.split(": ", 1)[1]


@pytest.mark.parametrize(("section", "most", "rest"), _SECTIONS)
def test_a_section_has_a_limit(section: str, most: int, rest: str) -> None:
    assert valid(_rules(section, most, rest))
    assert f"List should have at most {most} items, found {most + 1} @ root → {section}" == _only(
        _rules(section, most + 1, rest)
    )


@pytest.mark.parametrize(("action", "option", "most"), _LISTS)
def test_a_list_of_an_action_has_a_limit(action: str, option: str, most: int) -> None:
    place = f"root → pull_request_rules → item 0 → actions → {action} → {option}"

    assert valid(_action(action, f"{option}: {_names(most)}"))
    assert f"List should have at most {most} items, found {most + 1} @ {place}" == _only(
        _action(action, f"{option}: {_names(most + 1)}")
    )


@pytest.mark.parametrize(("text", "place", "least", "most"), _NUMBERS)
def test_a_number_has_limits(text: str, place: str, least: int, most: int) -> None:
    assert valid(text % least)
    assert valid(text % most)
    assert _only(text % (least - 1)).startswith(f"Input should be greater than or equal to {least}")
    assert _only(text % (most + 1)).startswith(f"Input should be less than or equal to {most}")
    assert _only(text % (most + 1)).endswith(f"@ root → {place}")


@pytest.mark.parametrize("list_name", ["queue_conditions", "merge_conditions"])
def test_a_list_of_conditions_holds_five_hundred(list_name: str) -> None:
    text = f"queue_rules:\n  - name: a\n    {list_name}:\n" + "      - draft\n" * 500

    assert valid(text)
    assert (
        f"List should have at most 500 items, found 501 @ root → queue_rules → item 0 → {list_name}"
        == _only(f"{text}      - draft\n")
    )


def test_a_group_of_conditions_holds_five_hundred() -> None:
    text = "queue_rules:\n  - name: a\n    queue_conditions:\n      - or:\n" + "          - draft\n" * 501
    place = "root → queue_rules → item 0 → queue_conditions → item 0 → or"

    assert f"List should have at most 500 items, found 501 @ {place}" == _only(text)


def _nested(depth: int) -> str:
    return f"queue_rules: [{{name: a, queue_conditions: [{'{and: [' * depth}draft{']}' * depth}]}}]\n"


def test_groups_nest_thirty_two_levels_deep() -> None:
    assert valid(_nested(32))
    assert _only(_nested(33)).startswith("Maximum number of nested conditions reached")


def test_negations_count_as_levels() -> None:
    depth = 17
    text = f"queue_rules: [{{name: a, queue_conditions: [{'{not: {and: [' * depth}draft{']}}' * depth}]}}]\n"

    assert _only(text).startswith("Maximum number of nested conditions reached")


@pytest.mark.parametrize("weight", [1, 65535])
def test_weights_that_are_allowed(weight: int) -> None:
    assert valid(_action("request_reviews", f"users: {{bob: {weight}}}"))


@pytest.mark.parametrize("weight", [0, 65536])
def test_weights_that_are_not_allowed(weight: int) -> None:
    assert "from 1 to 65535" in _only(_action("request_reviews", f"users: {{bob: {weight}}}"))


def test_ten_workflows_with_ten_inputs() -> None:
    def text(dispatches: int, inputs: int) -> str:
        given = ", ".join(f"i{index}: {index}" for index in range(inputs))
        one = f"{{workflow: x.yml, inputs: {{{given}}}}}"
        return _action("github_actions", f"workflow: {{dispatch: [{', '.join([one] * dispatches)}]}}")

    place = "root → pull_request_rules → item 0 → actions → github_actions → workflow → dispatch"
    assert valid(text(10, 10))
    assert f"List should have at most 10 items, found 11 @ {place}" == _only(text(11, 1))
    assert f"Mapping should have at most 10 entries, found 11 @ {place} → item 0 → inputs" == _only(
        text(1, 11)
    )


@pytest.mark.parametrize(("timeout", "is_valid"), [("60 s", True), ("1 min", True), ("59 s", False)])
def test_checks_time_out_after_a_minute_at_the_earliest(timeout: str, *, is_valid: bool) -> None:
    assert is_valid is (() == read(f"queue_rules: [{{name: a, checks_timeout: {timeout}}}]").errors)


def test_a_glob_expands_to_a_hundred_and_twenty_eight_patterns() -> None:
    text = "scopes: {source: {files: {api: {include: ['%s']}}}}"

    assert valid(text % ("{0,1}" * 7))
    assert "expands to more than 128 patterns" in _only(text % ("{0,1}" * 8))
    assert "nested too deeply" in _only(text % ("{a," * 33 + "b" + "}" * 33))


def test_an_expanded_document_is_not_larger_than_two_hundred_thousand_values() -> None:
    levels = "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 8))
    text = f"shared:\n  l0: &l0 [a, b]\n{levels}"

    assert "document too large once aliases are expanded" in lines(read(text))[0]
