"""Errors that end a command."""

from mergecast.errors import MergecastError


class WrongUsage(MergecastError):
    """The arguments, options or environment variables make no sense."""


class InvalidFile(MergecastError):
    """A file has invalid content: a configuration document, or events to import."""


class MissingExtra(MergecastError):
    """The command needs an optional part of Mergecast that is not installed."""
