"""What child processes do: read documents, simulate them, and compute forecasts.

`messages.py` lists the questions and answers that both processes share. The tasks are in `child/`, which only
a child imports.
"""
