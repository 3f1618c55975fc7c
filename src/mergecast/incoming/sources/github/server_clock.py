"""Webhooks whose reception this server dates too early or too late, because its clock is wrong."""

from collections.abc import Sequence

from msgspec import structs

from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.queues.model.instant import MINUTE, SECOND

# A change that GitHub dates this long before the reception of a webhook is what the webhook reports.
AT_ONCE = MINUTE
# A clock is not faster or slower than this; a webhook can be later.
MOST_SKEW = 10 * MINUTE
# The first webhook of a pull request normally arrives within this.
_USUAL = 10 * SECOND

_DATED = frozenset({Seen.ENTERED, Seen.LEFT, Seen.CLOSED, Seen.GROUP_BUILT})


def with_server_clock_corrected(observations: Sequence[Observation]) -> Sequence[Observation]:
    """The observations of one pull request, received as if the clock of this server were right.

    It is fast if all webhooks with a date seem to be late, and slow if all seem to be received before what
    they report.
    """
    delays = [
        webhook.received_at - webhook.at
        for webhook in observations
        if webhook.at is not None and webhook.seen in _DATED and not webhook.is_from_timeline
    ]
    delay, longest = min(delays, default=0), max(delays, default=0)
    is_wrong = _USUAL < delay <= MOST_SKEW or -MOST_SKEW <= delay <= longest < -_USUAL
    return [_corrected(report, delay) for report in observations] if is_wrong else observations


def _corrected(report: Observation, delay: int) -> Observation:
    received_at, changed_at = report.received_at - delay, report.changed_at
    if changed_at is None or received_at - changed_at > AT_ONCE:
        return structs.replace(report, received_at=received_at)
    return structs.replace(report, received_at=received_at, at=changed_at, changed_at=None)
