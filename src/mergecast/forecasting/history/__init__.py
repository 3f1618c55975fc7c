"""Reads the events of one base branch: runs and what they tested, the queue's rules and settings.

`reading.py` turns events into the types of `structure.py`. `inference.py` finds rules and settings with
the detectors in `starting`, `failures`, `occupancy`, `closed_time` and `landing`.
"""
