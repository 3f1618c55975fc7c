"""What a queue's time and cost would have been under other settings, and how far to trust the answer."""
