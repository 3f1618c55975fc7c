"""The embedded store: one SQLite file that one process owns.

`writer.py` runs all changes in one thread, and `readers.py` runs queries in a few others.
"""
