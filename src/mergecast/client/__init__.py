"""A client of Mergecast's own HTTP API, for commands."""
