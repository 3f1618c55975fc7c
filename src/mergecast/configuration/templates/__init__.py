"""The two template languages: plain variables, and the older Jinja2."""
