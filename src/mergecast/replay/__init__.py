"""A merge queue that replays: arrivals, a policy and an oracle go in, a record of what happened comes out."""
