"""Forecasts: reads the history that a forecast needs, keeps answers, and asks a child."""
