"""Reads of a source what an import needs, to find out whether its credential may."""

from collections.abc import Callable
from contextlib import aclosing

from mergecast.errors import MergecastError
from mergecast.incoming.platform.app_tokens import UnusableApp
from mergecast.incoming.platform.github import REDIRECTS
from mergecast.incoming.platform.patient import Refused, Waiting
from mergecast.incoming.sources.origin import Account, Origin, open_origin
from mergecast.incoming.sources.page import Part
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.answers.sources import TestedSource
from mergecast.queues.model.instant import DAY, Window

_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404


class _NotNow(MergecastError):
    """The platform asks to wait, or does not answer; a person is waiting for the result."""


def _give_up(waiting: Waiting) -> None:
    raise _NotNow(waiting.reason)


async def check_source(account: Account, repository: str, now: Callable[[], int]) -> TestedSource:
    """Read the newest page of the history, and a little of everything else that an import reads."""
    origin, fetcher = open_origin(account, repository, now, _give_up)
    try:
        await _read_newest_page(origin, now())
        refused = await _refused(origin)
    except MergecastError as error:
        return _failure(account, repository, error)
    finally:
        await fetcher.close()
    source, credential = SOURCES[account.source], _credential(account)
    if refused:
        what = f"{', '.join(refused)} of {repository}"
        return TestedSource(
            False, f"The {credential} may not read {what}: give it read access.", _field(account)
        )
    return TestedSource(True, f"The {credential} may read {source.history_of} of {repository}.", None)


async def _read_newest_page(origin: Origin, now: int) -> None:
    async with aclosing(origin.pages(Part(Window(now - DAY, now), now))) as pages:
        async for _ in pages:
            break
    if origin.queue is not None:
        await origin.queue.queued(origin.api, origin.url, origin.repository, ())


async def _refused(origin: Origin) -> list[str]:
    """What the token may not read. Where a platform answers 404, there may be nothing to read yet."""
    urls = SOURCES[origin.source].probe.rights_urls(origin.url, origin.repository)
    statuses = {what: (await origin.api.get(url)).status for what, url in urls.items()}
    return [what for what, status in statuses.items() if status in (_UNAUTHORIZED, _FORBIDDEN)]


def _failure(account: Account, repository: str, error: MergecastError) -> TestedSource:
    """What an error means for whoever wants to add the source. None of its texts contains the token."""
    title, reason = SOURCES[account.source].title, str(error).rstrip(".")
    name = title[0].upper() + title[1:]
    if isinstance(error, Refused):
        return _refusal(account, repository, name, error)
    if isinstance(error, UnusableApp):
        return TestedSource(False, f"The app cannot be used: {reason}.", None)
    return TestedSource(False, f"{name} cannot be read at {account.url}: {reason}.", "/url")


def _refusal(account: Account, repository: str, name: str, error: Refused) -> TestedSource:
    credential, reason = _credential(account), str(error).rstrip(".")
    if error.status in (_UNAUTHORIZED, _FORBIDDEN):
        # The message begins with the URL; what it says about 401 is for whoever sets the environment.
        why = "" if error.status == _UNAUTHORIZED else f": {reason.split(': ', 1)[1]}"
        return TestedSource(False, f"{name} does not accept the {credential}{why}.", _field(account))
    if error.status in REDIRECTS:
        moved = f"{name} redirects: {repository} has moved, or the URL is not the final one."
        return TestedSource(False, moved, "/url")
    if error.status in (None, _NOT_FOUND):
        unknown = f"{name} does not know {repository}, or the {credential} may not see it"
        return TestedSource(False, f"{unknown if error.status else reason}.", "/repository")
    return TestedSource(False, f"{name} answered {error.status} at {account.url}.", "/url")


def _credential(account: Account) -> str:
    return "token" if account.token is not None else "app"


def _field(account: Account) -> str | None:
    return None if account.token is None else "/token"
