"""Repositories for one example, and questions whose answers do not depend on the current time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from live_server import LiveServer
from property.histories import ORIGINS
from property.oracle import STATISTICS
from property.oracle_numbers import DAY, Asked
from property.questions import YEAR, History, ask

NewRepository = Callable[[], str]

NDJSON = {"Content-Type": "application/x-ndjson"}
LAST = ORIGINS[1] + YEAR


@contextmanager
def two_repositories(server: LiveServer, new_repository: NewRepository) -> Iterator[tuple[str, str]]:
    """Two repositories that are deleted at the end, so that a rebuild is short."""
    names = new_repository(), new_repository()
    try:
        yield names
    finally:
        for name in names:
            server.http.delete(f"/v1/repos/{name}")


def past_questions(history: History) -> list[Asked]:
    """A question about all events, and the generated one, limited to the past."""
    whole = Asked(0, LAST, at=history.scene.instants[0] + 3 * DAY)
    return [whole, replace(history.asked, end=min(history.asked.end, LAST))]


def etags(server: LiveServer, repository: str, questions: list[Asked]) -> list[str]:
    return [
        ask(server, repository, name, asked).headers["ETag"] for name in STATISTICS for asked in questions
    ]


def exported(server: LiveServer, repository: str) -> bytes:
    return server.http.get(f"/v1/repos/{repository}/events").content
