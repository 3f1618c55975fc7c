"""Stores deliveries in a held repository; their threads then wait for translation."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mergecast.errors import Conflict
from mergecast.queues.model.delivery import IMPORT, WEBHOOK, About, Delivery
from mergecast.queues.store.expired import count_expired, expired_before
from mergecast.queues.store.field_packing import pack_fields, plain_fields
from mergecast.queues.store.held_repository import (
    HeldRepository,
    SubjectName,
    subject_keys,
    thread_name,
    unless_renamed,
)
from mergecast.queues.store.keys import all_halves
from mergecast.queues.store.rows import (
    CursorRow,
    DeliveryRow,
    DictionaryRow,
    PullRequestRow,
    SkippedRow,
    SourceRow,
    SubjectRow,
    ThreadRow,
    WaitingThreadRow,
)
from mergecast.queues.store.stored_rows import delete_rows, stored_rows
from mergecast.queues.store.values import Deliveries, DeliveryReceipt, PackedDelivery

# The name of an event is not signed: anyone could invent more of them.
_MOST_KINDS = 200
_OTHER = "other"
_Kind = tuple[str, str, str]  # source, event and action


@dataclass(slots=True)
class ArrivedThread:
    """A thread with arriving deliveries; the lists contain the new ones."""

    source: str
    name: str
    key: SubjectName
    number: int = 0
    is_new: bool = True
    is_about_queue: bool = False
    newest: int = 0  # when the last of all arriving deliveries happened
    is_of_strays: bool = False  # there is nothing to translate until its deliveries have moved
    known: set[str | bytes] = field(default_factory=set)  # ids and digests of its deliveries
    fields: list[str] = field(default_factory=list)
    instants: list[int] = field(default_factory=list)

    def row(self, repository_id: int) -> ThreadRow:
        """The row of a new thread; translation completes it."""
        first, last = min(self.instants), max(self.instants)
        return ThreadRow(
            repository_id, self.number, self.source, self.name, "", first, last, self.is_about_queue
        )


def receive(held: HeldRepository, given: Sequence[Deliveries]) -> list[DeliveryReceipt | Conflict]:
    """Store what is new; returns the result for each group of deliveries."""
    return unless_renamed(held, given, [deliveries.repository_id for deliveries in given], _receive)


def _receive(held: HeldRepository, given: Sequence[Deliveries]) -> list[DeliveryReceipt]:
    receipts, threads = store_deliveries(held, given)
    leave_waiting(held, threads)
    return receipts


def leave_waiting(held: HeldRepository, threads: Sequence[ArrivedThread]) -> None:
    """Mark threads as waiting for translation, except those of strays."""
    id = held.state.id
    held.insert([thread.row(id) for thread in threads if thread.is_new])
    waiting = [thread for thread in threads if not thread.is_of_strays]
    held.insert(
        [
            WaitingThreadRow(id, thread.number, min(thread.instants), max(thread.instants))
            for thread in waiting
        ]
    )


def store_deliveries(
    held: HeldRepository, given: Sequence[Deliveries]
) -> tuple[list[DeliveryReceipt], list[ArrivedThread]]:
    """Store deliveries; the caller translates the threads with new ones, or marks them as waiting."""
    receiving = _Receiving(held, given)
    receipts = receiving.add_all()
    held.give_way()
    receiving.write()
    held.give_way()
    cursors = [deliveries.cursor for deliveries in given if deliveries.cursor is not None]
    newest = {cursor.source: cursor for cursor in cursors}
    delete_rows(held, CursorRow, source=newest)
    held.insert([CursorRow(held.state.id, *cursor) for cursor in newest.values()])
    platform_ids = [deliveries.platform_id for deliveries in given if deliveries.platform_id is not None]
    if newest or (platform_ids and held.state.platform_id is None):
        held.save(replace(held.state, platform_id=held.state.platform_id or max(platform_ids, default=None)))
    return receipts, receiving.changed_threads()


class _Receiving:
    def __init__(self, held: HeldRepository, given: Sequence[Deliveries]) -> None:
        self._held = held
        self._threads: dict[tuple[str, str], ArrivedThread] = {}
        groups = [deliveries.packed for deliveries in given]
        self._limits = [expired_before(held.state.kept_since, deliveries.keep_from) for deliveries in given]
        owners = self._owners_of_commits([packed.delivery for group in groups for packed in group])
        self._arriving = [
            [(packed, self._thread(_with_owner(packed.delivery, owners))) for packed in group]
            for group in groups
        ]
        self._keys = subject_keys(held.state.id, [thread.key for thread in self._threads.values()])
        self._find_known()
        self._accepted: list[tuple[PackedDelivery, ArrivedThread, bool]] = []
        self._skipped: list[Delivery] = []
        self._repeated: list[Delivery] = []
        self._expired: Counter[tuple[str, str]] = Counter()  # by source and kind

    def _owners_of_commits(self, deliveries: Sequence[Delivery]) -> dict[tuple[str, str], str]:
        """The names of the threads that own the commits of stray deliveries, by source and commit."""
        commits = sorted({delivery.commit for delivery in deliveries if delivery.commit is not None})
        linked = self._held.rows("owners_of_names", commits) if commits else []
        rows = stored_rows(self._held.rows, ThreadRow, number=[number for _, number in linked])
        threads = {row.number: row for row in rows}
        return {
            (threads[number].source, commit): threads[number].name
            for commit, number in sorted(linked, reverse=True)
            if number in threads
        }

    def _thread(self, delivery: Delivery) -> ArrivedThread | None:
        source, name = delivery.source, delivery.thread
        if name is None:
            return None
        thread = self._threads.get((source, name))
        if thread is None:
            is_of_strays = delivery.commit is not None
            thread = ArrivedThread(source, name, thread_name(source, name), is_of_strays=is_of_strays)
            self._threads[source, name] = thread
        thread.is_about_queue |= delivery.is_about_queue
        thread.newest = max(thread.newest, delivery.happened_at)
        return thread

    def _find_known(self) -> None:
        """Find which threads and deliveries are already stored."""
        numbers = self._held.subject_numbers(self._keys)
        if not numbers:
            return
        known: dict[int, ArrivedThread] = {}
        for thread in self._threads.values():
            number = numbers.get(thread.key)
            if number is not None:
                thread.number, thread.is_new = number, False
                known[number] = thread
        uncertain = [number for number, thread in known.items() if not thread.is_about_queue]
        for stored in stored_rows(self._held.rows, ThreadRow, number=uncertain):
            known[stored.number].is_about_queue = stored.is_about_queue
        of_known = [
            packed.delivery
            for group in self._arriving
            for packed, of_it in group
            if of_it is not None and not of_it.is_new
        ]
        guids, digests = [delivery.guid for delivery in of_known], [delivery.digest for delivery in of_known]
        for number, *ids in self._held.rows("known_deliveries", list(known), guids, digests):
            known[number].known.update(ids)

    def add_all(self) -> list[DeliveryReceipt]:
        return [self._add(group, limit) for group, limit in zip(self._arriving, self._limits, strict=True)]

    def _add(
        self, arriving: Sequence[tuple[PackedDelivery, ArrivedThread | None]], limit: int | None
    ) -> DeliveryReceipt:
        """Count what is older than the limit, unless its thread is known or has something newer."""
        stored = duplicates = not_kept = expired = 0
        for packed, thread in arriving:
            delivery = packed.delivery
            if thread is None:
                self._skipped.append(delivery)
                not_kept += 1
                continue
            if limit is not None and thread.is_new and thread.newest < limit:
                self._expired[delivery.source, delivery.kind] += 1
                expired += 1
                continue
            known, guid, digest = thread.known, delivery.guid, delivery.digest
            if guid in known or digest in known:
                duplicates += 1
                self._repeated.append(delivery)
                continue
            known.add(guid)
            known.add(digest)
            is_certain = thread.is_about_queue or self._has_queue(delivery.branch)
            self._accepted.append((packed, thread, is_certain))
            if is_certain:
                stored += 1
            else:
                self._skipped.append(delivery)
                not_kept += 1
        return DeliveryReceipt(stored, duplicates, not_kept, expired)

    def _has_queue(self, branch: str | None) -> bool:
        return branch is not None and any(group.base_ref == branch for group in self._held.groups())

    def changed_threads(self) -> list[ArrivedThread]:
        return [thread for thread in self._threads.values() if thread.instants]

    def write(self) -> None:
        """New rows come first: making them takes long, and what follows changes stored ones."""
        certain = [packed.delivery for packed, _, is_certain in self._accepted if is_certain]
        if self._accepted:
            self._write_accepted(certain)
        if self._skipped:
            self._count_skipped()
        if self._expired:
            count_expired(self._held, self._expired)
        note_pull_requests(self._held, certain, self._repeated)

    def _write_accepted(self, certain: Sequence[Delivery]) -> None:
        held = self._held
        accepted = {thread.key for _, thread, _ in self._accepted}
        new = [thread for thread in self._threads.values() if thread.is_new and thread.key in accepted]
        for number, thread in enumerate(new, start=held.state.last_subject + 1):
            thread.number = number
        keys = all_halves(self._keys[thread.key] for thread in new)
        held.insert(
            [SubjectRow(held.state.id, thread.number, *key) for thread, key in zip(new, keys, strict=True)]
        )
        held.insert(self._delivery_rows())
        held.insert(self._dictionaries())
        self._count(certain)
        state = held.state
        held.save(
            replace(
                state,
                deliveries=state.deliveries + len(self._accepted),
                last_delivery=state.last_delivery + len(self._accepted),
                last_subject=state.last_subject + len(new),
            )
        )

    def _delivery_rows(self) -> list[DeliveryRow]:
        state = self._held.state
        rows = []
        for number, (packed, thread, is_kept) in enumerate(self._accepted, start=state.last_delivery + 1):
            thread.fields.append(packed.delivery.fields)
            thread.instants.append(packed.delivery.happened_at)
            thread.is_about_queue |= is_kept
            rows.append(_delivery_row(state.id, number, thread.number, packed, is_kept=is_kept))
        return rows

    def _dictionaries(self) -> list[DictionaryRow]:
        """The new dictionaries of the deliveries that are stored; several may have the same."""
        first = {
            packed.dictionary: packed
            for packed, _, is_certain in reversed(self._accepted)
            if is_certain and packed.new_dictionary is not None
        }
        return [
            DictionaryRow(self._held.state.id, id, packed.delivery.received_at, packed.new_dictionary)
            for id, packed in first.items()
            if id is not None and packed.new_dictionary is not None
        ]

    def _count(self, stored: Sequence[Delivery]) -> None:
        held = self._held
        received: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for delivery in stored:
            received[delivery.source, delivery.kind].append(delivery.received_at)
        new: list[SourceRow] = []
        for key, instants in received.items():
            more = (*key, len(instants), min(instants), max(instants))
            if not held.change_rows("add_to_source", *more):
                new.append(SourceRow(held.state.id, *more))
        held.insert(new)

    def _count_skipped(self) -> None:
        """Most arrive one by one and are of a known kind, so that one row changes."""
        held = self._held
        new = self._not_counted(
            Counter((skipped.source, skipped.event, skipped.action) for skipped in self._skipped)
        )
        if new:
            room = max(0, _MOST_KINDS - len(stored_rows(held.rows, SkippedRow)))
            other = Counter[_Kind]()
            for source, event, action in list(new)[room:]:
                other[source, _OTHER, ""] += new.pop((source, event, action))
            rows = {**new, **self._not_counted(other)}
            held.insert([SkippedRow(held.state.id, *kind, times) for kind, times in rows.items()])
        held.save(held.state)

    def _not_counted(self, times: Mapping[_Kind, int]) -> dict[_Kind, int]:
        """Add to the stored counts; returns the kinds that have no stored count yet."""
        change_rows = self._held.change_rows
        return {kind: more for kind, more in times.items() if not change_rows("add_to_skipped", *kind, more)}


def _with_owner(delivery: Delivery, owners: Mapping[tuple[str, str], str]) -> Delivery:
    owner = owners.get((delivery.source, delivery.commit or ""))
    return delivery if owner is None else delivery._replace(thread=owner, commit=None)


def _delivery_row(
    repository_id: int, number: int, thread: int, packed: PackedDelivery, *, is_kept: bool
) -> DeliveryRow:
    delivery = packed.delivery
    row = (
        repository_id,
        number,
        thread,
        delivery.source,
        delivery.kind,
        delivery.guid,
        delivery.digest,
        delivery.event,
        delivery.action,
        delivery.received_at,
        delivery.happened_at,
        is_kept,
        plain_fields(delivery.fields) if delivery.kind == IMPORT else pack_fields(delivery.fields),
        packed.body if is_kept else None,
        packed.dictionary if is_kept else None,
    )
    return DeliveryRow._make(row)


def note_pull_requests(held: HeldRepository, new: Sequence[Delivery], repeated: Sequence[Delivery]) -> None:
    """Keep the newest title, author, URL and position of each pull request.

    An entry of the queue is a duplicate whenever the queue is read again, but its place may have changed.
    """
    titled = _newest(new)
    placed = {
        number: delivery
        for number, delivery in _newest([*repeated, *new]).items()
        if delivery.about is not None and delivery.about.position is not None
    }
    numbers = titled.keys() | placed.keys()
    if not numbers:
        return
    stored = stored_rows(held.rows, PullRequestRow, number=sorted(numbers))
    known = {row.number: row for row in stored}
    rows = known | _with_titles(held.state.id, known, titled)
    # An entry that is read for the first time may have the place that an earlier one of its pull request had.
    rows |= _places(rows, placed, is_changed=bool(placed.keys() & titled.keys()))
    changed = [row for number, row in sorted(rows.items()) if row != known.get(number)]
    if changed:
        delete_rows(held, PullRequestRow, number=[row.number for row in changed])
        held.insert(changed)
        held.save(held.state)


def describe_pull_requests(held: HeldRepository, descriptions: Iterable[About]) -> None:
    """Keep the titles, authors and URLs that a client has sent."""
    sent = [
        Delivery("api", WEBHOOK, "", b"", "", "", held.now, b"", about=description)
        for description in descriptions
    ]
    note_pull_requests(held, sent, ())


def _newest(deliveries: Iterable[Delivery]) -> dict[int, Delivery]:
    """The delivery received last for each pull request."""
    titled = [delivery for delivery in deliveries if delivery.about is not None]
    in_order = sorted(titled, key=lambda delivery: delivery.received_at)
    return {delivery.about.number: delivery for delivery in in_order if delivery.about is not None}


def _with_titles(
    repository_id: int, known: Mapping[int, PullRequestRow], titled: Mapping[int, Delivery]
) -> dict[int, PullRequestRow]:
    rows: dict[int, PullRequestRow] = {}
    for number, delivery in titled.items():
        before = known.get(number)
        if delivery.about is not None and (before is None or before.known_at <= delivery.received_at):
            place = (None, None) if before is None else (before.position, before.positioned_at)
            row = PullRequestRow(repository_id, *delivery.about[:4], delivery.received_at, *place)
            # GitLab's list of a train does not name the author.
            rows[number] = row._replace(author=before.author) if before and not row.author else row
    return rows


def _places(
    rows: Mapping[int, PullRequestRow], placed: Mapping[int, Delivery], *, is_changed: bool
) -> dict[int, PullRequestRow]:
    """The rows with places; none if all have their place already.

    Entries read together get the same instant.
    """
    found = {
        number: rows[number]._replace(position=delivery.about.position, positioned_at=delivery.received_at)
        for number, delivery in placed.items()
        if number in rows
        and delivery.about is not None
        and (rows[number].positioned_at or 0) <= delivery.received_at
    }
    is_changed |= any(row.position != rows[number].position for number, row in found.items())
    return found if is_changed else {}
