"""When removals are judged: soon after they are stored, and again when something changes."""
