"""Turns the bytes of `POST …/events` into events, or reports every error in them."""
