"""The store: the only package with SQL and database drivers. `store.py` is its interface."""
