"""Forecasts a queue's time and cost under other settings, and how reliable the answer is."""
