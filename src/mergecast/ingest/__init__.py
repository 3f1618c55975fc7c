"""Turns the bytes of a delivery into events."""
