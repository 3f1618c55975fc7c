"""A server under attack for minutes or hours, with every answer checked against the oracle."""
