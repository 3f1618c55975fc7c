"""`…/settings`: what a person has set for a repository, read and written as one document."""
