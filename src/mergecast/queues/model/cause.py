"""What a notice can be about, with what its message needs."""

from typing import NamedTuple

from mergecast.queues.model.instant import HOUR

BEGIN = "begin"
END = "end"
ONCE = "once"
CORRECTION = "correction"  # of what was said about a removal

LONGEST_AGE = HOUR  # older causes, such as those of an import, never become a notice

CauseName = tuple[str, str, str]  # kind, key and phase


class Cause(NamedTuple):
    """Something that happened in a repository and may become a notice.

    A cause with the same kind, key and phase is stored once per repository. Alerts begin and end: both
    causes have the same key, the id of the alert.
    """

    kind: str  # one of those in `notification.py`
    key: str
    phase: str
    happened_at: int
    base_ref: str | None
    queue_name: str | None
    document: str  # what the message needs, in JSON

    @property
    def name(self) -> CauseName:
        return self.kind, self.key, self.phase
