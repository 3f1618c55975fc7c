"""Statements about flaky CI checks stay quick when a year has thousands of failures."""

import pytest

from mergecast.queues.store.postgres.connections import statement_text


@pytest.mark.parametrize(
    "name", ["ci_other_attempts", "ci_tests_of_contents", "ci_verdicts_among", "ci_runs_between"]
)
def test_no_row_is_searched_in_a_computed_list(name: str) -> None:
    """PostgreSQL searches a computed list from its beginning for every row, and a given one by hashing."""
    assert "any(array(" not in statement_text(name)
