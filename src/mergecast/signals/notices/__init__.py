"""Notices: what happened in a queue is sent to the channels of a repository or an owner."""
