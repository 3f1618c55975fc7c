"""How long `GET /v1/repos` takes with 500 repositories: `.venv/bin/python benchmarks/repositories.py`."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from builders import entered, left
from live_server import LiveServer, live_server
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant

REPOSITORIES, STAYS = 500, 20
QUESTIONS: list[dict[str, str]] = [
    {},
    {"limit": "50"},
    {"limit": "50", "figures": "true"},
    {"limit": "50", "figures": "true", "order": "-state"},
    {"limit": "500", "figures": "true"},
]


def main() -> None:
    with TemporaryDirectory() as folder, live_server(Path(folder)) as server:
        for number in range(REPOSITORIES):
            _fill(server, f"owner{number % 10}/repository{number}")
        for question in QUESTIONS:
            seconds = min(_ask(server, question) for _ in range(5))
            print(f"{question}: {seconds * 1000:.0f} ms of CPU time")


def _fill(server: LiveServer, repository: str) -> None:
    now, events = now_in_microseconds(), []
    for number in range(1, STAYS + 1):
        at, session = now - number * 8 * HOUR, f"s{number}"
        events += [
            entered(format_instant(at), session, number),
            left(format_instant(at + (10 + number) * MINUTE), session, number),
        ]
    server.send(events, repository).raise_for_status()


def _ask(server: LiveServer, question: dict[str, str]) -> float:
    """CPU time of client and server together."""
    started = time.process_time()
    server.http.get("/v1/repos", params=question).raise_for_status()
    return time.process_time() - started


if __name__ == "__main__":
    main()
