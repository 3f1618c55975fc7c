"""Stores the deliveries of sources and translates them into events; follows sources in a server."""
