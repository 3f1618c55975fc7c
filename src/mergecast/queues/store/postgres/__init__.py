"""The store in PostgreSQL: any number of servers share one database.

`writer.py` runs changes, each on a repository that `held.py` has locked; `readers.py` runs queries.
"""
