"""Reports: what a simulation found, in words for people, as Markdown or for a terminal. Pure."""
