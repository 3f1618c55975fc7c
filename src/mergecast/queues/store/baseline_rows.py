"""The tables of baselines and alerts. A row type is the only list of a table's columns."""

from typing import NamedTuple


class BaselineRow(NamedTuple):
    """A baseline; documents are in JSON."""

    repository_id: int
    name: str
    document: str
    hours: str  # what was pinned
    compared_at: int | None  # the hour up to which it was last compared
    comparison: str | None


class AlertRow(NamedTuple):
    repository_id: int
    id: str
    baseline: str
    began_at: int
    ended_at: int | None
    document: str
