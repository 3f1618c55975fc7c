"""Is a repository's queue healthy? A verdict from its figures, its queues and their problems."""
