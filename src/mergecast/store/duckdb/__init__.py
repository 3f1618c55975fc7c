"""The embedded store: one DuckDB file that one process owns."""
