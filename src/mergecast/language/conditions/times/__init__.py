"""Durations, instants, time zones and schedules in conditions."""
