"""Simulates configuration documents: finds the documents and pull requests that a simulation needs.

`simulation.py` is the interface, and `ports.py` lists what a simulation needs from outside. Only child
processes (`judge`) read documents.
"""
