"""Other dates for a webhook about an entry or exit, and the webhooks that share its lateness."""

from collections.abc import Sequence

from msgspec import structs

from mergecast.incoming.sources.github.observation import Observation, Seen


def as_received(webhook: Observation) -> Observation:
    """The webhook, dated to its reception."""
    return structs.replace(webhook, at=None)


def as_changed(webhook: Observation) -> Observation:
    """The webhook, dated to the last change of its pull request instead of its reception."""
    return structs.replace(webhook, at=webhook.changed_at, changed_at=None)


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
