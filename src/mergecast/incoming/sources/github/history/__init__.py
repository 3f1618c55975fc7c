"""Reads the history of GitHub's merge queues through its APIs; `pages.py` is the interface."""
