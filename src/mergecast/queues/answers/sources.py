"""What sources have delivered, and what became of it."""

from collections.abc import Callable
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from mergecast.queues.answers.described import DateTime, one_of

SourceState = Annotated[str, one_of("current", "failing", "importing", "paused", "waiting")]
SourceOrigin = Annotated[str, one_of("added", "environment")]


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


class PolledSource(Struct, frozen=True):
    """A source that sends nothing by itself: what happened since it was asked is not known yet."""

    source: str
    title: str
    asked_at: DateTime | None  # null until everything has been read once
    next_at: DateTime | None

    def sentence(self, shown: Callable[[str], str]) -> str:
        """When it was asked, and when it will be; `shown` writes an instant."""
        asked = "has not been read yet" if self.asked_at is None else f"was asked at {shown(self.asked_at)}"
        return f"{self.title} {asked}" + ("" if self.next_at is None else f", next at {shown(self.next_at)}")


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


class ImportProgress(Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """The history that is being read, newest first."""

    start: DateTime
    end: DateTime
    reached: DateTime
    share: float


class ListedSource(Struct, frozen=True, rename={"progress": "import"}):
    """A source that a server follows; one from its environment has no id."""

    id: str | None
    origin: SourceOrigin
    source: str
    title: str
    repository: str
    name: str
    url: str
    app: str | None
    created_at: DateTime | None
    created_by: str | None
    state: SourceState
    progress: ImportProgress | None
    events: int
    last_delivery_at: DateTime | None
    next_at: DateTime | None
    error: str | None


class ListedApp(Struct, frozen=True):
    """A GitHub App that can read sources."""

    id: str
    slug: str
    owner: str
    url: str
    has_webhook: bool
    installed: tuple[str, ...]
    install_url: str
    created_at: DateTime


class ListedSources(Struct, frozen=True):
    """All sources that a server follows, and whether more can be added."""

    sources: tuple[ListedSource, ...]
    github_apps: tuple[ListedApp, ...]
    can_add: bool
    cannot_add_because: str | None
    is_reachable: bool
    public_url: str


class TestedSource(Struct, frozen=True):
    """Whether a source can be imported, in words; `field` is a JSON pointer to what is wrong."""

    is_ok: bool
    sentence: str
    field: str | None


class SourceCursor(Struct, frozen=True):
    """Where an import resumes; null if there was none."""

    cursor: str | None
    reached: DateTime | None


class SourceEvents(Struct, frozen=True):
    """What each source delivered, and how many events clients sent themselves."""

    sources: tuple[SourceOverview, ...]
    sent_events: int


class TranslatedAgain(Struct, frozen=True):
    threads: int
    events: int
