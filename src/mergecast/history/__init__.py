"""Reads the events of one base branch: runs and what they tested, the queue's rules and settings."""
