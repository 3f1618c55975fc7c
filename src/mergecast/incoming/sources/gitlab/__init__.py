"""GitLab's merge trains.

`observation.py` reads cars, pipelines and notes; `train_stays.py` finds the stays, `translate.py` the events.
"""
