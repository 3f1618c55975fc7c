"""Webhooks whose reception this server dates too late, because its clock is fast."""

from collections.abc import Sequence

from msgspec import structs

from mergecast.model.instant import MINUTE, SECOND
from mergecast.sources.github.observation import Observation, Seen

# A change that GitHub dates this long before the reception of a webhook is what the webhook reports.
AT_ONCE = MINUTE
# A clock is not faster or slower than this; a webhook can be later.
MOST_SKEW = 10 * MINUTE
# Some webhook of a pull request normally arrives earlier than this.
_USUAL = 10 * SECOND

_DATED = frozenset({Seen.ENTERED, Seen.LEFT, Seen.CLOSED, Seen.GROUP_BUILT})


def by_the_clock_of_github(seen: Sequence[Observation]) -> Sequence[Observation]:
    """The observations of one pull request, received earlier if all webhooks with a date seem to be late."""
    delays = [
        one.received_at - one.at
        for one in seen
        if one.at is not None and one.seen in _DATED and not one.is_from_timeline
    ]
    delay = min(delays, default=0)
    if not _USUAL < delay <= MOST_SKEW:
        return seen
    return [_earlier(one, delay) for one in seen]


def _earlier(one: Observation, delay: int) -> Observation:
    received_at, changed_at = one.received_at - delay, one.changed_at
    if changed_at is None or received_at - changed_at > AT_ONCE:
        return structs.replace(one, received_at=received_at)
    return structs.replace(one, received_at=received_at, at=changed_at, changed_at=None)
