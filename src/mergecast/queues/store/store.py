"""The store as the rest of the program sees it; the packages `sqlite` and `postgres` implement it.

Reading, and every change of one repository, is written here once. A kind of store says how it finds and holds
a repository and how it runs a query.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from mergecast.errors import Conflict, FieldError
from mergecast.process.background import WantedLease
from mergecast.process.lru import BoundedCache
from mergecast.queues.model.ci_check import AnyEvent, CiCheckReport
from mergecast.queues.model.credentials import ApplicationKey, Session
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import RepositoryNames
from mergecast.queues.store.add_deliveries import receive
from mergecast.queues.store.add_events import Recording
from mergecast.queues.store.changes import (
    delete_events,
    delete_snapshot,
    drop_old_deliveries,
    forget,
    put_snapshot,
    rebuild_subjects,
    remember_former_name,
    rename,
    set_products,
)
from mergecast.queues.store.ci.add import CiRecording
from mergecast.queues.store.ci.verify import rebuilding_ci_checks, verify_ci_checks
from mergecast.queues.store.delivery_copy import read_deliveries
from mergecast.queues.store.expired import SENT, count_expired, find_expired
from mergecast.queues.store.held_repository import (
    HeldRepository,
    NamedEvent,
    SharedRows,
    named,
    unless_renamed,
)
from mergecast.queues.store.reader import Reader, check_exists
from mergecast.queues.store.rows import CursorRow, SnapshotRow
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import (
    READY,
    Cursor,
    Deliveries,
    DeliveryReceipt,
    Health,
    KnownRepository,
    Lease,
    OpenSnapshots,
    PackedDelivery,
    Receipt,
    RecordedSnapshot,
    Selection,
    Sent,
    count_fitting,
)
from mergecast.queues.store.verify import (
    Verification,
    verify_events,
    verify_state,
    verify_subjects,
    verify_verdicts,
)

T = TypeVar("T")
R = TypeVar("R")
# Work on one held repository for several items at once; the result has one entry per item.
BatchedWork = Callable[[HeldRepository, Sequence[T]], Sequence[R | Conflict]]
Turn = Callable[[], AbstractAsyncContextManager[object]]  # entered before each query of a long piece of work

QUERY_SECONDS = 30.0
# How many queries of callers run at once; many more would starve the writer of an embedded store.
QUERIES = 3
_SUBJECTS_PER_TRANSACTION = 5_000
_PAGE = 5_000
_PAGE_CHARACTERS = 1 << 20
_RECENT_BYTES = 16 << 20
_ENTRY_BYTES = 500  # what an entry costs besides its text


class Store(ABC):
    # How often a server may ask for something that could be in any repository.
    look_seconds = 1.0
    is_shared = False  # whether several servers may use it
    other_backup: str | None = None  # how to back it up, if it does not write a copy of itself

    def __init__(self) -> None:
        self._recent: BoundedCache[tuple[int, int, int], bytes] = BoundedCache(_RECENT_BYTES, _size)

    # What each kind of store implements.

    @abstractmethod
    async def repository(self, name: Repository) -> KnownRepository | None:
        """The repository as of now; every change acknowledged before the call is part of it."""

    @abstractmethod
    async def repositories(self, owner: str | None = None) -> list[KnownRepository]:
        """All repositories, or those of an owner, whose name is in lower case; sorted by name."""

    @abstractmethod
    async def read(
        self, repository_id: int | None, work: Callable[[Reader], T], *, seconds: float = QUERY_SECONDS
    ) -> T:
        """Run `work` in a reader thread; a query that runs longer than `seconds` raises `QueryTooSlow`.

        A reader sees one moment. With None, the work is short: it reads what belongs to no repository.
        """

    @abstractmethod
    async def run_batched(self, name: Repository, work: BatchedWork[T, R], item: T, size: int) -> R:
        """Run `work` on the held repository, once for all items of the same work that wait together.

        Returns when the changes are durable. `size` limits how many items are taken together. The work
        creates the repository by saving its state. If a result is a `Conflict`, it is raised.
        """

    @abstractmethod
    async def change(
        self, name: Repository, work: Callable[[HeldRepository], T], *, create: bool
    ) -> T | None:
        """Run `work` on the held repository in one transaction; returns when its changes are durable.

        Without `create`, a repository that does not exist is not changed and the result is None.
        """

    @abstractmethod
    async def change_shared(self, work: Callable[[SharedRows], T]) -> T:
        """Run `work` on rows that belong to no repository, in one transaction; returns once it is durable."""

    @abstractmethod
    async def repositories_with_platform_id(self, id: int) -> list[KnownRepository]:
        """The repositories that have this id on a platform, whatever their names are here, oldest first.

        Whoever has a webhook secret can send any id, so several owners' repositories may have the same.
        """

    @abstractmethod
    async def repository_formerly_named(self, name: Repository) -> KnownRepository | None:
        """The repository that had this name before a rename; of several, the newest."""

    @abstractmethod
    async def take_lease(self, lease: Lease, now: int, longest: int) -> bool:
        """Take or renew a lease unless another holder has it; returns whether it was taken.

        A lease that lasts longer than `longest` from now on is from before the clock was set back, and over.
        """

    async def lease(self, wanted: WantedLease, now: int, /) -> bool:
        at = await self.shared_now(now)
        lease = Lease(wanted.name, wanted.holder, at + wanted.length, wanted.next_at, wanted.error)
        # Another server may have read the time after this one and taken the lease before it.
        return await self.take_lease(lease, at, wanted.longest + MINUTE)

    async def shared_now(self, now: int) -> int:
        """The time by which all servers of this store measure leases; `now` is the time of this server."""
        return now

    @abstractmethod
    async def application_keys(self) -> Mapping[str, ApplicationKey]:
        """All keys by id; a revoked key is not among them from the moment of its revocation."""

    @abstractmethod
    async def add_application_key(self, key: ApplicationKey) -> None:
        """Done once the key is durable."""

    @abstractmethod
    async def remove_application_key(self, id: str) -> ApplicationKey | None:
        """Delete a key and return it, if there was one; done once that is durable."""

    @abstractmethod
    async def mark_as_used(self, uses: Mapping[str, int]) -> None:
        """Write when each of these keys was last used; keys that no longer exist are skipped."""

    @abstractmethod
    async def session(self, digest: bytes) -> Session | None:
        """The session with this digest, expired or not."""

    @abstractmethod
    async def add_session(self, session: Session) -> None:
        """Done once it is durable. Expired sessions, and the oldest if there are many, are deleted."""

    @abstractmethod
    async def remove_session(self, digest: bytes) -> Session | None:
        """Delete a session and return it, if there was one; only one of several callers gets it."""

    @abstractmethod
    async def size(self) -> int:
        """Bytes on disk."""

    @abstractmethod
    async def back_up(self, target: Path) -> None:
        """Write a consistent copy of the whole store to a new file."""

    @abstractmethod
    def close(self) -> None:
        """Finish the changes that were submitted, then release everything."""

    # What all of them share.

    async def ping(self) -> Health:
        """Raise an error unless the store answers; returns whether all parts of it do."""
        await self.read(None, lambda reader: reader.rows("ready", []))
        return READY

    async def record(
        self,
        name: Repository,
        events: Sequence[AnyEvent],
        keep_from: int | None = None,
        repository_id: int | None = None,
    ) -> Receipt:
        """Store a delivery whole, or raise `Conflict`; done once every new event is durable.

        The repository is created with its first event. What was deleted because of its age, and is older than
        `keep_from`, is not stored again. Raises `RepositoryRenamed` if the repository with this id no longer
        has the name.
        """
        return await self.run_batched(name, record, Sent(events, keep_from, repository_id), len(events))

    async def receive(self, name: Repository, deliveries: Deliveries) -> DeliveryReceipt:
        """Store deliveries of a source; done once they are durable. Their threads wait for translation."""
        return await self.run_batched(name, receive, deliveries, len(deliveries.packed))

    async def cursor(self, known: KnownRepository, source: str) -> Cursor:
        """Where the import of a source resumes; empty if there was none."""
        read = partial(read_rows, repository_id=known.id, row_type=CursorRow)
        found = [row for row in await self.read(known.id, read) if row.source == source]
        return Cursor(source, found[0].position, found[0].reached) if found else Cursor(source, None, None)

    async def derived_events(self, known: KnownRepository) -> dict[str, int]:
        """How many events were translated from each source."""
        statement = "derived_events_of_sources"
        rows = await self.read(known.id, lambda reader: reader.rows(statement, [known.id]))
        return {source: count for source, count, *_ in rows}

    async def repositories_listed(self, statement: str, *parameters: object) -> list[Repository]:
        """The repositories whose ids a statement of `queues/store/sql` lists."""

        def read(reader: Reader) -> list[Repository]:
            ids = reader.column(statement, parameters)
            return [Repository(*row) for row in reader.rows("names_of_repositories", [ids])] if ids else []

        return await self.read(None, read)

    async def repositories_with_waiting_threads(self) -> list[Repository]:
        """The repositories in which threads wait for translation."""
        return await self.repositories_listed("waiting_repositories")

    async def repositories_with_outdated_threads(self, source: str, version: int) -> list[Repository]:
        """The repositories with threads of a source that an earlier version of translation translated."""
        return await self.repositories_listed("outdated_repositories", source, version)

    async def repositories_to_compare(self, hour: int) -> list[Repository]:
        """The repositories with reference periods that were not compared up to this hour."""
        return await self.repositories_listed("repositories_to_compare", hour)

    async def leases(self) -> list[Lease]:
        """All leases, sorted by name."""
        return [Lease(*row) for row in await self.read(None, lambda reader: reader.rows("leases", []))]

    async def drop_old_deliveries(self, name: Repository, now: int, keep: int) -> int:
        """Drop the bodies of deliveries older than `keep`; returns how many there were."""
        work = partial(drop_old_deliveries, now=now, keep=keep)
        return await self.change(name, work, create=False) or 0

    async def rename(
        self, name: Repository, new: Repository, platform_id: int, names: RepositoryNames | None = None
    ) -> bool:
        """Rename a repository unless the new name is taken; returns whether it was renamed.

        `names` are all its names after that; without them, the present name becomes a former one.
        """
        work = partial(rename, name=new, platform_id=platform_id, names=names)
        return bool(await self.change(name, work, create=False))

    async def remember_former_name(self, name: Repository, former: Repository, platform_id: int) -> None:
        """Remember a rename of a repository that may be stored under its new name only, or not at all."""
        work = partial(remember_former_name, former=former, platform_id=platform_id)
        await self.change(name, work, create=True)

    async def delete_events(self, selection: Selection) -> int:
        """Delete the selected events; returns how many there were."""
        work = partial(delete_events, selection=selection)
        return await self.change(selection.repository, work, create=False) or 0

    async def forget(self, name: Repository) -> int:
        """Delete everything about a repository; returns how many events it had."""
        return await self.change(name, forget, create=False) or 0

    async def rebuild(self, name: Repository, turn: Turn = nullcontext) -> int:
        """Recompute all facts of a repository from its events; returns the number of subjects.

        Many small transactions let deliveries through in between. Every query takes a turn.
        """
        known = await self.repository(name)
        if known is None:
            return 0
        async with turn():
            subjects = await self._subjects(known)
        for start in range(0, len(subjects), _SUBJECTS_PER_TRANSACTION):
            chunk = subjects[start : start + _SUBJECTS_PER_TRANSACTION]
            await self.change(name, partial(rebuild_subjects, subjects=chunk, of=known.id), create=False)
        async with turn():
            works = await self.read(known.id, partial(rebuilding_ci_checks, repository_id=known.id))
        for work in works:
            await self.change(name, work, create=False)
        return len(subjects)

    async def set_products(self, name: Repository, products: tuple[str, ...], id: int | None = None) -> None:
        """Raises `RepositoryRenamed` if the repository with this id no longer has the name."""
        await self.change(name, partial(set_products, products=products, repository_id=id), create=True)

    async def put_snapshot(self, name: Repository, snapshot: RecordedSnapshot, id: int | None = None) -> None:
        """Raises `RepositoryRenamed` if the repository with this id no longer has the name."""
        await self.change(name, partial(put_snapshot, snapshot=snapshot, repository_id=id), create=True)

    async def delete_snapshot(self, name: Repository, number: int) -> bool:
        """Delete the snapshot of a pull request; returns whether there was one."""
        return bool(await self.change(name, partial(delete_snapshot, number=number), create=False))

    async def snapshot(self, known: KnownRepository, number: int) -> bytes | None:
        """The recorded document of a pull request, in JSON."""
        # The key names the state of the repository, so that an entry is never out of date.
        key = (known.id, known.recordings, number)
        document = self._recent.get(key)
        if document is None:
            rows = await self.read(known.id, partial(_snapshots, repository_id=known.id, number=number))
            if not rows:
                return None
            document = rows[0].document.encode()
            self._recent.put(key, document)
        return document

    async def snapshot_numbers(self, known: KnownRepository) -> list[tuple[int, bool]]:
        """The pull requests that have a snapshot, and whether each is open."""
        rows = await self.read(known.id, lambda reader: reader.rows("snapshot_numbers", [known.id]))
        return [(number, is_open) for number, is_open in rows]

    async def open_snapshots(self, known: KnownRepository, most: int, most_bytes: int) -> OpenSnapshots:
        """The newest snapshots: at most `most`, and together at most `most_bytes`."""
        return await self.read(
            known.id, lambda reader: read_open_snapshots(reader, known.id, most, most_bytes)
        )

    async def verify(self, known: KnownRepository, turn: Turn = nullcontext) -> Verification:
        """Read everything about a repository once, and compare its facts with its events.

        Every query takes a turn.
        """

        async def read(work: Callable[[Reader], T]) -> T:
            async with turn():
                return await self.read(known.id, work)

        total, number = Verification(), 0
        while page := await read(partial(_page, known=known, after=number, statement="events_page")):
            number = page[-1][0]
            total = total.plus(await read(partial(verify_events, repository_id=known.id, page=page)))
        for number, _ in await read(lambda reader: reader.rows("snapshot_numbers", [known.id])):
            await read(partial(_snapshots, repository_id=known.id, number=number))
            total = total.plus(Verification(snapshots=1))
        last = 0
        while deliveries := await read(partial(read_deliveries, repository_id=known.id, after=last)):
            last = deliveries[-1][0]
            total = total.plus(Verification(deliveries=len(deliveries)))
        async with turn():
            subjects = await self._subjects(known)
        for start in range(0, len(subjects), _SUBJECTS_PER_TRANSACTION):
            chunk = subjects[start : start + _SUBJECTS_PER_TRANSACTION]
            total = total.plus(await read(partial(verify_subjects, repository_id=known.id, subjects=chunk)))
        total = total.plus(await verify_ci_checks(read, known.id))
        total = total.plus(await read(partial(verify_verdicts, known=known)))
        return total.plus(await read(partial(verify_state, known=known, found=total)))

    async def read_application_keys(self) -> int:
        """Read all application keys from the store, whatever is in memory; returns how many there are."""
        ((keys, _),) = await self.read(None, lambda reader: reader.rows("application_keys", []))
        return int(keys)

    async def _subjects(self, known: KnownRepository) -> list[int]:
        return await self.read(known.id, lambda reader: reader.column("subjects_of_repository", [known.id]))

    async def deliveries(self, known: KnownRepository) -> AsyncIterator[list[PackedDelivery]]:
        """All deliveries, page by page in the order of storing."""
        number = 0
        while page := await self.read(
            known.id, partial(read_deliveries, repository_id=known.id, after=number)
        ):
            yield [packed for _, packed in page]
            number = page[-1][0]

    async def export(self, known: KnownRepository, *, is_sent: bool = False) -> AsyncIterator[list[Event]]:
        """The events stored so far, or only those that clients sent, page by page in the order of storing.

        Raises `NotFound` when the repository is deleted meanwhile.
        """
        number, statement = 0, "sent_events_page" if is_sent else "events_page"
        while True:
            page = await self.read(known.id, partial(_page, known=known, after=number, statement=statement))
            if not page:
                return
            yield [event for _, event in page]
            number = page[-1][0]


def _page(reader: Reader, known: KnownRepository, after: int, statement: str) -> list[tuple[int, Event]]:
    check_exists(reader, known)
    rows = reader.rows(statement, [known.id, after, known.last_event, _PAGE, _PAGE_CHARACTERS])
    return [(number, Event(*content)) for number, *content in rows]


def _snapshots(reader: Reader, repository_id: int, number: int) -> list[SnapshotRow]:
    return read_rows(reader, repository_id, SnapshotRow, number=[number])


def _size(document: bytes) -> int:
    return len(document) + _ENTRY_BYTES


def read_open_snapshots(reader: Reader, repository_id: int, most: int, most_bytes: int) -> OpenSnapshots:
    """The newest ones that fit: at most `most`, and together at most `most_bytes`."""
    sizes = reader.rows("sizes_of_open_snapshots", [repository_id])
    kept = count_fitting((size for _, size in sizes[:most]), most_bytes)
    rows = reader.rows("open_snapshots", [repository_id, [number for number, _ in sizes[:kept]]])
    records = tuple((number, document.encode()) for number, document in rows)
    return OpenSnapshots(records, len(sizes) - len(records))


class _Delivery(NamedTuple):
    """The two parts of a delivery, and the place that each event had in it; without what is too old."""

    events: Sequence[NamedEvent]
    places: Sequence[int]
    reports: Sequence[tuple[int, CiCheckReport]]
    expired: Sequence[str] = ()  # the source of each event that is too old


def record(held: HeldRepository, deliveries: Sequence[Sent]) -> list[Receipt | Conflict]:
    """Store the new events; returns the result of each delivery.

    A delivery that contradicts what is stored, or an earlier delivery of this call, is left out whole.
    """
    ids = [delivery.repository_id for delivery in deliveries]
    return unless_renamed(held, deliveries, ids, _record)


def _record(held: HeldRepository, deliveries: Sequence[Sent]) -> list[Receipt | Conflict]:
    split = [_split(held, delivery) for delivery in deliveries]
    held.give_way()
    events = Recording(held, [delivery.events for delivery in split])
    checks = CiRecording(held, [report for delivery in split for _, report in delivery.reports])
    results = [_add(delivery, events, checks) for delivery in split]
    held.give_way()
    events.write()
    checks.write()
    if expired := Counter((source, SENT) for delivery in split for source in delivery.expired):
        count_expired(held, expired)
    return results


def _split(held: HeldRepository, sent: Sent) -> _Delivery:
    delivery = sent.events
    expired = find_expired(held, delivery, sent.keep_from)
    if not expired and CiCheckReport not in set(map(type, delivery)):  # much faster than looking at each
        return _Delivery([named(event) for event in delivery if isinstance(event, Event)], (), ())
    kept = [(place, event) for place, event in enumerate(delivery) if place not in expired]
    own = [(place, event) for place, event in kept if isinstance(event, Event)]
    reports = [(place, event) for place, event in kept if isinstance(event, CiCheckReport)]
    sources = [delivery[place].source for place in expired]
    return _Delivery([named(event) for _, event in own], [place for place, _ in own], reports, sources)


def _add(delivery: _Delivery, events: Recording, checks: CiRecording) -> Receipt | Conflict:
    if errors := checks.errors(delivery.reports):
        return Conflict(errors)
    result = events.add(delivery.events)
    if isinstance(result, Conflict):
        return Conflict([_moved(error, delivery.places) for error in result.errors], result.more)
    more = checks.add(delivery.reports)
    stored, duplicates = result.stored + more.stored, result.duplicates + more.duplicates
    return Receipt(stored, duplicates, len(delivery.expired))


def _moved(error: FieldError, places: Sequence[int]) -> FieldError:
    """The error with the place that its event had in the whole delivery."""
    if not places:
        return error
    _, place, *field = error.name.split("/")
    return replace(error, name="/".join(["", str(places[int(place)]), *field]))
