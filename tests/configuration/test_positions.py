"""The path of an error and its position in the text."""

import pytest

from configuration.documents import only_error, places, read


@pytest.mark.parametrize(
    ("text", "path", "line", "column"),
    [
        ("queue_rules: 3\n", "queue_rules", 1, 14),
        ("queue_rules:\n  - name: a\n    batch_size: 0\n", "queue_rules.0.batch_size", 3, 17),
        ("queue_rules:\n  - name: a\n    zebra: 0\n", "queue_rules.0.zebra", 3, 5),
        ("queue_rules:\n  - batch_size: 2\n", "queue_rules.0.name", 2, 5),
        ("queue_rules:\n- &q\n  batch_size: 2\n", "queue_rules.0.name", 2, 3),
        ("queue_rules:\n  - name: a\n    queue_conditions:\n      - or: [nope]\n",
         "queue_rules.0.queue_conditions.0.or.0", 4, 14),
        ("merge_queue:\n  mode: >-\n    paralel\n", "merge_queue.mode", 2, 9),
        ("merge_queue: {mode:\n    'x'}\n", "merge_queue.mode", 2, 5),
        ("\ufeffqueue_rules: 3\n", "queue_rules", 1, 14),
        ("# ä ö ü\nqueue_rules: [ü]\n", "queue_rules.0", 2, 15),
        ("queue_rules: []\r\nmerge_queue: 3\r\n", "merge_queue", 2, 14),
        ("queue_rules: [{name: a, batch_size: 1}, {name: b, batch_size: 0}]\n",
         "queue_rules.1.batch_size", 1, 63),
    ],
)  # fmt: skip
def test_the_position_of_an_error(text: str, path: str, line: int, column: int) -> None:
    assert [(path, line, column)] == places(read(text))


@pytest.mark.parametrize(
    ("anchor", "use", "path"),
    [
        ("&a 0", "batch_size: *a", "batch_size"),
        ("&a nope", "queue_conditions: [*a]", "queue_conditions.0"),
        ("&a [ nope ]", "queue_conditions: *a", "queue_conditions.0"),
        ("&a {allow_inplace_checks: 3}", "<<: *a", "allow_inplace_checks"),
        ("&a {zebra: 3}", "<<: *a", "zebra"),
        ("&a {min: 3}", "batch_size: *a", "batch_size.max"),
    ],
)
def test_an_error_in_an_aliased_value_is_reported_where_it_is_written(
    anchor: str, use: str, path: str
) -> None:
    result = read(f"shared:\n  one: {anchor}\nqueue_rules:\n  - name: a\n    {use}\n")
    (error,) = result.errors

    assert f"queue_rules.0.{path}" == ".".join(error.path)
    assert 2 == error.line


def test_an_error_in_an_aliased_list_is_reported_where_it_is_written() -> None:
    assert [("queue_rules.0.queue_conditions.0", 1, 18)] == places(
        read("shared: {c: &c [ nope ]}\nqueue_rules: [{name: a, queue_conditions: *c}]\n")
    )


def test_an_error_in_a_default_value_is_reported_in_the_defaults() -> None:
    error = only_error("""
        defaults: {actions: {queue: {name: nightly}}}
        queue_rules: [{name: default}]
        pull_request_rules: [{name: a, conditions: [], actions: {queue: }}]
        """)

    assert (1, 36) == (error.line, error.column)


def test_errors_are_sorted_by_position() -> None:
    result = read("""
        zebra: 1
        merge_queue: {mode: x, zebra: 2, max_parallel_checks: 0}
        queue_rules: [{batch_size: 0, zebra: 3}]
        alpha: 1
        """)

    assert [1, 2, 2, 2, 3, 3, 3, 4] == [error.line for error in result.errors]
    assert sorted(places(result), key=lambda place: place[1:]) == places(result)


def test_a_numeric_key_is_not_a_list_index() -> None:
    (error,) = read("scopes: {source: {files: {'12': {includes: []}}}}\n").errors

    assert ("scopes", "source", "files", "12", "includes") == error.path
    assert error.text.endswith("@ root → scopes → source → files → 12 → includes")


def test_a_key_that_is_not_a_string_is_reported_at_the_key() -> None:
    error = only_error("scopes: {source: {files: {12: {}}}}\n")

    assert (1, 27) == (error.line, error.column)
    assert "12" in error.message


def test_a_name_is_never_suggested_for_itself() -> None:
    error = only_error("scopes: {source: {files: {}, manual: null}}\n")

    assert "did you mean `manual`" not in error.message


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("true: 1\n", "true"),
        ("on: 1\n", "true"),
        ("null: 1\n", "null"),
        ("1: 1\n", "1"),
        ("2026-01-01: 1\n", "2026-01-01"),
        ("queue_rules: [{name: a, 1: 2}]\n", "queue_rules.0.1"),
        ("queue_rules: [{name: a, queue_conditions: [{1: 2}]}]\n", "queue_rules.0.queue_conditions.0.1"),
        ("queue_rules: [{name: a, queue_conditions: [{on: 2}]}]\n", "queue_rules.0.queue_conditions.0.true"),
    ],
)
def test_keys_of_other_types_are_written_as_text(text: str, path: str) -> None:
    error = only_error(text)

    assert path == ".".join(error.path)
    assert f"`{path.rsplit('.', maxsplit=1)[-1]}`" in error.message


def test_condition_groups_through_an_alias_may_be_deep_without_a_crash() -> None:
    levels = "".join(f"  l{n}: &l{n} [{{and: *l{n - 1}}}]\n" for n in range(1, 60))
    text = f"shared:\n  l0: &l0 [draft]\n{levels}queue_rules: [{{name: a, queue_conditions: *l59}}]\n"

    assert only_error(text).message.startswith("Maximum number of nested conditions reached")
