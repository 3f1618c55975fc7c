"""Renders the results of simulations as Markdown or as plain text for a terminal.

`pull_request.py` and `repository.py` decide what a report contains, as blocks of `outline.py`.
`markdown.py` and `terminal.py` decide how each block looks.
"""
