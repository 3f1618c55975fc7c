"""Our own HTTP API, for commands."""
