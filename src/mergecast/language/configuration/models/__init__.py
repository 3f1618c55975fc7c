"""The typed configuration: one model per section, rule and action."""
