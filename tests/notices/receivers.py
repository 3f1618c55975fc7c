"""A server with a clock that tests set, and receivers of its notices on the same machine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from builders import entered, left
from live_server import LiveServer, live_server
from local_http import Asked, LocalServer, Reply
from mergecast.queues.model.instant import MINUTE, SECOND, format_instant
from mergecast.signals.notices.delivery import NoticeSettings
from mergecast.signals.notices.posting import Limits
from waiting import MOST_SECONDS

CHANNELS = "/v1/repos/acme/widgets/channels"


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1000 // SECOND * SECOND

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)


class Receiver(LocalServer):
    """Takes everything, and remembers what it got."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        super().__init__(self._reply)

    def _reply(self, _: Asked) -> Reply:
        return self._replies.pop(0) if self._replies else Reply(200, b"ok")

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")


@contextmanager
def serving(folder: Path, clock: Clock, *receivers: LocalServer, **settings: Any) -> Iterator[LiveServer]:
    hosts = frozenset(receiver.url.removeprefix("http://") for receiver in receivers)
    own = {name: settings.pop(name) for name in ("database_url",) if name in settings}
    notices = NoticeSettings(**{"hosts": hosts, "limits": Limits(seconds=MOST_SECONDS), **settings})
    with live_server(folder, now=clock, notices=notices, **own) as server:
        yield server


def make_channel(server: LiveServer, path: str = CHANNELS, **channel: Any) -> Any:
    answer = server.http.post(path, json=channel)
    assert answer.status_code == 201, answer.text
    return answer.json()


def listed(server: LiveServer, path: str = CHANNELS) -> list[Any]:
    found: list[Any] = server.http.get(path).json()["channels"]
    return found


def remove_pull_request(
    server: LiveServer,
    clock: Clock,
    number: int,
    reason: str = "CHECKS_FAILED",
    repository: str = "acme/widgets",
) -> None:
    """A pull request that was in the queue for 20 minutes leaves it now."""
    name = f"session-{number}-{clock.now}"
    events = [
        entered(format_instant(clock.now - 20 * MINUTE), name, number),
        left(format_instant(clock.now), name, number, reason=reason),
    ]
    answer = server.send(events, repository)
    assert answer.status_code == 200, answer.text
