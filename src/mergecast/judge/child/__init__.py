"""The child process that reads documents; nothing else may import this package."""
