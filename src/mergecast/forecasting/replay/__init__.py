"""Replays a merge queue: takes arrivals, a policy and an oracle, and returns a record of what happened.

`values.py` defines the input, `record.py` the output, and `state.py` the state. `replay.py` runs the
loop, and each of its steps has a module: `event_handlers`, `settling`, `forming`, `leaving`.
"""
