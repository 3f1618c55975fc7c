"""What we raise on purpose, and what each kind means to the caller."""

from dataclasses import dataclass


class MergecastError(Exception):
    """Something expected went wrong; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the input: where it is and what would be right."""

    place: str  # path, query, header or body
    name: str  # the parameter, or a JSON pointer into the body
    message: str


class InvalidInput(MergecastError):
    """The input breaks a rule; all its faults are reported together."""

    def __init__(self, faults: list[Fault], *, more: int = 0) -> None:
        super().__init__("; ".join(f"{fault.name}: {fault.message}" for fault in faults))
        self.faults = faults
        self.more = more


class NotFound(MergecastError):
    """What was asked for is not known here."""


class Conflict(MergecastError):
    """The state of the thing asked for is in the way."""

    def __init__(self, faults: list[Fault], *, more: int = 0) -> None:
        super().__init__("; ".join(f"{fault.name}: {fault.message}" for fault in faults))
        self.faults = faults
        self.more = more


class Unavailable(MergecastError):
    """The store cannot do this now; the same request may succeed later."""
