"""The table of causes of notices. The row type is the only list of its columns."""

from typing import NamedTuple


class CauseRow(NamedTuple):
    """A cause, when it was stored, when it is due, and when it was sent on or dropped."""

    repository_id: int
    kind: str
    key: str
    phase: str
    happened_at: int
    base_ref: str | None
    queue_name: str | None
    document: str
    stored_at: int
    due_at: int
    done_at: int | None


class PendingCause(NamedTuple):
    """A cause that was not sent on yet, or recently."""

    kind: str
    key: str
    phase: str
    happened_at: int
    base_ref: str | None
    queue_name: str | None
    document: str
    stored_at: int
    due_at: int
    done_at: int | None

    @property
    def name(self) -> tuple[str, str, str]:
        return self.kind, self.key, self.phase
