"""Watches the queues of a store: measures them, and stores when their problems begin and end."""
