"""Runs child processes that read untrusted documents within limits, and passes questions and answers.

`pool.py` is the interface, and `messages.py` lists the questions and answers. What runs in a child is in
`child/`; the other modules start children and talk to them.
"""
