"""Deliveries of sources into the store, and their translation into events."""
