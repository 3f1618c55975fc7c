"""Steps that find entries which must be earlier than the reception of their webhooks."""

from mergecast.incoming.sources.github.groups import SKEW
from mergecast.incoming.sources.github.observation import Seen
from mergecast.incoming.sources.github.stays.draft import Draft, GitHubStay, Reports
from mergecast.incoming.sources.github.stays.redating import dated_before, with_later_exits


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
    together = with_later_exits(late[-1:], draft.undated)
    return draft.reports.redated({webhook: dated_before(webhook, proofs, draft) for webhook in together})


def entered_before_first_group(draft: Draft) -> Draft:
    """Let a stay begin when its first group was built, if its entry has a later date.

    Assumes that a pull request enters before GitHub builds a group for it, and that commits are dated. The
    entry may be dated to a reception, to a proof such as the merge, or by the clock of another host.

    Without this step, the first tests of a stay would begin before the stay itself.
    """
    return draft._replace(stays=[_entered_before_group(stay) for stay in draft.stays])


def _entered_before_group(stay: GitHubStay) -> GitHubStay:
    if stay.entered_at is None or not stay.groups:
        return stay
    return stay._replace(entered_at=min(stay.entered_at, stay.groups[0].built_at))
