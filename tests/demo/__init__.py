"""Tests of the invented history."""
