"""Text of a configuration document → typed configuration, or every error with its position."""
