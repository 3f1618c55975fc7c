"""HTTP clients for the code-hosting platform and for token issuers."""
