"""The simulator endpoints: validate a document, or simulate it on one or all open pull requests."""
