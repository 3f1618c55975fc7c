"""What a configuration would do to one pull request at one instant, and why.

`simulate.py` simulates one pull request and `repository.py` all open ones; `simulation.py` defines the
result. The other modules each answer one question; their first lines state it. An action is a module in
`actions/`.
"""
