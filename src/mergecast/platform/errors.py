"""What can go wrong between us and the platform."""

from mergecast.errors import MergecastError, Unavailable


class NoAnswer(MergecastError):
    """Nothing came back in time, or more than was asked for."""


class PlatformDown(Unavailable):
    """The platform cannot say now what a token may do."""
