"""Which repository a webhook or an import writes to: a rename moves a repository instead of splitting it.

Ids are public, and whoever has a webhook secret can send any id. An id therefore identifies a repository only
among those that the same secret covers, and a repository gets another owner only if the platform announces
this with the name it had.
"""

from collections.abc import Callable
from typing import NamedTuple

from mergecast.incoming.sources.page import Identity
from mergecast.incoming.sources.webhooks import NotAWebhook, ReadWebhook
from mergecast.queues.model.repository import Repository, platform_repository
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository

MayWrite = Callable[[str], bool]  # whether the secret of the webhook covers this owner


class Destination(NamedTuple):
    """Where to write; with an id, only if the repository with this id still has the name then."""

    repository: Repository
    id: int | None = None


def named_repository(webhook: ReadWebhook) -> Repository | None:
    """The repository that the payload names, if it names one."""
    named = webhook.repository
    if named is None:
        return None
    repository = platform_repository(f"{named.owner}/{named.name}")
    if repository is None:
        raise NotAWebhook("`repository.full_name` is not the name of a repository")
    return repository


async def destination(
    store: Store, webhook: ReadWebhook, named: Repository, may_write: MayWrite
) -> Destination:
    """The repository to write to, renamed if the platform has renamed it."""
    id = webhook.repository.id if webhook.repository is not None else None
    if id is None:
        return Destination(named)
    former = platform_repository(webhook.former_name or "")
    if former is not None and not may_write(former.owner):
        former = None
    known = await _known(store, id, named, former, may_write)
    if known is not None:
        return await _renamed(store, known, named, former, id)
    if former is not None and not await _is_of_another(store, named, id):
        await store.remember_former_name(named, former, id)
    return Destination(named)


async def _known(
    store: Store, id: int, named: Repository, former: Repository | None, may_write: MayWrite
) -> KnownRepository | None:
    """The stored repository that a webhook is about, under any name that it has had."""

    def rank(known: KnownRepository) -> int | None:
        names, owner = known.names, known.repository.owner.lower()
        if known.repository == former:
            return 0
        if str(named).lower() in (*names.former, *names.replaced):
            return 1
        if known.repository == named:
            return 2
        is_of_owner = owner in {other.owner.lower() for other in (named, former) if other is not None}
        return 3 if is_of_owner else None

    same = [
        known for known in await store.repositories_with_platform_id(id) if may_write(known.repository.owner)
    ]
    ranked = [(found, known.id, known) for known in same if (found := rank(known)) is not None]
    if ranked:
        return min(ranked)[2]
    unidentified = None if former is None else await store.repository(former)
    return unidentified if unidentified is not None and unidentified.platform_id is None else None


async def _renamed(
    store: Store, known: KnownRepository, named: Repository, former: Repository | None, id: int
) -> Destination:
    """Where to write what is about a known repository, after renaming it if necessary."""
    before = known.names
    names = before.seen(str(named)) if former is None else before.announced(str(former), str(named))
    current = next(
        (name for name in (named, known.repository) if str(name).lower() == names.current),
        Repository(*names.current.split("/")),
    )
    if names == before and str(current) == str(known.repository):
        return Destination(known.repository, known.id)
    if await store.rename(known.repository, current, id, names):
        return Destination(current, known.id)
    # The name is taken: by the same repository, or by one that has yet to be renamed or was deleted.
    if await _is_of_another(store, current, id):
        return Destination(known.repository, known.id)
    return Destination(current)


async def _is_of_another(store: Store, name: Repository, id: int) -> bool:
    """Whether a repository with another id has this name."""
    found = await store.repository(name)
    return found is not None and found.platform_id not in (None, id)


async def rename_imported(
    store: Store, named: Repository, identity: Identity, may_write: Callable[[Repository], bool]
) -> None:
    """Rename the repository with this id to the name that it is imported under, if the platform did so."""
    same = [
        known
        for known in await store.repositories_with_platform_id(identity.id)
        # Of another owner, it may be a repository with the same id on another Enterprise Server.
        if known.repository.owner.lower() == named.owner.lower() and may_write(known.repository)
    ]
    if same and named not in [known.repository for known in same]:
        await store.rename(same[0].repository, named, identity.id)
