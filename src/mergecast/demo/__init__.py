"""An invented but realistic history of one repository's merge queues.

`settings.py` has the numbers that shape it; `history.py` runs the simulation.
"""
