"""Finds out why an installation does not work, and changes nothing.

`observing` looks at the machine, the store, servers and platforms, within limits on time. `judging` is pure:
from what was observed, it says what is right, what is wrong, and what to do. `examination.py` connects them.
"""
