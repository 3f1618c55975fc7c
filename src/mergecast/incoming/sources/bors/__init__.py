"""bors-ng, a merge queue that people and a bot talk to in comments on GitHub.

`commands.py` and `replies.py` read comments. `bors_stays.py` finds the stays of one pull request, `runs.py`
the runs of CI that it shared with others, and `translate.py` the events.
"""

from typing import TYPE_CHECKING

from mergecast.incoming.sources.source import Source, TokenProbe

if TYPE_CHECKING:
    from mergecast.incoming.sources.history_reader import HistoryReader
    from mergecast.incoming.sources.translation import Translator

NAME = "bors"


def _history() -> "HistoryReader":
    from mergecast.incoming.sources.bors.history.pages import HISTORY

    return HISTORY


def _translator() -> "Translator":
    from mergecast.incoming.sources.bors.deliveries import TRANSLATOR

    return TRANSLATOR


SOURCE = Source(
    name=NAME,
    title="bors",
    queue="bors-ng",
    history_of="pull requests and comments",
    question="How do I import the history of bors-ng, from comments?",
    url="https://api.github.com",
    history=_history,
    translator=_translator,
    repository=(
        "OWNER/REPO[@BOT][:WORD]",
        "Repository on GitHub; with the bot's login and the word of commands, if these are not bors",
    ),
    probe=TokenProbe(
        "/rate_limit",
        {
            "pull requests": "/repos/{}/pulls?per_page=1",
            "comments": "/repos/{}/issues/comments?per_page=1",
            "comments on lines of code": "/repos/{}/pulls/comments?per_page=1",
        },
    ),
    empty_statistics=("checks_retries", "skip_intermediate_results"),
)
