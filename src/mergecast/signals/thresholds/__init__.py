"""What is still normal for a queue, and when alerts begin and end, derived from values. Pure."""
