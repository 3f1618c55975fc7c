"""Rows of Python values into a table, a column at a time."""

from collections.abc import Sequence

import duckdb
import numpy as np

# The columns of each table in their order, and how each travels: i(nteger), t(ext) or b(oolean).
TABLES: dict[str, tuple[tuple[str, str], ...]] = {
    "repositories": (
        ("repository_id", "i"), ("owner", "t"), ("name", "t"), ("version", "i"), ("events", "i"),
        ("first_at", "i"), ("last_at", "i"),
    ),
    "groups": (
        ("repository_id", "i"), ("group_id", "i"), ("base_ref", "t"), ("queue_name", "t"),
        ("priority_rule_name", "t"),
    ),
    "subjects": (("repository_id", "i"), ("number", "i"), ("key_high", "i"), ("key_low", "i")),
    "events": (
        ("repository_id", "i"), ("number", "i"), ("key_high", "i"), ("key_low", "i"), ("id", "t"),
        ("type", "t"), ("happened_at", "i"), ("group_id", "i"), ("source", "t"), ("session_id", "t"),
        ("stay", "i"), ("pull_request", "i"), ("batch_id", "t"), ("run", "i"), ("attempt", "i"),
        ("batch_pull_requests", "t"), ("batch_size", "i"), ("reason", "t"), ("outcome", "t"),
        ("schedule_wait", "i"), ("freeze_wait", "i"), ("depth", "i"), ("culprit_found", "b"),
        ("max_failures_reached", "b"),
    ),
    "stays": (
        ("repository_id", "i"), ("stay", "i"), ("pull_request", "i"), ("entered_at", "i"),
        ("entered_group", "i"), ("left_at", "i"), ("left_group", "i"), ("reason", "t"),
        ("batch_id", "t"), ("retries", "i"), ("queue_time", "i"), ("ci_runtime", "i"),
        ("idle_capacity", "i"), ("idle_schedule", "i"), ("idle_freeze", "i"),
    ),
    "checks": (
        ("repository_id", "i"), ("stay", "i"), ("run", "i"), ("started_at", "i"),
        ("started_group", "i"), ("batch_size", "i"), ("ended_at", "i"), ("ended_group", "i"),
        ("outcome", "t"),
    ),
    "runs": (
        ("repository_id", "i"), ("run", "i"), ("group_id", "i"), ("has_start", "b"),
        ("has_verdict", "b"), ("started_at", "i"), ("ended_at", "i"), ("batch_size", "i"),
    ),
    "bisection_starts": (
        ("repository_id", "i"), ("bisection", "i"), ("depth", "i"), ("started_at", "i"),
        ("group_id", "i"), ("batch_size", "i"),
    ),
    "bisection_ends": (
        ("repository_id", "i"), ("bisection", "i"), ("ended_at", "i"), ("group_id", "i"),
        ("culprit_found", "b"), ("max_failures_reached", "b"),
    ),
}  # fmt: skip

_DTYPES = {"i": np.int64, "b": np.bool_}


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[object]]) -> None:
    """Append rows whose values stand in the order of the table's columns."""
    if not rows:
        return
    kinds = TABLES[table]
    columns = zip(*rows, strict=True)
    arrays = {name: _array(kind, values) for (name, kind), values in zip(kinds, columns, strict=True)}
    connection.register("new_rows", arrays)
    connection.execute(f"insert into {table} select * from new_rows")  # noqa: S608 - a name of our own
    connection.unregister("new_rows")


def _array(kind: str, values: tuple[object, ...]) -> object:
    if kind == "t":
        return np.array(values, dtype=object)
    if None not in values:
        return np.array(values, dtype=_DTYPES[kind])
    mask = [value is None for value in values]
    return np.ma.array([value or 0 for value in values], mask=mask, dtype=_DTYPES[kind])
