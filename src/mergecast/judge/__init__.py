"""Untrusted documents are read in child processes that have limits; this process only hears the verdict."""
