"""Who may do what: credentials, rights, limits, and the log of refusals.

`guard.py` decides about every request. Each kind of credential has a module that recognizes it
(`application_keys`, `service_tokens`, `platform_tokens`, `sessions`); `rights.py` defines what a caller
may do.
"""
