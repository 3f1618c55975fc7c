"""Text of a configuration document → typed configuration, or every fault with its place."""
