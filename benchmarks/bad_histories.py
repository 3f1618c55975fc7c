"""Does every statement stay linear, whatever the history? Each SQL file on bad histories of two sizes.

    .venv/bin/python benchmarks/bad_histories.py [SIZE]      (default: 25,000, and four times that)

The histories: one pull request that enters again and again and never leaves; batches of 1,000; as many groups
as stays; everything in one microsecond. Four times the size may cost at most 8 times the CPU time (linear is
4, with sorting a little more; a quadratic statement takes 16), or stay below 50 ms.
"""

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mergecast.queues.model.instant import DAY, Window, grid_for
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.sqlite.connections import connect, execute

_ROUNDS = 3
_START = 1_700_000_000_000_000 // DAY * DAY
_LENGTH = 30 * DAY
_END = _START + _LENGTH
_FACTOR = 4
_MOST = 8
_QUICK = 0.05

_SPREAD = "{start} + i * {step}"
_SHORT = "{step} * 100"
# Of stay number i: pull request, group, instant of entering, length of the stay or null, and CI run.
HISTORIES = {
    "one pull request": ("1", "0", _SPREAD, "null", "i"),
    "batches of 1,000": ("i", "i % 6", _SPREAD, _SHORT, "i / 1000"),
    "many groups": ("i", "i", _SPREAD, _SHORT, "i"),
    "one microsecond": ("i % 9", "i % 6", "{start}", "iif(i % 2 = 0, 0, null)", "i / 3"),
}
_ROWS = {
    "stays": "select 1, i, pull, moment, place, moment + length, iif(length is null, null, place), "
    "iif(length is null, null, 'PR_MERGED'), 'b' || run, 1, length, length, length, length, length, null "
    "from made",
    "checks": "select 1, i, run, moment, place, 1000, moment + length, place, 'SUCCESS' from made",
    "runs": "select 1, run, place, 1, 1, min(moment), max(moment + length), 1000 from made "
    "group by run, place",
    "events": "select 1, 2 * i + e, i, e, place, i, run, null, 3, i || '-' || e, "
    "iif(e = 0, 'queue_entered', 'checks_started'), moment, 'api', 's' || i, pull, 'b' || run, 1, '1,2,3', "
    "null, null, null, null, null, null, null, null from made, (select value as e from json_each('[0,1]'))",
    "bisection_starts": "select 1, run, min(i), moment, place, 1000 from made group by run",
    "bisection_ends": "select 1, run, moment, place, 1, 0 from made group by run",
    "groups": "select distinct 1, place, 'main', 'queue-' || place, null from made",
}


def make(folder: Path, history: str, size: int) -> sqlite3.Connection:
    open_store(folder).close()
    connection = connect(folder / FILE_NAME)
    columns = ("pull", "place", "moment", "length", "run")
    made = ", ".join(f"{value} as {name}" for name, value in zip(columns, HISTORIES[history], strict=True))
    filled = made.format(start=_START, step=_LENGTH // size)
    numbers = f"with recursive stays (i) as (select 0 union all select i + 1 from stays where i + 1 < {size})"
    connection.execute(f"create temporary table made as {numbers} select i, {filled} from stays")
    for table, rows in _ROWS.items():
        connection.execute(f"insert into {table} {rows}")
    return connection


def questions(size: int) -> Iterator[tuple[str, Sequence[Any]]]:
    """Every statement that reads much, with its parameters."""
    groups = list(range(size))
    grid = grid_for(Window(_START, _END))
    whole: list[Any] = [1, _START, _END, groups]
    for name in ("active_groups", "merge_queue_checks_outcome", "time_to_merge"):
        yield name, whole
    for name in (
        "average_ci_runtime", "batch_bisection_completed", "batch_bisection_started", "batch_size",
        "checks_retries", "failure_rate", "idle_queue_time", "queue_size", "queues_checks_outcome_count",
        "queues_entered_count", "queues_merged_count", "queues_pr_exit_reasons", "running_speculative_checks",
        "skip_intermediate_results", "total_queue_time",
    ):  # fmt: skip
        yield name, [*whole, grid.width, grid.shift]
    for name in ("bisections", "entered", "left", "runs_ended", "runs_saved", "runs_started"):
        yield f"summary_{name}", [*whole, groups, grid.width, grid.shift, _START - _LENGTH, _START]
    yield "stays", [*whole, True, -1, 1_000]
    yield "history_stays", [1, 0, 1_000]
    yield "history_checks", [1, groups[:1_000], 10_000]
    yield "recorded_events", [1, "main", _START, _END, 200_001]
    yield "event_keys", [1, size, size + 5_000]
    yield "stays_lasting_or_recent", [1, _END, _START]
    yield "starts_of_stays", [1, groups]
    yield "statements", [1, groups]
    yield "stored_events", [1, groups]
    yield "selected_subjects", [1, None, None, None]
    yield "span_of_events", [1]
    yield "events_page", [1, size, 2 * size, 5_000, 1_000_000]


def measure(connection: sqlite3.Connection, name: str, parameters: Sequence[Any]) -> float:
    """CPU seconds, so that other processes do not disturb it."""
    taken = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        execute(connection, sql(name, "sqlite"), parameters).fetchall()
        taken.append(time.process_time() - begun)
    return statistics.median(taken)


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 25_000
    table = Table("history", "statement", f"{size:,} ms", f"{_FACTOR * size:,} ms", "ratio", "within")
    with tempfile.TemporaryDirectory() as folder:
        for history in HISTORIES:
            taken: list[dict[str, float]] = []
            for number in (size, _FACTOR * size):
                with closing(make(Path(folder) / f"{history} {number}", history, number)) as connection:
                    taken.append({name: measure(connection, name, some) for name, some in questions(number)})
            for name, small in taken[0].items():
                large = taken[1][name]
                within = "yes" if large <= max(_MOST * small, _QUICK) else "NO"
                shown = [f"{seconds * 1000:.1f}" for seconds in (small, large)]
                table.add_row(history, name, *shown, f"{large / small:.1f}", within)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
