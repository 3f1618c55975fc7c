"""Mergecast tells a team what its merge queues do."""

__version__ = "0.1.0"
