"""The tables of what sources delivered. A row type is the only list of a table's columns."""

from typing import NamedTuple


class DeliveryRow(NamedTuple):
    """One delivery; translation reads `fields`, and only a version that sees more in it reads the body."""

    repository_id: int
    number: int
    thread: int
    source: str
    kind: str
    guid: str
    digest: bytes
    event: str
    action: str
    received_at: int
    happened_at: int
    is_about_queue: bool
    fields: bytes  # compressed observations
    body: bytes | None  # compressed; dropped when it is old
    dictionary: str | None  # what the body was compressed with


class DictionaryRow(NamedTuple):
    """A body that serves as the dictionary of later ones, which repeat most of it."""

    repository_id: int
    id: str
    made_at: int
    body: bytes


class ThreadRow(NamedTuple):
    """Deliveries that are translated together. Threads and subjects share their numbers."""

    repository_id: int
    number: int
    source: str
    name: str
    standing: str  # what other threads need to know about it, in JSON
    first_at: int
    last_at: int
    is_about_queue: bool
    translation: int | None = None  # the version that it was translated with last; None: never


class ThreadLinkRow(NamedTuple):
    """A name that a thread owns, or is built on."""

    repository_id: int
    thread: int
    is_owner: bool
    name: str


class WaitingThreadRow(NamedTuple):
    """A thread with untranslated deliveries, and when they happened. A thread may have several rows.

    A thread that is translated again without new deliveries has a row whose end is before its beginning.
    """

    repository_id: int
    thread: int
    first_at: int
    last_at: int


class UntranslatedRow(NamedTuple):
    """How often something in a thread could not be translated, and why."""

    repository_id: int
    thread: int
    source: str
    reason: str
    times: int
    last_at: int


class SkippedRow(NamedTuple):
    """How many deliveries were counted and not kept."""

    repository_id: int
    source: str
    event: str
    action: str
    times: int


class SourceRow(NamedTuple):
    """How many deliveries a source has, and when the first and the last were received."""

    repository_id: int
    source: str
    kind: str
    deliveries: int
    first_at: int
    last_at: int


class ExpiredRow(NamedTuple):
    """How much arrived from a source although it was older than what is kept."""

    repository_id: int
    source: str
    kind: str
    times: int


class CursorRow(NamedTuple):
    """Where an import resumes."""

    repository_id: int
    source: str
    position: str | None
    reached: int | None


class PullRequestRow(NamedTuple):
    """The newest title, author and URL of a pull request, and its position in the queue."""

    repository_id: int
    number: int
    title: str
    author: str
    url: str
    known_at: int
    position: int | None = None
    positioned_at: int | None = None
