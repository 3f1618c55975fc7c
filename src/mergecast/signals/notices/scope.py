"""Which channels belong to a repository, whatever it was called when they were made, or to an owner."""

from collections.abc import Iterable
from typing import NamedTuple

from mergecast.queues.model.repository import Repository
from mergecast.queues.store.channel_rows import ChannelRow
from mergecast.queues.store.store import Store
from mergecast.signals.notices.channel import Channel, from_row


class Scope(NamedTuple):
    """The repository or owner that channels belong to, in lower case."""

    owner: str
    repository: str | None
    former: frozenset[str] = frozenset()  # earlier names of the repository at this owner

    def has(self, owner: str, repository: str | None) -> bool:
        """Whether this is a name of it."""
        return owner == self.owner and (repository == self.repository or repository in self.former)

    @property
    def of_owner(self) -> "Scope":
        return Scope(self.owner, None)

    def channels(self, channels: Iterable[Channel]) -> list[Channel]:
        """Those that belong to it."""
        return [channel for channel in channels if self.has(channel.owner, channel.repository)]

    def usable(self, channels: Iterable[Channel]) -> list[Channel]:
        """Those of the repository and of its owner, which receive its notices too."""
        all_channels = list(channels)
        return [*self.channels(all_channels), *self.of_owner.channels(all_channels)]

    def is_named(self, repository: str) -> bool:
        """Whether this is a name of the repository, written as `owner/name` in lower case."""
        owner, _, name = repository.partition("/")
        return self.has(owner, name)


async def scope_of(store: Store, repository: Repository) -> Scope:
    """A repository with its earlier names, unless another repository has them now.

    After a move to another owner, the former owner must not learn what happens there.
    """
    owner, name = str(repository).lower().split("/")
    known = await store.repository(repository)
    names = () if known is None else (*known.names.former, *known.names.replaced)
    of_owner = [Repository(*former.split("/", 1)) for former in names if former.startswith(f"{owner}/")]
    former = [one.name for one in of_owner if await store.repository(one) is None]
    return Scope(owner, name, frozenset(former))


def channels_of(scope: Scope, rows: Iterable[ChannelRow]) -> list[Channel]:
    return scope.channels(map(from_row, rows))
