"""What an answer reads does not depend on what the database's statistics say."""

import asyncio
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest

from cpu_time import cpu_time
from mergecast.queues.model.instant import Window, grid_for
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.postgres.connections import statement_text
from mergecast.queues.store.reader import Reader
from postgres.server import new_database

pytestmark = pytest.mark.server

_WINDOW = Window(0, 1_000_000)
_DAY = Window(990_000, 1_000_000)
_FILL = """
insert into repositories values ($1, 'acme', 'r' || $1::int, 'acme/r' || $1::int);
insert into repository_state values ($1, 1, $2, 0, 1000000, null, 0, 0, $2, $2, $2);
insert into groups select $1, g, 'main', 'queue-' || g, null from generate_series(1, $2::int) as g;
insert into stays
    select $1, i, i, i * 100, i, i * 100 + 50, i, 'PR_MERGED', 'b' || i, 1, 1, 1, 1, 1, 1
    from generate_series(1, $2::int) as i;
insert into checks
    select $1, i, i, i * 100, i, 3, i * 100 + 50, i, 'SUCCESS' from generate_series(1, $2::int) as i;
insert into runs
    select $1, i, i, true, true, i * 100, i * 100 + 50, 3 from generate_series(1, $2::int) as i;
insert into events (repository_id, number, key_high, key_low, group_id, id, type, happened_at, source)
    select $1, i, i, i, i, 'e' || i, 'queue_entered', i * 100, 'api' from generate_series(1, $2::int) as i
"""
# They read every table of facts, joined in every way.
_ASKED = (
    "queues",
    "time_to_merge",
    "failure_rate",
    "queue_size",
    "queues_checks_outcome_count",
    "batch_size",
)
_INDEXES = {
    "queues_merged_count": "stays_by_left_at",
    "queues_entered_count": "stays_by_entered_at",
    "queues_checks_outcome_count": "checks_by_ended_at",
    "batch_size": "runs_by_started_at",
    "skip_intermediate_results": "stays_by_saved_batch",
}


def _fill(url: str, repository_id: int, size: int) -> None:
    """A repository with as many groups as stays, whose rows the database has not counted yet."""
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        for text in _FILL.split(";"):
            connection.execute(text, [repository_id, size][: 2 if "$2" in text else 1])


def test_no_answer_compares_rows_with_groups_one_by_one(tmp_path: Path, database_server: str) -> None:
    """10,000 groups and as many rows arrive at once: 100 million comparisons would take much longer."""
    url = new_database(database_server)
    store = open_store(tmp_path, url)
    _fill(url, 1, 10_000)

    async def ask(name: str) -> object:
        known = await store.repository(Repository("acme", "r1"))
        assert known is not None

        def work(reader: Reader) -> object:
            question = Question(known.id, _WINDOW, _WINDOW, grid_for(_WINDOW), reader.groups(known.id))
            return STATISTICS[name].answer(reader, question)

        return await store.read(known.id, work, seconds=600)

    try:
        answers, used = [], [_cpu_time_of_backends(url)]
        for name in _ASKED:
            answers.append(asyncio.run(ask(name)))
            used.append(_cpu_time_of_backends(url))
    finally:
        store.close()

    assert all(answers)
    assert max(after - before for before, after in pairwise(used)) < 8


def _cpu_time_of_backends(url: str) -> float:
    """How much the processes that answer for this database have used so far."""
    with psycopg.connect(url) as connection:
        query = "select pid from pg_stat_activity where datname = current_database()"
        pids = [pid for (pid,) in connection.execute(query)]
    return sum(cpu_time(pid) for pid in pids)


def test_a_new_repository_is_read_through_the_index_that_fits(tmp_path: Path, database_server: str) -> None:
    """The database was analyzed when another repository was alone in it."""
    url = new_database(database_server)
    open_store(tmp_path, url).close()
    _fill(url, 1, 3_000)
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        connection.execute("analyze")
        _fill(url, 2, 3_000)
        groups = list(range(1, 3_000))

        def plan(name: str, repository_id: int) -> str:
            parameters = [repository_id, _DAY.start, _DAY.end, groups, 1000, 0]
            return str(connection.execute(f"explain {statement_text(name)}".encode(), parameters).fetchall())

        connection.execute("set enable_nestloop = off")  # as readers do
        page = connection.execute(f"explain {statement_text('ci_checks_page')}".encode(), [1, 5, 100, 10])
        conditions = "\n".join(line for (line,) in page).partition(" on ci_checks ")[2].splitlines()[1]
        wrong = [
            (name, one) for name, index in _INDEXES.items() for one in (1, 2) if index not in plan(name, one)
        ]

    assert [] == wrong
    # Otherwise each page of an export would read all executions.
    assert "run <= " in conditions
