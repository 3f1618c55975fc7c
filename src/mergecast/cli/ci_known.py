"""Says why the figures of a summary about CI are missing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mergecast.client.answers import Figure

_UNKNOWN = "No CI runs were reported for these queues, so figures about CI are not known."


def unknown_ci_text(figures: "Mapping[str, Figure]") -> str | None:
    """The reason, if no source reports CI runs; pull requests merged or left, so there would be figures."""
    has_merges = bool(figures["merged"].value) and figures["ci_runs_per_merge"].value is None
    has_stays = figures["waiting_schedule"].value is not None and figures["waiting_ci"].value is None
    return _UNKNOWN if has_merges or has_stays else None
