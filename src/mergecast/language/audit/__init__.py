"""Audits how a repository on GitHub is set up for GitHub's merge queue, from its workflow files; pure."""
