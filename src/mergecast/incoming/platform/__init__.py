"""HTTP clients for the code-hosting platform and for token issuers: retries, paging, rate limits.

`github.py` is for requests that someone waits for, `patient.py` for imports, which may wait for hours.
"""
