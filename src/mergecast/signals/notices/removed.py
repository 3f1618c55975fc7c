"""What is known about pull requests that were removed, read when their notice is due."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from mergecast.queues.model.exit_words import in_words
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.seconds import in_seconds
from mergecast.queues.store.cause_rows import PendingCause
from mergecast.queues.store.failed_checks import failed_checks_of_stays
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import NOT_REMOVED, Removal
from mergecast.signals.detection.queue_history import FAILED_REASONS
from mergecast.signals.notices.notice import RemovedPull


def read_removed(
    reader: Reader, repository_id: int, causes: Sequence[PendingCause]
) -> dict[str, RemovedPull]:
    """The pull requests by the keys of the causes, without those that were merged after all."""
    removals = {cause.key: msgspec.json.decode(cause.document, type=Removal) for cause in causes}
    stays = [removal.stay for removal in removals.values()]
    ended = {row[0]: row[1:] for row in reader.rows("removed_stays", [repository_id, stays])}
    failing = [stay for stay, (*_, reason, _) in ended.items() if reason in FAILED_REASONS]
    checks = failed_checks_of_stays(reader, repository_id, failing)
    numbers = sorted({removal.pull_request for removal in removals.values()})
    notes = {row[1]: row[2:5] for row in reader.rows("pull_requests", [repository_id, numbers])}
    groups = reader.groups(repository_id)
    found = {}
    for key, removal in removals.items():
        _, _, left_at, group, reason, queue_time = ended.get(removal.stay, (None,) * 6)
        if left_at is None or group is None or reason in NOT_REMOVED:
            continue
        title, author, url = notes.get(removal.pull_request, (None, None, None))
        found[key] = RemovedPull(
            number=removal.pull_request,
            title=title or None,
            author=author or None,
            url=url or None,
            base_ref=groups[group].base_ref,
            queue_name=groups[group].queue_name,
            reason=reason,
            explanation=in_words(reason),
            failed_check=checks.get(removal.stay),
            seconds_in_queue=None if queue_time is None else in_seconds(queue_time),
            earlier_removals=_earlier(reader, repository_id, removal.pull_request, left_at),
            left_at=format_instant(left_at),
        )
    return found


def _earlier(reader: Reader, repository_id: int, number: int, left_at: int) -> int:
    """How often the pull request was removed before."""
    exits = reader.rows("last_exits", [repository_id, [number], left_at - 1])
    counts = Counter(reason not in NOT_REMOVED for _, reason in exits)
    return counts[True]
