"""GitHub's merge queue: webhooks and history."""
