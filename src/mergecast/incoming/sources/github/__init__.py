"""GitHub's merge queue: webhooks and history.

`webhook.py` and `history_items.py` read observations. `translate.py` turns those of one pull request into
events: `groups.py` finds its merge groups, `stays.py` its stays (`exits.py` says how they ended, `late.py`
when late webhooks happened), and `checks.py` what CI did for them.
"""
