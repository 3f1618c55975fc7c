"""What somebody may do in a repository."""

PERMISSIONS = ("admin", "maintain", "write", "triage", "read", "none")  # strongest first
