"""What the events of one base branch say about its queue: runs, trees, chains, rules and settings."""
