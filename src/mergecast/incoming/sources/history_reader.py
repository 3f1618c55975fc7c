"""How a source's history is read: from its API, and from saved pages."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

from mergecast.incoming.platform.patient import PatientApi
from mergecast.incoming.sources.page import (
    Absence,
    Identity,
    Item,
    Join,
    Page,
    Part,
    Place,
    Queued,
    WorkflowFiles,
    earlier_position,
)
from mergecast.queues.model.instant import Window

ReadWorkflows = Callable[[PatientApi, str, str, str, str | None], Awaitable[WorkflowFiles | None]]


class QueueReader(NamedTuple):
    """Reads the current queues, and reports pull requests that have disappeared from them.

    The first arguments are the API, its address and the name of the repository there.
    """

    queued: Callable[[PatientApi, str, str, Iterable[str]], Awaitable[Queued]]
    read_one_by_one: Callable[[PatientApi, str, str, Iterable[Place], Window], Awaitable[list[Item]]]
    absent_item: Callable[[Absence], Item]
    # a branch, and the tree of its workflow files that is known → those files, unless they are known
    workflows: ReadWorkflows | None = None


class HistoryReader(NamedTuple):
    """Reads the history of a repository, newest first, and its queues if the platform shows them."""

    # the API, its address, the name of the repository there, what to read of the history → pages
    pages: Callable[[PatientApi, str, str, Part], AsyncGenerator[Page]]
    headers: Callable[[str], Mapping[str, str]]  # a token → the headers of a request
    join: Join = earlier_position
    queue: QueueReader | None = None
    # Only for GitHub: the store keeps one id per repository, and those of two platforms can be equal.
    identity: Callable[[PatientApi, str, str], Awaitable[Identity | None]] | None = None


class SavedPages(NamedTuple):
    """How files with pages of the platform are read."""

    entries: Callable[[object], list[dict[str, Any]]]  # the value of a file → its entries
    item: Callable[[dict[str, Any]], Item]
    repository: Callable[[dict[str, Any]], str | None]  # the repository that an entry is about
