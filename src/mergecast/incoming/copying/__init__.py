"""Copies a store into another, of the same kind or not, and compares the two."""
