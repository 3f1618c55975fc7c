"""What a person has set for a repository, and who changed it."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.alerts import Limits, SetThreshold
from mergecast.queues.answers.described import DateTime
from mergecast.queues.model.notification import Rule


class SetReferencePeriod(Struct, frozen=True):
    """A reference period as settings describe it."""

    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    limits: Limits


class CiPrices(Struct, frozen=True):
    """What a minute of CI costs, as decimals."""

    currency: str
    per_minute: str
    by_runner: dict[str, str]


class ChannelRules(Struct, frozen=True):
    channel: str  # its name
    rules: tuple[Rule, ...]


class Settings(Struct, frozen=True):
    """What a person has set for a repository; callers that may not manage channels see no notifications."""

    thresholds: tuple[SetThreshold, ...]
    reference_periods: tuple[SetReferencePeriod, ...]
    prices: CiPrices | None
    notifications: tuple[ChannelRules, ...] | UnsetType = UNSET


class ChangedSettings(Struct, frozen=True):
    """The settings after a change, and what it changed, in words."""

    settings: Settings
    changes: tuple[str, ...]


class AuditLine(Struct, frozen=True):
    """Who did what, when and from which address; `details` depend on `event`."""

    at: str
    event: str
    who: str
    address: str
    owner: str | None
    repository: str | None
    details: dict[str, Any]


class AuditLines(Struct, frozen=True):
    """Newest first; `next` is null on the last page."""

    lines: list[AuditLine]
    next: str | None
