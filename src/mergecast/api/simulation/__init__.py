"""The simulator endpoints."""
