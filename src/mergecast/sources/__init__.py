"""Reads what platforms report about their queues, and translates it into our six event types."""
