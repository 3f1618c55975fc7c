"""A channel: where notices of a repository or of an owner go, and which ones."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from mergecast.queues.model.cause import ALERT, PROBLEM, REMOVED
from mergecast.queues.store.channel_rows import ChannelRow

SLACK, TEAMS, WEBHOOK, EMAIL, LOG = "slack", "teams", "webhook", "email", "log"
KINDS = (SLACK, TEAMS, WEBHOOK, EMAIL)
BY_DEFAULT = (REMOVED, PROBLEM, ALERT)


class Target(Struct, frozen=True, omit_defaults=True):
    """Where messages go. It is encrypted in the store, because anyone who knows such a URL can post."""

    url: str | None = None
    secret: str | None = None  # of a webhook: its messages are signed with it
    to: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Target(…)"


class Schedule(Struct, frozen=True):
    """When a digest is sent every week."""

    day: str = "monday"
    hour: int = 9
    time_zone: str = "UTC"


class Options(Struct, frozen=True):
    shown: str  # the target without its secret part
    notify: tuple[str, ...] = BY_DEFAULT
    queues: tuple[str, ...] | None = None  # None: all
    digest: Schedule = Schedule()


class Result(Struct, frozen=True):
    """The result of the last attempt to send something."""

    at: int
    is_sent: bool
    detail: str


class Channel(NamedTuple):
    id: str
    owner: str  # in lower case, as is the repository
    repository: str | None  # None: all repositories of the owner
    kind: str
    sealed: str
    options: Options
    created_at: int
    paused_at: int | None = None
    result: Result | None = None
    digest_at: int | None = None  # the last digest was due at this instant

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None

    def wants(self, kind: str, queue_name: str | None, stored_at: int) -> bool:
        """Whether a cause of this kind and queue becomes a message here."""
        queues = self.options.queues
        return (
            not self.is_paused
            and kind in self.options.notify
            and (queues is None or queue_name is None or queue_name in queues)
            and self.created_at <= stored_at
        )


def from_row(row: ChannelRow) -> Channel:
    return Channel(
        row.id,
        row.owner,
        row.repository or None,
        row.kind,
        row.sealed,
        msgspec.json.decode(row.document, type=Options),
        row.created_at,
        row.paused_at,
        None if row.result is None else msgspec.json.decode(row.result, type=Result),
        row.digest_at,
    )


def to_row(channel: Channel) -> ChannelRow:
    return ChannelRow(
        channel.id,
        channel.owner,
        channel.repository or "",
        channel.kind,
        channel.sealed,
        msgspec.json.encode(channel.options).decode(),
        channel.created_at,
        channel.paused_at,
        None,
        channel.digest_at,
    )
