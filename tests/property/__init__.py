"""Tests against a naive reading of the definitions."""
