"""Which causes become messages of a channel."""

from dataclasses import dataclass
from typing import Final

REMOVED: Final = "removed"
ALERT: Final = "alert"
DIGEST: Final = "digest"
KINDS: Final = (REMOVED, ALERT, DIGEST)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a channel receives; a message is sent if one of its rules chooses the cause. None means all."""

    what: str  # one of KINDS
    figures: tuple[str, ...] | None = None  # of alerts
    origins: tuple[str, ...] | None = None  # of alerts
    queues: tuple[str, ...] | None = None  # of alerts and removals

    def chooses(
        self, what: str, queue_name: str | None, figure: str | None = None, origin: str | None = None
    ) -> bool:
        return (
            what == self.what
            and (self.queues is None or queue_name is None or queue_name in self.queues)
            and (self.figures is None or figure in self.figures)
            and (self.origins is None or origin in self.origins)
        )
