"""How much CPU time do answers take when the C library keeps more freed memory for each thread?

    .venv/bin/python benchmarks/allocation.py [ANSWERS]

A child process answers all statistics of one day of the demo again and again, without a server: with the
settings of the C library itself, and with those of our container. Both alternate, and the median of three
rounds counts. Freed memory that no thread keeps is scattered in the course of time, and finding a piece of it
takes longer and longer; so the first and the last tenth of the answers are shown, too.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory

import msgspec

from mergecast.demo.history import demo_events
from mergecast.incoming.intake.event_bodies import read_json
from mergecast.queues.model.instant import DAY, Window, grid_for, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.reader import Reader

_ROUNDS = 3
_ANSWERS = 5_400
_KEPT = {"usual": 7, "container": 1_000}  # freed pieces of each size
_IN_CHILD = "in-child"
_MONDAY = date(2026, 3, 2)
_START = parse_instant("2026-03-02T00:00:00Z")


def main() -> None:
    if sys.argv[-1] == _IN_CHILD:
        asyncio.run(_answer(int(sys.argv[1])))
        return
    answers = int(sys.argv[1]) if len(sys.argv) > 1 else _ANSWERS
    found = {label: [] for label in _KEPT}  # type: dict[str, list[list[float]]]
    for _ in range(_ROUNDS):
        for label, kept in _KEPT.items():
            found[label].append(_measured(answers, kept))
    for label, rounds in found.items():
        first, last, whole, memory = (statistics.median(one) for one in zip(*rounds, strict=True))
        print(
            f"{label:10} {first:6.2f} ms at first {last:6.2f} ms at the end "
            f"{whole:6.2f} ms on average, {memory:.0f} MiB at most"
        )


def _measured(answers: int, kept: int) -> list[float]:
    command = [sys.executable, __file__, str(answers), _IN_CHILD]
    environment = {**os.environ, "GLIBC_TUNABLES": f"glibc.malloc.tcache_count={kept}"}
    child = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    return [float(number) for number in child.stdout.split()]


async def _answer(answers: int) -> None:
    """Print the CPU milliseconds of an answer: of the first tenth, the last tenth and all; and the memory."""
    name = Repository("acme", "widgets")
    events = demo_events(_MONDAY, datetime.combine(_MONDAY, datetime.min.time(), UTC) + timedelta(days=1))
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        await store.record(name, read_json(msgspec.json.encode(list(events)), time.time_ns() // 1000))
        known = await store.repository(name)
        assert known is not None
        window = Window(_START, _START + DAY)

        def work(reader: Reader) -> None:
            question = Question(known.id, window, window, grid_for(window), reader.groups(known.id))
            for statistic in STATISTICS.values():
                statistic.answer(reader, question)

        spent = []
        for _ in range(answers // len(STATISTICS)):
            before = time.process_time()
            await store.read(known.id, work)
            spent.append(1000 * (time.process_time() - before) / len(STATISTICS))
        store.close()
    tenth = len(spent) // 10
    parts = (spent[:tenth], spent[-tenth:], spent)
    print(*map(statistics.mean, parts), getrusage(RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main()
