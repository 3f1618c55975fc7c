"""Forecasts a queue's time and cost under other settings, and how reliable the answer is.

`forecast.py` compares one candidate with the baseline, `search.py` compares many candidates. Both replay
every train (`replicates.py`) and compute the same figures (`figures.py`); `backtest.py` measures how far
off they are.
"""
