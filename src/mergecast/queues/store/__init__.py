"""The store: the only package with SQL and database drivers. `store.py` is its interface.

Changes to a repository are written once for both databases: `add_events.py` stores events,
`add_deliveries.py` stores deliveries, and `changes.py` makes all other changes. They use
`held_repository.py`, which `sqlite/` and `postgres/` implement.
"""
