"""The table of targets. A row type is the only list of a table's columns."""

from typing import NamedTuple


class TargetsRow(NamedTuple):
    """The document has all targets of a repository, in JSON."""

    repository_id: int
    document: str
