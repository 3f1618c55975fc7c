"""Infers what a queue's history does not show: lengths of stopped runs, broken pull requests, departures.

`estimate.py` fits all of it for one train. `tables.py` samples one replicate from the estimates, and
`oracle.py` answers from that replicate whatever a replay asks.
"""
