"""The two template languages: plain variables, and the older Jinja2.

`placeholders.py` and `legacy.py` check templates when a document is read; `render.py` renders them for a
pull request.
"""
