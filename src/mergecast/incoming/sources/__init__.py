"""Reads what platforms report about their queues, and translates it into our six event types.

Each source has a package: `deliveries.py` reads what arrives and translates it, `history.py` reads pages
of the platform. `registry.py` and `readers.py` list the sources; `importer.py` copies their history, and
`following.py` keeps it current.
"""
