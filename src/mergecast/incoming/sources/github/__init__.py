"""GitHub's merge queue: webhooks and history.

`webhook.py` and `history_items.py` read observations. `threads.py` turns those of one pull request into its
standing and its events: `groups.py` finds its merge groups, `stays/` its stays, `checks.py` what CI did for
them, and `translate.py` the events. `surroundings.py` is what it needs to know of other pull requests.
"""

from typing import TYPE_CHECKING

from mergecast.incoming.sources.source import Source, TokenProbe

if TYPE_CHECKING:
    from mergecast.incoming.sources.history_reader import HistoryReader
    from mergecast.incoming.sources.translation import Translator
    from mergecast.incoming.sources.webhooks import Webhooks

NAME, TITLE = "github", "GitHub"


def _history() -> "HistoryReader":
    from mergecast.incoming.sources.github.history.pages import HISTORY

    return HISTORY


def _translator() -> "Translator":
    from mergecast.incoming.sources.github.deliveries import TRANSLATOR

    return TRANSLATOR


def _webhooks() -> "Webhooks":
    from mergecast.incoming.sources.github.hooks import WEBHOOKS

    return WEBHOOKS


SOURCE = Source(
    name=NAME,
    title=TITLE,
    queue="GitHub merge queue",
    history_of="the merge queue",
    question="How do I import the history of GitHub's merge queue?",
    url="https://api.github.com",
    history=_history,
    translator=_translator,
    webhooks=_webhooks,
    probe=TokenProbe(
        "/rate_limit",
        {
            "contents": "/repos/{}/branches?per_page=1",
            "pull requests": "/repos/{}/pulls?per_page=1",
            "checks": "/repos/{}/commits/HEAD/check-runs?per_page=1",
            "commit statuses": "/repos/{}/commits/HEAD/status?per_page=1",
        },
    ),
    app_settings=("github_app_id", "github_app_key_file"),
    empty_statistics=("batch_bisection", "skip_intermediate_results"),
    forecast_kind="github",
)
