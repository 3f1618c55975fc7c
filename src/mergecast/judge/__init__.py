"""Runs child processes with limits that read untrusted documents, and passes questions and answers.

`pool.py` is the interface, and `messages.py` lists the questions and answers. What runs in a child is in
`child/`; the other modules start children and talk to them.
"""
