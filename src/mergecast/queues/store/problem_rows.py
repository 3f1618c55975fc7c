"""The tables of problems of queues. A row type is the only list of a table's columns."""

from typing import NamedTuple


class QueueProblemRow(NamedTuple):
    """A problem of a queue; the document has what describes it, in JSON."""

    repository_id: int
    found_at: int
    base_ref: str
    queue_name: str
    name: str
    since: int
    ended_at: int | None
    document: str


class ThresholdRow(NamedTuple):
    repository_id: int
    base_ref: str
    queue_name: str
    name: str
    millionths: int


class LookedBackRow(NamedTuple):
    repository_id: int
    until: int
