"""The facts of a repository as its exported tables have them: nothing else is read."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

from property.oracle_facts import Facts, Group, Run, Said, Subject, microseconds

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]

_ESCAPED = re.compile("'('*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")
_WHOLE = ("pull_request", "attempt", "batch_size", "retries", "depth")
_TRUTHS = ("is_merged", "started_in_group", "verdict_in_group", "culprit_found", "max_failures_reached")


def read_csv(file: Path) -> list[Row]:
    """Rows of a CSV file, with instants and durations in microseconds."""
    with file.open(encoding="utf-8", newline="") as text:
        return [{name: _value(name, cell) for name, cell in row.items()} for row in csv.DictReader(text)]


def _value(name: str, cell: str) -> object:
    if cell == "":
        return None
    if name == "at" or name.endswith("_at"):
        return microseconds(cell)
    if "seconds" in name:
        return round(float(cell) * 1_000_000)
    if name in _WHOLE:
        return int(cell)
    return {"true": True, "false": False}[cell] if name in _TRUTHS else _ESCAPED.sub(r"\1", cell, count=1)


def read_parquet(file: Path) -> list[Row]:
    """Rows of a Parquet file, as another program reads it."""
    with duckdb.connect() as connection:
        read = f"select * from read_parquet('{file}')"
        names = {name: type for name, type, *_ in connection.execute(f"describe {read}").fetchall()}
        wanted = ", ".join(_CAST.get(type, "{}").format(f'"{name}"') for name, type in names.items())
        rows = connection.execute(f"select {wanted} from read_parquet('{file}')").fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


_CAST = {"TIMESTAMP WITH TIME ZONE": "epoch_us({})", "DOUBLE": "round({} * 1000000)::bigint"}
READERS: dict[str, Callable[[Path], list[Row]]] = {"csv": read_csv, "parquet": read_parquet}


class ExportedFacts(Facts):
    """What the oracle needs, from the columns that say it."""

    def __init__(self, tables: Tables) -> None:
        self._stays: dict[Subject, Row] = {(row["session_id"],): row for row in tables["stays"]}
        self._run_rows = tables["runs"]
        self.all = [_said(row, row["at"], "") for row in tables["events"]]
        self.entered = dict(_sides(self._stays, "entered"))
        self.left = dict(_sides(self._stays, "left"))
        checks: dict[Subject, Row] = {
            (row["session_id"], row["batch_id"], row["attempt"]): row for row in tables["checks"]
        }
        self.started, self.ended = dict(_sides(checks, "started")), dict(_sides(checks, "ended"))
        steps = [(row, _said(row, row["at"], "")) for row in tables["bisections"]]
        self.bisection_started = {
            (row["batch_id"], row["depth"]): said for row, said in steps if row["step"] == "started"
        }
        self.bisection_ended = {(row["batch_id"],): said for row, said in steps if row["step"] == "ended"}

    def stay_seconds(self, session: Subject) -> int:
        return int(self._stays[session]["time_in_queue_seconds"])

    def ci_runtime(self, session: Subject) -> int:
        return int(self._stays[session]["ci_seconds"])

    def retries(self, session: Subject) -> int:
        return int(self._stays[session]["retries"])

    @property
    def runs(self) -> list[Run]:
        grouped: dict[Subject, list[Row]] = {}
        for row in self._run_rows:
            grouped.setdefault((row["batch_id"], row["attempt"]), []).append(row)
        return [
            Run(
                start=rows[0]["started_at"],
                end=rows[0]["ended_at"],
                size=rows[0]["batch_size"] or 0,
                started_in={_group(row, "") for row in rows if row["started_in_group"]},
                judged_in={_group(row, "") for row in rows if row["verdict_in_group"]},
            )
            for rows in grouped.values()
        ]


def _sides(rows: Mapping[Subject, Row], side: str) -> Iterator[tuple[Subject, Said]]:
    """The beginning or the end of each thing, where it is known."""
    for subject, row in rows.items():
        if row[f"{side}_at"] is not None:
            yield subject, _said(row, row[f"{side}_at"], f"{side}_")


def _group(row: Row, prefix: str) -> Group:
    names = ("base_ref", "queue_name", "priority_rule_name")
    base_ref, queue_name, rule = (row[f"{prefix}{name}"] for name in names)
    return base_ref, queue_name, rule


def _said(row: Row, at: int, prefix: str) -> Said:
    fields = {
        **row,
        "batch_pull_requests": range(row.get("batch_size") or 0),
        **{
            f"seconds_waiting_for_{what}": (row.get(f"{what}_wait_seconds") or 0) / 1_000_000
            for what in ("schedule", "freeze")
        },
    }
    return Said(at, _group(row, prefix), fields)
