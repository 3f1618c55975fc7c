"""Reads what platforms report about their queues, and translates it into the six event types.

Each source has a package that exports `SOURCE` (`source.py` says what it consists of); `registry.py` lists
them. Only `history` in such a package uses the network, through `platform`. Everything else in it is pure:
it observes what a delivery says, and translates the observations of a thread into events. Nothing here
stores anything; `intake` does.
"""
