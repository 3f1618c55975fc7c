"""Why pull requests were removed, from what happened in one queue. Pure."""
