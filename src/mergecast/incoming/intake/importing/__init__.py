"""Imports the history of a source and keeps it current, into whatever a `Sink` stores it in.

Nothing here knows a store, so the command line imports through a server with the same code.
"""
