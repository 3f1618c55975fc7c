"""Mergecast shows teams what their merge queues do."""

__version__ = "0.1.0"
