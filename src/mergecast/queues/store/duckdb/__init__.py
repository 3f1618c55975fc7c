"""The embedded store: one DuckDB file that one process owns.

`writer.py` runs all changes in one thread, `readers.py` runs queries, and `buckets.py` decides where rows
are stored.
"""
