"""Configuration documents: read, validated, applied to pull requests, and reported."""
