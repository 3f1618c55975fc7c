"""What came of one attempt to send a message."""

from typing import NamedTuple

GONE = (404, 410)


class Outcome(NamedTuple):
    is_sent: bool
    is_final: bool  # no further attempt could succeed
    detail: str
    status: int | None = None
    retry_seconds: float | None = None  # what the receiver asked for

    @property
    def pauses_channel(self) -> bool:
        return self.status in GONE


def sent(detail: str, status: int | None = None) -> Outcome:
    return Outcome(is_sent=True, is_final=True, detail=detail, status=status)


def failed(detail: str, status: int | None = None, retry_seconds: float | None = None) -> Outcome:
    """It may work later."""
    return Outcome(False, False, detail, status, retry_seconds)


def given_up(detail: str, status: int | None = None) -> Outcome:
    return Outcome(is_sent=False, is_final=True, detail=detail, status=status)
