"""HTTP to others: the code-hosting platform, and issuers of tokens."""
