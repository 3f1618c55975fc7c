"""Steps that find entries which must be earlier than the reception of their webhooks."""

from collections.abc import Collection, Iterable

from msgspec import structs

from mergecast.incoming.sources.github.groups import SKEW
from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.server_clock import MOST_SKEW
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay, Reports
from mergecast.incoming.sources.github.stays.redating import as_changed, with_later_exits


def entered_before_proof(draft: Draft) -> Reports | None:
    """Date the newest entry that came after proof that the pull request had entered.

    Assumes that a pull request is queued when it leaves or a group is built for it, and enters no queue after
    it was closed. Only the first group without a stay is a proof, because the entry that explains it may
    explain the others. Exits that were reported before this entry are late, too.

    Without this step, the next one would find an entry. It would prefer a later entry that explains the proof
    only if clocks differ, and a group would count for the wrong stay.
    """
    return _entered_before_proof(draft, skew=0)


def entered_before_proof_by_another_clock(draft: Draft) -> Reports | None:
    """The same, with proofs that are up to a minute earlier than the last change.

    Assumes that the clocks of GitHub's hosts differ: the commit of a group can seem older than the entry.

    Without this step, such a group would begin a stay of its own, and the entry another one when its webhook
    came.
    """
    return _entered_before_proof(draft, skew=SKEW)


def _entered_before_proof(draft: Draft, *, skew: int) -> Reports | None:
    entries = [webhook for webhook in draft.undated if webhook.seen is Seen.ENTERED]
    if not entries:
        return None
    proofs = [
        *draft.reports.closings,
        *(exit.at for exit in draft.exits_without_entry),
        *(group.built_at for group in draft.groups_without_stay[:1]),
    ]
    late = [
        entry
        for entry in entries
        if any((entry.changed_at or 0) - skew <= proof < entry.received_at for proof in proofs)
    ]
    if not late:
        return None
    return draft.reports.redated(
        {webhook: _before_first(webhook, proofs) for webhook in with_later_exits(late[-1:], draft.undated)}
    )


def _before_first(webhook: Observation, proofs: Iterable[int]) -> Observation:
    """The webhook, dated to the last change of its pull request, or to the first proof that it had entered.

    GitHub does not promise that a pull request changes when it enters a queue. If the last change was long
    ago and the proof was not, the webhook came a little late rather than very late.
    """
    changed_at, received_at = webhook.changed_at or 0, webhook.received_at
    first = min((at for at in proofs if changed_at <= at < received_at), default=changed_at)
    is_a_little_late = received_at - first <= MOST_SKEW < received_at - changed_at
    if webhook.seen is Seen.ENTERED and is_a_little_late:
        return structs.replace(webhook, at=first, changed_at=None)
    return as_changed(webhook)


def entered_before_first_group(draft: Draft) -> Draft:
    """Let a stay begin when its first group was built, if the webhook of its entry was received later.

    Assumes that a pull request enters before GitHub builds a group for it, and that commits are dated.

    Without this step, the first tests of a stay would begin before the stay itself.
    """
    received = {
        report.instant
        for report in draft.reports.observations
        if report.seen is Seen.ENTERED and report.at is None
    }
    return draft._replace(stays=[_entered_before_group(stay, received) for stay in draft.stays])


def _entered_before_group(stay: GitHubStay, received: Collection[int]) -> GitHubStay:
    entered_at = stay.entered_at
    if entered_at is None or entered_at not in received or not stay.groups:
        return stay
    return stay._replace(entered_at=min(entered_at, stay.groups[0].built_at))
