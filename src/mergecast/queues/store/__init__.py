"""The store: the only package with SQL and database drivers. `store.py` is its interface.

Changes to a repository are written once for both databases: `record.py` stores events, `receive.py`
deliveries, `changes.py` the rest. They use `held_repository.py`, which `duckdb/` and `postgres/`
implement.
"""
