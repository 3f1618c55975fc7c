"""What sources have delivered, and what became of it."""

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime


class UntranslatedCount(Struct, frozen=True):
    reason: str
    count: int
    last_at: DateTime


class NotKeptCount(Struct, frozen=True):
    """Deliveries of this event and action that did not concern a queue; the action may be empty."""

    event: str
    action: str
    count: int


class Span(Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """When the first and the last event happened."""

    start: DateTime
    end: DateTime


class Following(Struct, frozen=True):
    """Which server follows the source, and the state of following."""

    by: str
    next_at: DateTime | None
    behind_seconds: float | None
    error: str | None


class Translating(Struct, frozen=True):
    """After an upgrade, everything delivered is translated again: how many threads are there, and are done?

    A thread is what was delivered about one pull request.
    """

    threads: int
    done: int


class SourceOverview(Struct, frozen=True):
    """Events, and what was not translated or not kept, are counted per source, however it was delivered.

    `first_at` and `last_at` are when deliveries were received. `history` is when the events happened.
    `derived_starts` counts the CI runs whose start no delivery reports, so that it was derived from others.
    """

    source: str
    kind: str
    first_at: DateTime | None
    last_at: DateTime | None
    history: Span | None
    deliveries: int
    events: int
    derived_starts: int
    untranslated: tuple[UntranslatedCount, ...]
    not_kept: tuple[NotKeptCount, ...]
    following: Following | None
    hint: str | None
    translating: Translating | None
    expired: int | UnsetType = UNSET  # how much it brought again that had been deleted because of its age
