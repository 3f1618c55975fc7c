"""The only package that knows SQL and the database."""
