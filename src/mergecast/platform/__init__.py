"""HTTP clients for the code-hosting platform and for token issuers: retries, paging, rate limits."""
