"""Stores the deliveries of sources and translates them into events; follows sources in a server.

`intake.py` is the interface. `translate.py` replaces the events of pull requests about which something
arrived, and of those that depend on them; `follower.py` runs imports in a server.
"""
