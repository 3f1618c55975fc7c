"""Tests of the made-up history."""
