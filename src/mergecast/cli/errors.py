"""What ends a command, besides success."""

from mergecast.errors import MergecastError


class WrongUsage(MergecastError):
    """The command was called in a way that makes no sense."""


class InvalidDocument(MergecastError):
    """The answer is that a configuration document is invalid."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(
            f"{name} is invalid: {reason}" if "\n" not in reason else f"{name} is invalid:\n{reason}"
        )
