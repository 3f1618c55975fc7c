"""The child process that reads documents; nothing else may import this package.

`tasks.py` is the table of tasks. Forecasts run in children of their own (`forecasting.py`), because they
load numerical libraries.
"""
