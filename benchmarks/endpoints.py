"""What does HTTP add to the SQL of the dashboard's endpoints? Compares answers with their statements alone.

    .venv/bin/python benchmarks/endpoints.py [ROUNDS]

A server in this process answers over a socket and caches nothing. It has 90 days of the demo, and a
repository with 1,000 pull requests in 50 queues. The statements that an answer ran, without those of work in
the background, are run again as the server runs them. Both alternate, and the best of all rounds counts, by
the clock and by the processor time of this process, which holds beside other work too. Limit: twice the SQL.

The second table compares the processor time of `…/pulls/{number}/state`, whose limit is 5 ms, with that of
`…/history`. After a change, both read first what is in the queues.
"""

import http.client
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from mergecast.api.application import Application
from mergecast.api.responses import Answers
from mergecast.demo.history import demo_events
from mergecast.queues.store.sql_files import sql
from mergecast.queues.store.sqlite.connections import fetch
from mergecast.queues.store.sqlite.readers import Readers, SQLiteReader
from serving import TOKEN, Client, serving

_ROUNDS = 15
_DELIVERY = 10_000
_DEMO, _CROWDED = "demo/harbor", "acme/crowded"
_QUEUES, _IN_QUEUE = 50, 20


class _Transaction(NamedTuple):
    """What one piece of reading ran: for which repository, and its statements with their parameters."""

    repository_id: int | None
    statements: list[tuple[str, Sequence[object]]]


class _Noting:
    """A reader that notes what it is asked."""

    def __init__(self, reader: SQLiteReader, noted: _Transaction) -> None:
        self._reader, self._noted = reader, noted
        self.groups, self.current = reader.groups, reader.current

    def rows(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        self._noted.statements.append((statement, parameters))
        return self._reader.rows(statement, parameters)

    def column(self, statement: str, parameters: Sequence[object]) -> list[Any]:
        self._noted.statements.append((statement, parameters))
        return self._reader.column(statement, parameters)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else _ROUNDS
    Answers.cached = lambda self, etag: None  # type: ignore[method-assign]  # noqa: ARG005
    _note_transactions()
    table = Table(
        "endpoint", "statements", "SQL ms", "HTTP ms", "ratio", "SQL CPU ms", "HTTP CPU ms", "ratio", "bytes"
    )
    with TemporaryDirectory() as folder, serving(Path(folder)) as client:
        _fill(client)
        for label, path in _paths(client).items():
            table.add_row(label, *_measured(client, path, rounds))
        table.add_row("live, until the first event", "0", "", f"{_first_event(client, rounds) * 1000:.1f}")
        beside = _state_beside_history(client, rounds)
    Console(width=130).print(table, beside)


# What the requests of the benchmark read; work in the background reads at the same time.
_noted: list[_Transaction] = []
_is_asked: ContextVar[bool] = ContextVar("is_asked", default=False)


def _note_transactions() -> None:
    read: Callable[..., Any] = Readers.read
    handle: Callable[..., Any] = Application.handle

    async def noting(
        self: Readers, repository_id: int | None, work: Callable[[Any], Any], *, seconds: float
    ) -> Any:
        if not _is_asked.get():
            return await read(self, repository_id, work, seconds=seconds)
        transaction = _Transaction(repository_id, [])
        _noted.append(transaction)
        return await read(
            self, repository_id, lambda reader: work(_Noting(reader, transaction)), seconds=seconds
        )

    async def asked(self: Application, request: Any, matched: Any) -> Any:
        _is_asked.set(True)
        return await handle(self, request, matched)

    Readers.read = noting  # type: ignore[method-assign]
    Application.handle = asked  # type: ignore[method-assign]


def _fill(client: Client) -> None:
    now = datetime.now(UTC)
    monday = now.date() - timedelta(days=now.weekday(), weeks=13)
    for repository, events in (
        (_DEMO, list(demo_events(monday, now))),
        (_CROWDED, list(_waiting(now))),
    ):
        for first in range(0, len(events), _DELIVERY):
            body = msgspec.json.encode(events[first : first + _DELIVERY])
            client.post(f"/v1/repos/{repository}/events", body)


def _waiting(now: datetime) -> Iterator[Mapping[str, object]]:
    """Pull requests that entered and are still in their queue."""
    for number in range(1, _QUEUES * _IN_QUEUE + 1):
        yield {
            "id": f"enter-{number}",
            "type": "queue_entered",
            "at": (now - timedelta(seconds=number)).isoformat(),
            "session_id": f"stay-{number}",
            "pull_request": number,
            "base_ref": "main",
            "queue_name": f"queue {number % _QUEUES}",
        }


def _paths(client: Client) -> dict[str, str]:
    end = datetime.now(UTC).replace(microsecond=0)
    week, quarter = (
        f"start_at={_instant(end - timedelta(days=days))}&end_at={_instant(end)}" for days in (7, 90)
    )
    demo = f"/v1/repos/{_DEMO}"
    slowest = msgspec.json.decode(client.get(f"{demo}/stays?limit=1000&{quarter}"))["stays"]
    number = max(slowest, key=lambda stay: stay["retries"])["pull_request"]
    return {
        "summary, 7 days": f"{demo}/summary?{week}",
        "summary, 7 days, by interval": f"{demo}/summary?{week}&intervals=true",
        "summary, 90 days, by interval": f"{demo}/summary?{quarter}&intervals=true",
        "stays, 20 of 7 days": f"{demo}/stays?limit=20&{week}",
        "stays, 100 of 7 days": f"{demo}/stays?limit=100&{week}",
        "stays, 1,000 of 90 days": f"{demo}/stays?limit=1000&{quarter}",
        "stays, the latest 1,000": f"{demo}/stays?limit=1000&order=-at&{quarter}",
        "pull history": f"{demo}/pulls/{number}/history",
        "queue of the demo": f"{demo}/queue",
        "queue, 1,000 in 50 queues": f"/v1/repos/{_CROWDED}/queue",
        "sources": f"{demo}/sources",
        **{
            f"badge {name}": f"{demo}/badges/{name}.svg"
            for name in ("total_queue_time", "queue_size", "failure_rate")
        },
    }


def _state_beside_history(client: Client, rounds: int) -> Table:
    demo = f"/v1/repos/{_DEMO}"
    changes = count(1)
    waiting = _change(client, changes, _DEMO)
    stays = msgspec.json.decode(client.get(f"{demo}/stays?limit=1000&order=-at"))["stays"]
    merged, removed = (
        next(stay["pull_request"] for stay in stays if (stay["reason"] == "PR_MERGED") is is_merged)
        for is_merged in (True, False)
    )
    table = Table("state", "CPU ms", "history CPU ms", "ratio", "bytes")
    for label, number in (("in the queue", waiting), ("merged", merged), ("removed", removed)):
        table.add_row(label, *_compared(client, f"{demo}/pulls/{number}", rounds))
    for label, repository, number in (
        ("in the queue, after a change", _DEMO, waiting),
        ("one of 1,000 in 50 queues, after a change", _CROWDED, 1),
    ):
        change = partial(_change, client, changes, repository)
        table.add_row(label, *_compared(client, f"/v1/repos/{repository}/pulls/{number}", rounds, change))
    return table


def _change(client: Client, changes: Iterator[int], repository: str) -> int:
    """Another pull request enters a queue; this is its number."""
    now, number = datetime.now(UTC), 1_000_000 + next(changes)
    one = {
        "id": f"change-{number}",
        "type": "queue_entered",
        "at": now.isoformat(),
        "session_id": f"s{number}",
    }
    body = [{**one, "pull_request": number, "base_ref": "other", "queue_name": "other"}]
    client.post(f"/v1/repos/{repository}/events", msgspec.json.encode(body))
    return number


def _compared(
    client: Client, pull: str, rounds: int, change: Callable[[], object] = lambda: None
) -> list[str]:
    state, history, size = _Best(), _Best(), 0
    for _ in range(rounds):
        change()
        with state:
            size = len(client.get(f"{pull}/state"))
        change()
        with history:
            client.get(f"{pull}/history")
    ratio = state.cpu_seconds / history.cpu_seconds
    return [
        f"{state.cpu_seconds * 1000:.1f}",
        f"{history.cpu_seconds * 1000:.1f}",
        f"{ratio:.2f}",
        str(size),
    ]


def _measured(client: Client, path: str, rounds: int) -> list[str]:
    answers, statements, size = _Best(), _Best(), 0
    for _ in range(rounds):
        _noted.clear()
        with answers:
            size = len(client.get(path))
        transactions = list(_noted)
        with statements:
            for transaction in transactions:
                _run(client, transaction)
    count = sum(len(transaction.statements) for transaction in transactions)
    return [
        str(count),
        f"{statements.seconds * 1000:.1f}",
        f"{answers.seconds * 1000:.1f}",
        f"{answers.seconds / statements.seconds:.2f}",
        f"{statements.cpu_seconds * 1000:.1f}",
        f"{answers.cpu_seconds * 1000:.1f}",
        f"{answers.cpu_seconds / statements.cpu_seconds:.2f}",
        str(size),
    ]


class _Best:
    """The shortest of several runs."""

    def __init__(self) -> None:
        self.seconds = self.cpu_seconds = float("inf")

    def __enter__(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        begun, cpu_begun = self._begun
        self.seconds = min(self.seconds, time.perf_counter() - begun)
        self.cpu_seconds = min(self.cpu_seconds, time.process_time() - cpu_begun)


def _run(client: Client, transaction: _Transaction) -> None:
    with client.connection() as connection:
        for statement, parameters in transaction.statements:
            fetch(connection, sql(statement, "sqlite"), parameters)


def _first_event(client: Client, rounds: int) -> float:
    """A stream begins with the version that the store has in memory."""
    seconds = []
    for _ in range(rounds):
        connection = http.client.HTTPConnection(client.server.url.removeprefix("http://"), timeout=10)
        begun = time.perf_counter()
        connection.request("GET", f"/v1/repos/{_DEMO}/live", headers={"Authorization": f"Bearer {TOKEN}"})
        assert connection.getresponse().readline() == b"event: version\n"
        seconds.append(time.perf_counter() - begun)
        connection.close()
    return min(seconds)


def _instant(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")


if __name__ == "__main__":
    main()
