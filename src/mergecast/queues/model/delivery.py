"""One delivery of a source: a webhook, or an item of an imported page."""

from typing import NamedTuple

from mergecast.queues.model.repository import Repository

WEBHOOK, IMPORT = "webhook", "import"


class About(NamedTuple):
    """The title, author and address of a pull request, and its place in the queue where a source says it."""

    number: int
    title: str
    author: str
    url: str
    position: int | None = None


class Delivery(NamedTuple):
    """One delivery, with the few fields that translation reads. Instants are microseconds since the epoch."""

    source: str
    kind: str  # webhook or import
    guid: str  # what the platform calls it, or the id of the imported item
    digest: bytes  # SHA-256 of the body
    event: str
    action: str
    received_at: int
    body: bytes
    # Deliveries of one thread are translated together; without a thread, nothing is translated.
    thread: str | None = None
    happened_at: int = 0  # by the platform's own clock, where the delivery says it
    fields: str = ""  # the observations, in JSON
    # Whether this delivery alone shows that the thread concerns a queue. Any pull request can be closed.
    is_about_queue: bool = False
    branch: str | None = None  # a push to this branch matters if the branch has a queue
    about: About | None = None
    # It belongs to the thread that owns this commit; `thread` is where it is stored until there is one.
    commit: str | None = None


LEASE_SECONDS = 90  # how long a server follows a source without saying so again
# A lease that ends later than this is from a wrong clock. The minute is for a server that reads the clock and
# is delayed before it asks for the lease: meanwhile the holder may have renewed it.
LONGEST_LEASE_SECONDS = LEASE_SECONDS + 60


def following_name(source: str, repository: Repository | str) -> str:
    """The name of the lease for following a source of a repository."""
    return f"follow {source} {repository}".lower()
