"""The two template dialects: plain variables, and the older Jinja2 that is allowed in a few fields."""
