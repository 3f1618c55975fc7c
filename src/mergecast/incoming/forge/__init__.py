"""Reads everything known about a pull request at one instant from the code-hosting platform.

`live.py` is the interface. `part_readers.py` has one method per part of a snapshot, and `session.py`
calls the platform.
"""
