"""Which repository a webhook or an import writes to: a rename moves a repository instead of splitting it."""

from collections.abc import Callable

from mergecast.model.repository import Repository, is_name, is_owner
from mergecast.sources.github.webhook import NotAWebhook, Webhook
from mergecast.sources.page import Identity
from mergecast.store.store import Store

MayWrite = Callable[[str], bool]  # whether the secret of the webhook covers this owner


def named_repository(webhook: Webhook) -> Repository | None:
    """The repository that the payload names, if it names one."""
    named = webhook.repository
    if named is None:
        return None
    if not is_owner(named.owner) or not is_name(named.name):
        raise NotAWebhook("`repository.full_name` is not the name of a repository")
    return Repository(named.owner, named.name)


async def destination(store: Store, webhook: Webhook, named: Repository, may_write: MayWrite) -> Repository:
    """The repository to write to, renamed if the platform has renamed it."""
    id = webhook.repository.id if webhook.repository is not None else None
    if id is None:
        return named
    known = await store.repository_with_platform_id(id)
    if known is None and webhook.former_name is not None:
        owner, _, name = webhook.former_name.partition("/")
        if not is_owner(owner) or not is_name(name):
            return named
        known = await store.repository(Repository(owner, name))
        if known is not None and known.platform_id is not None:
            return named  # that name belongs to another repository by now
    if known is None or not may_write(known.repository.owner):
        return named
    is_late = str(named).lower() in (known.former_names or ()) and webhook.former_name is None
    if known.repository == named or is_late:
        return known.repository
    await store.rename(known.repository, named, id)
    return named


async def rename_imported(
    store: Store, named: Repository, identity: Identity, may_write: Callable[[Repository], bool]
) -> None:
    """Rename the repository with this id to the name that it is imported under, if the platform did so."""
    known = await store.repository_with_platform_id(identity.id)
    if known is None or known.repository == named or not may_write(known.repository):
        return
    if _can_become(known.repository, named):
        await store.rename(known.repository, named, identity.id)


def _can_become(former: Repository, name: Repository) -> bool:
    """Whether a rename or a transfer can have changed the name.

    If both parts differ, they are rather repositories with the same id on two Enterprise Servers.
    """
    return former.owner.lower() == name.owner.lower() or former.name.lower() == name.name.lower()
