"""Renders the results of simulations as Markdown or as plain text for a terminal."""
