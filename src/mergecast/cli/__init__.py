"""One command per file; each returns an exit code."""
