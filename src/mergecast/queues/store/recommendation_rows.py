"""The table of recommendations. A row type is the only list of a table's columns."""

from typing import NamedTuple


class RecommendationRow(NamedTuple):
    """What was recommended for a base branch last; the document is in JSON."""

    repository_id: int
    base_ref: str
    computed_at: int
    settings_version: str  # which settings it is about
    document: str
