"""Where queue events come from: what platforms send, translated into our six event types."""
