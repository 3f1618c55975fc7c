"""From what was observed to findings; pure."""
