"""Channels, which receive messages about a repository or about all of an owner."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from mergecast.queues.answers.described import DateTime, one_of
from mergecast.queues.model.notification import Rule

STATES = READY, PAUSED, INVALID, UNREADABLE = "ready", "paused", "invalid", "unreadable"


class Schedule(Struct, frozen=True):
    """When a digest is sent every week."""

    day: str = "monday"
    hour: int = 9
    time_zone: str = "UTC"


class TriedChannel(Struct, frozen=True):
    """Whether a sample arrived."""

    is_sent: bool
    detail: str


class ChannelResult(Struct, frozen=True):
    """The result of the last attempt to send something."""

    at: DateTime
    is_sent: bool
    detail: str


class Channel(Struct, frozen=True):
    id: str
    name: str
    kind: str
    target: Annotated[str, Meta(description="Where messages go, without its secret part")]
    rules: tuple[Rule, ...]
    digest: Schedule
    created_at: DateTime
    state: Annotated[str, one_of(*STATES)]
    waiting: Annotated[int, Meta(description="Messages that the channel has not accepted yet")]
    last_result: ChannelResult | None


class AddedChannel(Channel, frozen=True):
    """Only channels of the kind webhook have a secret."""

    secret: str | UnsetType = UNSET


class Channels(Struct, frozen=True):
    """A channel of the owner receives notices of its repositories too."""

    channels: tuple[Channel, ...]


class ChannelsOfRepository(Channels, frozen=True):
    owner_channels: tuple[Channel, ...]


class NamedChannel(Struct, frozen=True):
    id: str
    name: str
    kind: str


class SubscribedChannels(Struct, frozen=True):
    channels: tuple[NamedChannel, ...]


class PossibleSubscriptions(SubscribedChannels, frozen=True):
    """The channels that could be told once about a pull request, and those that will be."""

    subscribed: tuple[NamedChannel, ...]
