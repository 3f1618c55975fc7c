"""Reads the history of GitLab's merge trains through its API; `pages.py` is the interface."""
