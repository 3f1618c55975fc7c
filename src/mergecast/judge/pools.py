"""The two pools of child processes: for documents and for forecasts."""

import sys
from functools import partial

from mergecast.judge.limits import DOCUMENT_LIMITS, FORECAST_LIMITS
from mergecast.sandbox.errors import Limit
from mergecast.sandbox.pool import Pool, Words, Work

# How many callers can have a forecast under way, beside one recommendation; they all take turns within it.
FORECASTS_AT_ONCE = 3
# Isolated (-I): the current folder may belong to someone else and contain a `yaml.py`.
_RUN = (sys.executable, "-I", "-m")
_WORDS_ABOUT_DOCUMENTS = Words(
    too_many_waiting="too many documents are waiting to be read; try again in a moment",
    none_is_free="no process is free to read the document; try again in a moment",
    too_busy="the machine is too busy to read the document in time",
    does_not_start="the process that reads documents does not start",
    too_long="the pull requests and the document take {length:,} bytes, "
    "more than the {most:,} that can be simulated at once",
    limits={
        Limit.TIME: "reading this document takes more than {seconds:g} seconds, the time limit; "
        "make it smaller, with fewer aliases and merge keys and simpler patterns and templates",
        Limit.MEMORY: f"reading this document takes more than {DOCUMENT_LIMITS.memory_bytes >> 20} MiB of "
        "memory, the limit for expanded documents; "
        "make it smaller, with fewer aliases, merge keys and repetitions",
        Limit.CRASH: "reading this document crashed the process that read it; "
        "it is nested too deeply or expands to too much",
    },
)
_WORDS_ABOUT_FORECASTS = Words(
    too_many_waiting="too many forecasts are waiting; try again in a moment",
    none_is_free="no forecasting process is free; try again in a moment",
    too_busy="the machine is too busy: other programs leave too little processor time to this forecast; "
    "try again later",
    does_not_start="the forecasting process does not start",
    too_long="the recorded events take {length:,} bytes, more than the {most:,} that can be replayed at once",
    limits={
        Limit.TIME: "this takes more than {seconds:g} seconds, the time limit",
        Limit.MEMORY: "this takes more memory than a forecast may use",
        Limit.CRASH: "the forecasting process ended without an answer, perhaps because it ran out of memory",
    },
)
DOCUMENTS = Work((*_RUN, "mergecast.judge.child"), DOCUMENT_LIMITS, _WORDS_ABOUT_DOCUMENTS)
FORECASTS = Work((*_RUN, "mergecast.judge.child.forecasting"), FORECAST_LIMITS, _WORDS_ABOUT_FORECASTS)

document_pool = partial(Pool, DOCUMENTS)
# A few processes, of which one works at a time: statistics need the other processors.
forecast_pool = partial(Pool, FORECASTS, FORECASTS_AT_ONCE + 1, stops_abandoned=True)
