"""Since when a figure of a queue has another level, from its days. Pure."""
