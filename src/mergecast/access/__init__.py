"""Who may do what: credentials, rights, limits, and the log of refusals."""
