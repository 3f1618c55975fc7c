"""How the store keeps CI checks: rows per check and day, the runs that they belong to, and their cost."""
