"""A source made up for tests, by the recipe in CONTRIBUTING.md: a platform that lists one report per line.

A report is `{"id": 1, "pull": 7, "branch": "main", "at": "…", "what": "entered"}`; `what` is also `passed`,
`merged` or `removed`.
"""

from typing import TYPE_CHECKING

from mergecast.incoming.sources.source import Source

if TYPE_CHECKING:
    from mergecast.incoming.sources.history_reader import HistoryReader
    from mergecast.incoming.sources.translation import Translator
    from mergecast.incoming.sources.webhooks import Webhooks

NAME = "toy-queue"


def _history() -> "HistoryReader":
    from sources.toy.history import HISTORY

    return HISTORY


def _translator() -> "Translator":
    from sources.toy.deliveries import TRANSLATOR

    return TRANSLATOR


def _webhooks() -> "Webhooks":
    from sources.toy.deliveries import WEBHOOKS

    return WEBHOOKS


SOURCE = Source(
    name=NAME,
    title="the toy queue",
    queue="toy queue",
    history_of="reports",
    question="How do I import the history of the toy queue?",
    url="https://toys.example",
    history=_history,
    translator=_translator,
    webhooks=_webhooks,
    empty_statistics=("batch_bisection", "checks_retries"),
)
