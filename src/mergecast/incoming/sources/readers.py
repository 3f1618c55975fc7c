"""How each source is read: its history, and its current queues if it shows them."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mergecast.incoming.platform.patient import PatientApi
from mergecast.incoming.sources.activity_log import history as activity_log
from mergecast.incoming.sources.github.history import pages as github
from mergecast.incoming.sources.github.history.position import joined
from mergecast.incoming.sources.gitlab.history import pages as gitlab
from mergecast.incoming.sources.page import (
    Absence,
    Identity,
    Item,
    Join,
    Page,
    Part,
    Place,
    Queued,
    earlier_position,
)
from mergecast.queues.model.window import Window

GITHUB, ACTIVITY_LOG, GITLAB = "github", "activity-log", "gitlab"


class QueueReader(NamedTuple):
    """Reads the current queues, and reports pull requests that have disappeared from them."""

    queued: Callable[[PatientApi, str, str, Iterable[str]], Awaitable[Queued]]
    read_one_by_one: Callable[[PatientApi, str, str, Iterable[Place], Window], Awaitable[list[Item]]]
    absent_item: Callable[[Absence], Item]


class Reader(NamedTuple):
    history: Callable[[PatientApi, str, str, Part], AsyncGenerator[Page]]
    join: Join = earlier_position
    queue: QueueReader | None = None
    identity: Callable[[PatientApi, str, str], Awaitable[Identity | None]] | None = None


READERS: Mapping[str, Reader] = {
    GITHUB: Reader(
        github.history,
        joined,
        QueueReader(github.queued, github.read_one_by_one, github.absent_item),
        github.identity,
    ),
    ACTIVITY_LOG: Reader(activity_log.history),
    GITLAB: Reader(
        gitlab.history, queue=QueueReader(gitlab.queued, gitlab.read_one_by_one, gitlab.absent_item)
    ),
}


@dataclass(frozen=True, slots=True)
class Origin:
    """One repository at a source."""

    source: str
    api: PatientApi
    url: str
    repository: str  # as the source calls it

    def pages(self, part: Part) -> AsyncGenerator[Page]:
        """What is left to read of a part."""
        return READERS[self.source].history(self.api, self.url, self.repository, part)

    @property
    def join(self) -> Join:
        return READERS[self.source].join

    @property
    def queue(self) -> QueueReader | None:
        return READERS[self.source].queue

    async def identity(self) -> Identity | None:
        """What identifies the repository, if the source says it."""
        read = READERS[self.source].identity
        return None if read is None else await read(self.api, self.url, self.repository)
