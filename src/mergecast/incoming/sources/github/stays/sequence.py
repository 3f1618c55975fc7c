"""Turns observations of one pull request in one queue into stays: each entered once, left at most once.

GitHub's webhooks can be late, lost, repeated and out of order, and those about entries and exits have no date
of their own. Steps correct what contradicts itself, in this order; the docstring of each says what it assumes
and what would be wrong without it.
"""

from collections.abc import Callable, Sequence

from mergecast.incoming.sources.github.groups import MergeGroup
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay, Reports, drafted
from mergecast.incoming.sources.github.stays.first_dates import dated_with_redelivered, without_borrowed_dates
from mergecast.incoming.sources.github.stays.late_entries import (
    entered_before_first_group,
    entered_before_proof,
    entered_before_proof_by_another_clock,
)
from mergecast.incoming.sources.github.stays.late_webhooks import (
    left_before_closing,
    left_before_next_entry,
    outdated_at_reception,
    reported_elsewhere,
)
from mergecast.incoming.sources.github.stays.unreported import ended_unreported, entered_unreported

# Each is applied once, to all observations except checks.
FIRST_DATES: tuple[Callable[[Sequence[Observation]], Sequence[Observation]], ...] = (
    without_borrowed_dates,
    dated_with_redelivered,
)
# The first that finds something to correct is applied, and the stays are drafted again: with other dates,
# other webhooks may be contradictory. The surest come first.
CORRECTIONS: tuple[Callable[[Draft], Reports | None], ...] = (
    reported_elsewhere,
    outdated_at_reception,
    entered_before_proof,
    entered_before_proof_by_another_clock,
    left_before_closing,
    left_before_next_entry,
    entered_unreported,
)
# Each is applied once, to the last draft.
COMPLETION: tuple[Callable[[Draft], Draft], ...] = (entered_before_first_group, ended_unreported)

# Each correction takes another pass over all reports of a pull request, which may be hostile.
_MOST_CORRECTIONS = 20


def github_stays(observations: Sequence[Observation], groups: Sequence[MergeGroup]) -> list[GitHubStay]:
    """The stays of one pull request, whatever the order of the observations.

    Stays of which only the exit was seen come first, then the others, oldest first.
    """
    # Most observations are checks, which are part of the groups.
    dated: Sequence[Observation] = [report for report in observations if report.seen is not Seen.CHECK]
    for step in FIRST_DATES:
        dated = step(dated)
    draft = _corrected(Reports(dated), groups)
    for complete in COMPLETION:
        draft = complete(draft)
    only_left = [GitHubStay(None, exit, ()) for exit in draft.exits_without_entry]
    return [*only_left, *draft.stays]


def _corrected(reports: Reports, groups: Sequence[MergeGroup]) -> Draft:
    draft = drafted(reports, groups)
    for _ in range(_MOST_CORRECTIONS):
        corrected = _first_correction(draft)
        if corrected is None:
            break
        draft = drafted(corrected, groups)
    return draft


def _first_correction(draft: Draft) -> Reports | None:
    for correct in CORRECTIONS:
        corrected = correct(draft)
        if corrected is not None:
            return corrected
    return None
