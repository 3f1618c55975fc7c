"""GitLab's merge trains."""
