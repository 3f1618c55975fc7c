"""Replays of a queue's history under other settings."""
