"""The eighteen actions: what each would do."""
