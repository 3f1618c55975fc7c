"""The stays of one pull request in one queue, derived from what GitHub reported about it."""
