"""GitLab's merge trains. `observation.py` reads cars, pipelines and notes; `translate.py` finds the stays."""
