"""Watches the queues of a store: measures them, and stores when alerts begin and end."""
