"""The header row of `mergecast stats --csv` depends on the statistic only."""

from mergecast.cli.tables import columns_of, rows_of
from mergecast.queues.stats.published import STATISTICS


def test_every_shape_of_answer_has_its_columns() -> None:
    columns = {name: columns_of(statistic.answer_type) for name, statistic in STATISTICS.items()}
    group = ["base_ref", "queue_name", "priority_rule_name"]

    assert ["base_ref"] == columns["branches"]
    assert ["queue_name", "mean", "median"] == columns["time_to_merge"]
    assert [*group, "start", "end", "total", "failures", "failure_rate"] == columns["failure_rate"]
    assert [*group, "outcome", "count"] == columns["merge_queue_checks_outcome"]
    bisections = columns["batch_bisection"]
    assert ["part", *group, "start", "end", "bisection_count"] == bisections[:7]
    assert "culprit_found_count" in bisections
    assert all(columns.values())


def test_an_answer_with_one_part_has_the_columns_of_both() -> None:
    """A program reads the same columns whether or not a bisection has ended."""
    entry = {"start": "a", "end": "b", "bisection_completed_count": 1, "culprit_found_count": 1}
    group = {"base_ref": "main", "queue_name": "default", "priority_rule_name": None, "stats": [entry]}

    (row,) = rows_of({"started": [], "completed": [group]})

    assert row.keys() < set(columns_of(STATISTICS["batch_bisection"].answer_type))
