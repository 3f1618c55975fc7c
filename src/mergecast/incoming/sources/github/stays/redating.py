"""Other dates for a webhook about an entry or exit, and the webhooks that share its lateness."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import MOST_SKEW
from mergecast.incoming.sources.github.stays.draft import Draft


def as_received(webhook: Observation) -> Observation:
    """The webhook, dated to its reception."""
    return structs.replace(webhook, at=None)


def as_changed(webhook: Observation) -> Observation:
    """The webhook, dated to the last change of its pull request instead of its reception."""
    return structs.replace(webhook, at=webhook.changed_at, changed_at=None)


def dated_before(webhook: Observation, proofs: Iterable[int], draft: Draft) -> Observation:
    """The webhook, dated to the last change of its pull request, or to the first proof that it had entered.

    GitHub does not promise that a pull request changes when it enters a queue. If the last change was long
    ago and the proof was not, the webhook came a little late rather than very late.
    """
    changed_at, received_at = webhook.changed_at or 0, webhook.received_at
    possible = [at for at in (*proofs, *_groups_of(webhook, draft)) if changed_at <= at < received_at]
    first = min(possible, default=changed_at)
    is_a_little_late = received_at - first <= MOST_SKEW < received_at - changed_at
    if webhook.seen is Seen.ENTERED and is_a_little_late:
        return structs.replace(webhook, at=first, changed_at=None)
    return as_changed(webhook)


def _groups_of(webhook: Observation, draft: Draft) -> Iterator[int]:
    """When groups were built that seem to belong to the stay which the webhook begins."""
    for stay in draft.stays:
        if stay.entered_at == webhook.instant:
            yield from (group.built_at for group in stay.groups)


def with_later_exits(late: Sequence[Observation], undated: Sequence[Observation]) -> list[Observation]:
    """Late webhooks, and exits that happened after a late entry but before the entry was received.

    In the order of the last changes: the exit was reported after the entry, so it is late, too.
    """
    entries, found = [webhook for webhook in late if webhook.seen is Seen.ENTERED], set(late)
    return [
        webhook
        for webhook in undated
        if webhook in found
        or (
            webhook.seen is Seen.LEFT
            and any(
                (entry.changed_at or 0) < (webhook.changed_at or 0) < entry.received_at for entry in entries
            )
        )
    ]
