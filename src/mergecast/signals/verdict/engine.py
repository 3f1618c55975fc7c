"""The state of one queue, from which removals are judged."""

from typing import Final

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.verdict import Verdict
from mergecast.signals.verdict.happenings import Happening

REVISED_FOR: Final = 10 * MINUTE  # a verdict looks at nothing that happened later than this after the removal
WAITS_FOR: Final = DAY  # "wait" may become "queue again" for this long


class Engine:
    """Everything that verdicts need of what happened before `at`; at most 1 MB when it is dumped.

    Happenings are applied in their order. One that happened at or before `at` cannot be added: load an
    earlier dump and replay.
    """

    at: int | None  # the instant of the last happening or `advance`

    def apply(self, happening: Happening) -> list[tuple[str, Verdict]]:
        """Add what happened. Returns sessions whose verdicts cannot change any more, with these verdicts."""
        raise NotImplementedError

    def advance(self, at: int) -> list[tuple[str, Verdict]]:
        """Let time pass without a happening; returns the same as `apply`."""
        raise NotImplementedError

    @property
    def open_removals(self) -> tuple[str, ...]:
        """The sessions whose verdicts may still change, oldest removal first."""
        raise NotImplementedError

    def judge(self, session_id: str) -> Verdict | None:
        """The verdict about an open removal from what is known now; None if it is not open."""
        raise NotImplementedError

    def dump(self) -> bytes:
        """The whole state; `Engine.load(engine.dump())` continues exactly like `engine`."""
        raise NotImplementedError

    @classmethod
    def load(cls, state: bytes) -> "Engine":
        raise NotImplementedError
