"""The state of a repository, from its open alerts, its figures and its queues."""
