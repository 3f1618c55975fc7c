"""A pool of child processes that work within limits on time and memory.

`pool.py` is the interface: it asks children and replaces those that die or exceed a limit. `forking.py` runs
in a child, and `frames.py` is the protocol between the two.
"""
