"""Reads the comments of a bors-ng queue from GitHub; `pages.py` is the interface."""
