"""Where a condition stands: some attributes belong to some places only."""

from enum import Enum


class Section(Enum):
    """A kind of condition list."""

    RULES = "rules"  # every condition list of a document but those of command restrictions
    COMMANDS = "commands_restrictions"
    INJECTED = "injected"  # conditions that the service itself adds
