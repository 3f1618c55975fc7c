"""GitLab's merge trains.

`observation.py` reads cars, pipelines and notes; `train_stays.py` finds the stays, `translate.py` the events.
"""

from typing import TYPE_CHECKING

from mergecast.incoming.sources.source import Source, TokenProbe

if TYPE_CHECKING:
    from mergecast.incoming.sources.history_reader import HistoryReader
    from mergecast.incoming.sources.translation import Translator

NAME = "gitlab"


def _history() -> "HistoryReader":
    from mergecast.incoming.sources.gitlab.history.pages import HISTORY

    return HISTORY


def _translator() -> "Translator":
    from mergecast.incoming.sources.gitlab.deliveries import TRANSLATOR

    return TRANSLATOR


SOURCE = Source(
    name=NAME,
    title="GitLab",
    queue="GitLab merge trains",
    history_of="merge trains",
    question="How do I import the history of GitLab's merge trains?",
    url="https://gitlab.com",
    history=_history,
    translator=_translator,
    repository=("GROUP/PROJECT", "Project, with all its groups"),
    probe=TokenProbe(
        "/api/v4/version",
        {
            "merge requests": "/api/v4/projects/{}/merge_requests?per_page=1",
            "pipelines": "/api/v4/projects/{}/pipelines?per_page=1",
        },
        unquoted="",
        optional_suffix="/api/v4",
    ),
    empty_statistics=("batch_bisection", "checks_retries", "skip_intermediate_results"),
    forecast_kind="gitlab",
)
