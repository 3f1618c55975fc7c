"""Infers what a queue's history does not show: lengths of stopped runs, broken pull requests, departures."""
