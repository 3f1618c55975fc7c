"""Merge queues as data: events and facts, the database that keeps them, and the statistics it answers."""
