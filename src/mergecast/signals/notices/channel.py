"""A channel: where notices of a repository or of an owner go, and which ones."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mergecast.errors import NotFound
from mergecast.queues.answers.channels import Schedule
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.notification import ALERT, REMOVED, Rule
from mergecast.queues.store.channel_rows import ChannelRow

SLACK, TEAMS, WEBHOOK, EMAIL, LOG = "slack", "teams", "webhook", "email", "log"
KINDS = (SLACK, TEAMS, WEBHOOK, EMAIL)
BY_DEFAULT = (Rule(REMOVED), Rule(ALERT))


class Target(Struct, frozen=True, omit_defaults=True):
    """Where messages go. It is encrypted in the store, because anyone who knows such a URL can post."""

    url: str | None = None
    secret: str | None = None  # of a webhook: its messages are signed with it
    to: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Target(…)"


class Subscription(Struct, frozen=True):
    """One message, when a pull request merges or is removed."""

    repository: str  # owner and name, in lower case
    pull_request: int
    created_at: int
    left_at: int | None  # when it had last left a queue before that


class Options(Struct, frozen=True):
    shown: str  # the target without its secret part
    name: str
    rules: tuple[Rule, ...] = BY_DEFAULT
    digest: Schedule = Schedule()
    subscriptions: tuple[Subscription, ...] = ()


_options = msgspec.json.Decoder(Options)


class Result(Struct, frozen=True):
    """The result of the last attempt to send something."""

    at: int
    is_sent: bool
    detail: str


_result = msgspec.json.Decoder(Result)


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

    @property
    def name(self) -> str:
        return self.options.name

    def takes(self, stored_at: int) -> bool:
        """Whether a cause that was stored then may become a message here."""
        return not self.is_paused and self.created_at <= stored_at

    def chooses(
        self, what: str, queue_name: str | None, figure: str | None = None, origin: str | None = None
    ) -> bool:
        """Whether a rule chooses such a cause."""
        return any(rule.chooses(what, queue_name, figure, origin) for rule in self.options.rules)

    def chooses_alert(self, alert: Alert) -> bool:
        return any(self.chooses(ALERT, queue, alert.figure, alert.origin) for queue in alert.queues)


def with_rules(channel: Channel, rules: Sequence[Rule]) -> Channel:
    return channel._replace(options=replace(channel.options, rules=tuple(rules)))


def named(channels: Iterable[Channel], id: str) -> Channel:
    """The channel with this id or name."""
    for channel in channels:
        if id == channel.id or id.lower() == channel.name.lower():
            return channel
    raise NotFound("there is no such channel here; GET …/channels lists them")


def free_name(kind: str, channels: Iterable[Channel]) -> str:
    """The kind, with a number if another channel has that name."""
    taken = {channel.name.lower() for channel in channels}
    names = (kind if number == 1 else f"{kind}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def from_row(row: ChannelRow) -> Channel:
    return Channel(
        row.id,
        row.owner,
        row.repository or None,
        row.kind,
        row.sealed,
        _options.decode(row.document),
        row.created_at,
        row.paused_at,
        None if row.result is None else _result.decode(row.result),
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
