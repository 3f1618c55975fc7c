"""What is worth telling about a queue: problems, derived from values. Pure."""
