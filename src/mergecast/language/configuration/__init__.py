"""Text of a configuration document → typed configuration, or every error with its position.

`read.py` contains all the steps. Options and their types are in `models/`, rules that involve several
options in `cross_field.py`, and old options in the tables `deprecations.py` and `removed.py`.
"""
