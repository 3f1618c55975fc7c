"""What ends a command, besides success."""

from mergecast.errors import MergecastError


class WrongUsage(MergecastError):
    """The command was called in a way that makes no sense."""
