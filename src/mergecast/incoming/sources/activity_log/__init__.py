"""The activity log of the hosted Mergify service."""
