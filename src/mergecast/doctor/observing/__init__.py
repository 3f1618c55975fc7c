"""Looks at the machine, at servers and at platforms, within limits on time. Nothing is changed."""
