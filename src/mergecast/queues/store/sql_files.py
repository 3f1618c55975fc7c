"""The text of statements, by the name of their file.

A word in braces stands for a fragment: a list that several statements share and that the program defines
once. Values never become part of the text; they are parameters.
"""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from mergecast.queues.model.event import MERGED_REASONS, Event, Group
from mergecast.queues.model.facts import BisectionEnd, BisectionStart, Check, Run, Statement, Stay
from mergecast.queues.store.ci.rows import CiBlockSumRow, CiCheckRow, CiDayRow, CiDaySumRow, CiRunRow

_FACT_COLUMNS = {
    "stay_columns": Stay._fields,
    "check_columns": Check._fields,
    "run_columns": Run._fields,
    "bisection_start_columns": BisectionStart._fields,
    "bisection_end_columns": BisectionEnd._fields,
    "ci_run_columns": CiRunRow._fields,
    "ci_check_columns": CiCheckRow._fields,
    "ci_day_columns": CiDayRow._fields,
    "ci_day_sum_columns": CiDaySumRow._fields,
    "ci_block_sum_columns": CiBlockSumRow._fields,
}
# A report about a CI check and its thread, in the order of `CiCheckReport`.
_CI_EXECUTION_COLUMNS = (
    *("ci_checks.thread", "ci_checks.run", "ci_checks.id", "ci_checks.happened_at"),
    *("base_refs.text", "queue_names.text", "ci_runs.batch_id", "ci_checks.check_id", "names.text"),
    *("ci_checks.conclusion", "ci_runs.attempt"),
    *("ci_checks.queued_at", "ci_checks.started_at", "ci_checks.ended_at"),
    *("ci_checks.url", "runners.text", "ci_checks.is_required", "ci_checks.source"),
)
_FRAGMENT = re.compile(r"\{(\w+)\}")


@cache
def sql(name: str) -> str:
    """A statement, with its fragments filled in."""
    return _FRAGMENT.sub(lambda match: _fragment(match[1]), _read(name))


def _read(name: str) -> str:
    return (files("mergecast.queues.store") / "sql" / f"{name}.sql").read_text(encoding="utf-8")


def _fragment(name: str) -> str:
    match name:
        case "event_columns":
            return ", ".join(f"{_table_of(column)}.{column}" for column in Event._fields)
        case "statement_columns":
            return ", ".join(Statement._fields)
        case name if name in _FACT_COLUMNS:
            return ", ".join(_FACT_COLUMNS[name])
        case "merged_reasons":
            return ", ".join(f"'{reason}'" for reason in MERGED_REASONS)
        case "ci_execution_columns":
            return ", ".join(_CI_EXECUTION_COLUMNS)
        case "sweep" | "of_page" | "ci_executions":
            return _read(f"fragments/{name}")
    raise ValueError(f"unknown fragment {{{name}}}")


def _table_of(column: str) -> str:
    return "groups" if column in Group._fields else "events"


class MigrationText(NamedTuple):
    number: int
    name: str
    text: str


def migrations(store: str) -> list[MigrationText]:
    """Every migration of a kind of store, in order."""
    folder = files(f"mergecast.queues.store.{store}") / "migrations"
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [_migration(name, entry.read_text(encoding="utf-8")) for name, entry in found]


def _migration(file: str, text: str) -> MigrationText:
    number, _, name = file.removesuffix(".sql").partition("_")
    return MigrationText(int(number), name.replace("_", " "), text)
