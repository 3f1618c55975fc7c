"""The values that all packages share: events, facts, instants, windows, snapshots; standard library only.

`facts.py` derives facts from events; `recorded.py` reads a snapshot from the platform's answers.
"""
