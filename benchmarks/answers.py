"""How much does HTTP add? Compares each endpoint's uncached answer with its SQL alone.

    .venv/bin/python benchmarks/answers.py FOLDER      (a folder made by big_store.py)

Both run on the same store in the same process, one after the other; the window moves by a microsecond
from one request to the next, so that no answer is cached. Limit: twice the SQL time, or 3 ms more.
"""

import asyncio
import statistics
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from big_store import REPOSITORY
from mergecast.queues.model.instant import DAY, Window, format_instant, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.sqlite.readers import Allowance, SQLiteReader
from serving import Client, serving

_ROUNDS = 9
_WINDOWS = {"1 day": DAY, "30 days": 30 * DAY, "1 year": 365 * DAY}


def main() -> None:
    table = Table("statistic", "window", "SQL ms", "HTTP ms", "ratio", "bytes", "within")
    with serving(Path(sys.argv[1])) as client:
        for name in STATISTICS:
            for label, length in _WINDOWS.items():
                table.add_row(name, label, *_measured(client, name, length))
        table.caption = f"memory of the process at its peak: {client.peak_memory_mib()} MiB"
    Console(width=110).print(table)


def _measured(client: Client, name: str, length: int) -> list[str]:
    now = time.time_ns() // 1000
    sql, http = [], []
    size = 0
    for step in range(_ROUNDS):
        window = Window(now - length - step, now - step)
        begun = time.perf_counter()
        _run_sql(client, name, window)
        sql.append(time.perf_counter() - begun)
        if name == "time_to_merge":
            parameters = {"at": format_instant(window.end)}
        else:
            parameters = {"start_at": format_instant(window.start), "end_at": format_instant(window.end)}
        begun = time.perf_counter()
        size = len(client.get(f"/v1/repos/{REPOSITORY}/stats/{name}", parameters))
        http.append(time.perf_counter() - begun)
    alone, whole = statistics.median(sql) * 1000, statistics.median(http) * 1000
    within = "yes" if whole <= max(2 * alone, alone + 3) else "NO"
    return [f"{alone:.1f}", f"{whole:.1f}", f"{whole / alone:.2f}", str(size), within]


def _run_sql(client: Client, name: str, window: Window) -> None:
    """Run the statements of a statistic as its module does, without building the answer."""
    owner, repository = REPOSITORY.split("/")
    known = asyncio.run(client.server.database.repository(Repository(owner, repository)))
    assert known is not None
    if name == "time_to_merge":
        window = Window(window.end - 7 * DAY, window.end)
    with client.connection() as connection:
        reader = _Fetching(connection, Allowance(600, asyncio.new_event_loop()))
        question = Question(known.id, window, window, grid_for(window), reader.groups(known.id))
        STATISTICS[name].answer(reader, question)


class _Fetching(SQLiteReader):
    """Fetches the rows and returns none of them, so that no answer is built."""

    def rows(self, statement: str, parameters: object) -> list[tuple[object, ...]]:
        super().rows(statement, parameters)  # type: ignore[arg-type]
        return []


if __name__ == "__main__":
    main()
