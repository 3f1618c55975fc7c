"""A source as it is shown: those that were added, and those from the environment."""

from mergecast.incoming.connecting.state import SourceProgress
from mergecast.incoming.intake.importing.following import Followed
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.sources import ImportProgress, ListedSource
from mergecast.queues.model.instant import format_instant, format_optional
from mergecast.queues.store.added_sources import AddedSourceRow


def listed_environment(followed: Followed, url: str, progress: SourceProgress) -> ListedSource:
    return ListedSource(
        None, "environment", *_names(followed.source, followed.repository, str(followed.name), url),
        None, None, None, progress.state(is_paused=False), *_how_it_goes(progress), _error(progress),
    )  # fmt: skip


def listed_added(
    row: AddedSourceRow, app: str | None, progress: SourceProgress, unusable: str | None
) -> ListedSource:
    """`unusable` says why it cannot be followed."""
    state = progress.state(is_paused=row.paused_at is not None)
    if unusable is not None and row.paused_at is None:
        state = "failing"
    return ListedSource(
        row.id, "added", *_names(row.source, row.repository, str(row.here), row.url), app,
        format_instant(row.created_at), row.created_by, state, *_how_it_goes(progress),
        unusable or _error(progress, is_added=True),
    )  # fmt: skip


def _names(source: str, repository: str, name: str, url: str) -> tuple[str, str, str, str, str]:
    return source, SOURCES[source].queue, repository, name, url


def _how_it_goes(
    progress: SourceProgress,
) -> tuple[ImportProgress | None, int, DateTime | None, DateTime | None]:
    next_at = None if progress.lease is None else format_optional(progress.lease.next_at)
    return progress.progress, progress.events, progress.last_delivery_at, next_at


def _error(progress: SourceProgress, *, is_added: bool = False) -> str | None:
    """The last error. What it advises to set is in the environment, where an added source is not."""
    error = None if progress.lease is None else progress.lease.error
    if error is None or not is_added or "; set MERGECAST_" not in error:
        return error
    return f"{error.partition('; set MERGECAST_')[0]}; remove this source, and add it with another token"
