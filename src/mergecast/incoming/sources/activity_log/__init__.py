"""The activity log of the hosted Mergify service.

`entry.py` reads an entry, `translate.py` turns the entries of one pull request into events.
"""

from typing import TYPE_CHECKING

from mergecast.incoming.sources.source import Source

if TYPE_CHECKING:
    from mergecast.incoming.sources.history_reader import HistoryReader, SavedPages
    from mergecast.incoming.sources.translation import Translator

NAME = "activity-log"


def _history() -> "HistoryReader":
    from mergecast.incoming.sources.activity_log.history import HISTORY

    return HISTORY


def _translator() -> "Translator":
    from mergecast.incoming.sources.activity_log.deliveries import TRANSLATOR

    return TRANSLATOR


def _saved_pages() -> "SavedPages":
    from mergecast.incoming.sources.activity_log.history import SAVED_PAGES

    return SAVED_PAGES


SOURCE = Source(
    name=NAME,
    title="the activity log",
    queue="Mergify",
    history_of="the activity log",
    question="How do I import Mergify's activity log?",
    url="https://api.mergify.com",
    history=_history,
    translator=_translator,
    saved_pages=_saved_pages,
)
