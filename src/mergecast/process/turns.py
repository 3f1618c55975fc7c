"""Lets the threads of a server take turns more often."""

import sys

# By default a thread that computes keeps Python for 5 ms when another one wants it, and a request wants it
# after each of its statements: beside a large delivery, those waits were most of the time of an answer.
_SECONDS = 0.0005


def switch_threads_often() -> None:
    sys.setswitchinterval(_SECONDS)
