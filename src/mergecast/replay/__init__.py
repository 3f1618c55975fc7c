"""Replays a merge queue: takes arrivals, a policy and an oracle, and returns a record of what happened."""
