"""The store in PostgreSQL: any number of servers share one database."""
