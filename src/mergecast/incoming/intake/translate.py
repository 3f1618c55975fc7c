"""Translates threads of a held repository: waiting ones, or those that just arrived."""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from mergecast.incoming.intake.event_bodies import to_wire
from mergecast.incoming.intake.event_rules import are_plainly_valid, read_event
from mergecast.incoming.intake.given_up import given_up_among
from mergecast.incoming.intake.loading import LoadedThread, ThreadLoader, read_bodies_again
from mergecast.incoming.intake.outdated import current_version, outdated_threads, set_translated
from mergecast.incoming.intake.replace_checks import Circumstances, Times, replace_checks
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.translation import MOST_DELIVERIES, Translation, Untranslated
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.store.add_deliveries import ArrivedThread, leave_waiting
from mergecast.queues.store.add_events import replace_derived
from mergecast.queues.store.ci.memory import NO_MEMORY, CiMemory
from mergecast.queues.store.field_packing import MOST_FIELD_BYTES, unpack_short_fields
from mergecast.queues.store.held_repository import HeldRepository, subject_keys, thread_name
from mergecast.queues.store.rows import ThreadLinkRow, ThreadRow, UntranslatedRow, WaitingThreadRow
from mergecast.queues.store.stored_rows import delete_rows, stored_rows
from mergecast.queues.store.values import count_fitting

THREADS_AT_ONCE = 500  # about a quarter of a second
# How many deliveries one transaction loads: while it runs, others who store wait.
MOST_LOADED = 500
# Threads of one branch that were active within this of each other can depend on each other.
_NEAR = DAY
# An empty span: its union with another span is that span.
_NOTHING_NEW = (2**62, -(2**62))
_LONGEST_REASON = 200
_LONGEST_LINK = 600  # an index of PostgreSQL accepts at most 2,700 bytes; no event has such a name


class Translated(NamedTuple):
    """The result of a translation, and whether more threads are waiting."""

    threads: int = 0
    events: int = 0
    is_done: bool = True
    seconds: float = 0.0  # of CPU time
    memory: CiMemory = NO_MEMORY  # for the next translation, once this one is committed


class _Renewed(NamedTuple):
    """How many events are new, what to remember, and whether all dependents were translated."""

    events: int
    memory: CiMemory
    is_complete: bool


class _Owner(NamedTuple):
    """The standing of a thread that others are built on, and when the thread was active."""

    standing: str
    first_at: int
    last_at: int


def translate_waiting(
    held: HeldRepository,
    times: Times,
    most: int,
    threads: int = THREADS_AT_ONCE,
    memory: CiMemory = NO_MEMORY,
) -> Translated:
    """Translate the threads that wait longest, and those that depend on what changed in them.

    It loads at most `most` deliveries, unless a single thread has more; other threads go on waiting. `memory`
    is what the last translation of this repository returned.
    """
    waiting = {row[0]: (row[1], row[2]) for row in held.rows("waiting_threads", threads)}
    if not waiting:
        return Translated(memory=memory)
    circumstances = Circumstances(times, memory)
    done, left = _translate_stored(held, waiting, given_up_among(held, waiting), circumstances, most)
    delete_rows(held, WaitingThreadRow, thread=waiting.keys() - left)
    return done._replace(is_done=done.is_done and len(waiting) < threads)


def translate_outdated(
    held: HeldRepository,
    times: Times,
    most: int,
    threads: int = THREADS_AT_ONCE,
    memory: CiMemory = NO_MEMORY,
) -> Translated:
    """The same for threads that an earlier version translated; those that were given up are tried again.

    That version may have observed less in the bodies of their deliveries, so these are read again.
    """
    found = outdated_threads(held, threads)
    if not found:
        return Translated(memory=memory)
    lengths = {thread: count for thread, count, _ in held.rows("lengths_of_threads", list(found))}
    fitting = count_fitting((lengths.get(number, 0) for number in found), most)
    outdated = dict(list(found.items())[: max(1, fitting)])
    read_bodies_again(held, outdated.keys())
    set_translated(held, list(outdated))
    done, _ = _translate_stored(held, outdated, set(), Circumstances(times, memory), most)
    return done._replace(is_done=False)


def _translate_stored(
    held: HeldRepository,
    spans: Mapping[int, tuple[int, int]],
    given_up: Collection[int],
    circumstances: Circumstances,
    most: int,
) -> tuple[Translated, set[int]]:
    """Translate as many of these threads as one transaction should; returns those that are left, too."""
    begun = time.thread_time()
    loader = ThreadLoader(held, most)
    renewed, left = loader.load_some([number for number in spans if number not in given_up])
    take_strays(held, renewed)
    held.give_way()
    done = _renew(held, loader, renewed, spans, circumstances)
    is_done, seconds = done.is_complete and not left, time.thread_time() - begun
    return Translated(len(renewed), done.events, is_done, seconds, done.memory), set(left)


def translate_arrived(
    held: HeldRepository, arrived: Sequence[ArrivedThread], times: Times, most: int, last: int
) -> bool:
    """Translate threads in the transaction that stores their deliveries; `last` was stored before them.

    Threads with too many stored deliveries are left waiting; returns whether none is.
    """
    if not arrived:
        return True
    loader = ThreadLoader(held, most, last)
    stored = [thread.number for thread in arrived if not thread.is_new]
    renewed, left = loader.load(stored, arrived)
    take_strays(held, renewed)
    held.give_way()
    spans = {thread.number: (min(thread.instants), max(thread.instants)) for thread in arrived}
    done = _renew(held, loader, renewed, spans, Circumstances(times))
    if translated := [number for number in stored if number in renewed]:
        delete_rows(held, WaitingThreadRow, thread=translated)
    leave_waiting(held, [thread for thread in arrived if thread.number not in renewed])
    return done.is_complete and not left


def _renew(
    held: HeldRepository,
    loader: ThreadLoader,
    renewed: Mapping[int, LoadedThread],
    spans: Mapping[int, tuple[int, int]],
    circumstances: Circumstances,
) -> _Renewed:
    """Replace the events of these threads, and of those that depend on what changed in them.

    A span says when the new deliveries of a thread happened. Dependents that were not loaded are left
    waiting.
    """
    wanted = sorted(_dependents(held, renewed, spans) - spans.keys())
    dependents, left = loader.load(wanted[:THREADS_AT_ONCE])
    events, memory = _write(held, {**renewed, **dependents}, renewed, circumstances)
    _save_threads(held, renewed)
    later = [*left, *wanted[THREADS_AT_ONCE:]]
    if later:
        _translate_again_later(held, later)
    held.save(held.state)
    return _Renewed(events, memory, not later)


def _translate_again_later(held: HeldRepository, numbers: Sequence[int]) -> None:
    """Let threads wait behind those with new deliveries, which could change them once more."""
    known = {row.thread for row in stored_rows(held.rows, WaitingThreadRow, thread=numbers)}
    held.insert(
        [WaitingThreadRow(held.state.id, number, *_NOTHING_NEW) for number in numbers if number not in known]
    )


def mark_all_waiting(held: HeldRepository, source: str) -> int:
    """Mark every thread of a source as waiting for translation; returns how many there are.

    Those that were given up are tried again, too.
    """
    numbers = [number for (number,) in held.rows("threads_of_source", source)]
    delete_rows(held, UntranslatedRow, thread=numbers)
    for start in range(0, len(numbers), THREADS_AT_ONCE):
        threads = stored_rows(held.rows, ThreadRow, number=numbers[start : start + THREADS_AT_ONCE])
        held.insert(
            [
                WaitingThreadRow(thread.repository_id, thread.number, thread.first_at, thread.last_at)
                for thread in threads
            ]
        )
    if numbers:
        held.save(held.state)
    return len(numbers)


def _dependents(
    held: HeldRepository, renewed: Mapping[int, LoadedThread], spans: Mapping[int, tuple[int, int]]
) -> set[int]:
    """The threads that are built on one whose standing has changed."""
    found: set[int] = set()
    changed = [thread for thread in renewed.values() if thread.standing.text != thread.row.standing]
    for source, threads in _by_source(changed).items():
        names = sorted({name for thread in threads for name in thread.standing.owns})
        if names:
            own = [spans[thread.row.number] for thread in threads]
            begun = [span[0] for span in own]
            begun += [thread.standing.since for thread in threads if thread.standing.since is not None]
            first, last = min(begun) - _NEAR, max(span[1] for span in own) + _NEAR
            found |= {number for (number,) in held.rows("dependent_threads", names, source, first, last)}
    return found


def _by_source(threads: Iterable[LoadedThread]) -> dict[str, list[LoadedThread]]:
    found: defaultdict[str, list[LoadedThread]] = defaultdict(list)
    for thread in threads:
        found[thread.row.source].append(thread)
    return dict(found)


def _write(
    held: HeldRepository,
    threads: Mapping[int, LoadedThread],
    renewed: Mapping[int, LoadedThread],
    circumstances: Circumstances,
) -> tuple[int, CiMemory]:
    """Replace the events of these threads; returns how many are new, and what to remember."""
    now = circumstances.times.now
    translations: dict[int, Translation] = {}
    for source, own in _by_source(threads.values()).items():
        owners = _owners(held, source, own, renewed)
        for thread in own:
            first, last = min(thread.instants) - _NEAR, max(thread.instants) + _NEAR
            around = {
                number: owner.standing
                for name in thread.standing.built_on
                for number, owner in owners.get(name, {}).items()
                if number != thread.row.number and first <= owner.last_at and owner.first_at <= last
            }
            standings = [standing for _, standing in sorted(around.items()) if standing]
            translations[thread.row.number] = thread.translate(standings)
            held.give_way()
    if not are_plainly_valid(
        [event for translation in translations.values() for event in translation.events], now
    ):
        translations = {number: _valid(translation, now) for number, translation in translations.items()}
    new = {number for number, thread in threads.items() if thread.is_new}
    # A broken thread keeps the events it had.
    wanted = {
        number: translation.events
        for number, translation in translations.items()
        if not threads[number].is_broken
    }
    replaced = replace_derived(held, wanted, new)
    for number, refused in replaced.refused.items():
        reason = "an event with this id was sent by a client"
        more = tuple(Untranslated(reason, event.happened_at) for event in refused)
        translations[number] = translations[number]._replace(
            untranslated=(*translations[number].untranslated, *more)
        )
    left_out, memory = replace_checks(held, translations, wanted, new, circumstances)
    for number, missing in left_out.items():
        translations[number] = translations[number]._replace(
            untranslated=(*translations[number].untranslated, *missing)
        )
    _save_untranslated(held, threads, translations)
    return replaced.added, memory


def _owners(
    held: HeldRepository, source: str, threads: Sequence[LoadedThread], renewed: Mapping[int, LoadedThread]
) -> dict[str, dict[int, _Owner]]:
    """The threads that own one of the names that these are built on, by name and number."""
    names = sorted({name for thread in threads for name in thread.standing.built_on})
    owners: defaultdict[str, dict[int, _Owner]] = defaultdict(dict)
    if not names:
        return owners
    linked = held.rows("owners_of_names", names)
    stored = _stored_owners(held, source, {number for _, number in linked} - renewed.keys())
    for name, number in linked:
        if number in stored:
            owners[name][number] = stored[number]
    for number, thread in renewed.items():
        if thread.row.source == source and thread.standing.owns:
            row = _row(thread)
            changed = _Owner(row.standing, row.first_at, row.last_at)
            for name in thread.standing.owns:
                owners[name][number] = changed
    return owners


def _stored_owners(held: HeldRepository, source: str, numbers: Collection[int]) -> dict[int, _Owner]:
    """Loaded apart from their names: a standing is long, and a thread can own hundreds of names."""
    rows = stored_rows(held.rows, ThreadRow, number=numbers)
    return {
        row.number: _Owner(row.standing, row.first_at, row.last_at) for row in rows if row.source == source
    }


def _valid(translation: Translation, now: int) -> Translation:
    """The translation without invalid events."""
    if are_plainly_valid(translation.events, now):
        return translation
    events: list[Event] = []
    untranslated = list(translation.untranslated)
    for event in translation.events:
        if are_plainly_valid([event], now):
            events.append(event)
            continue
        read = read_event(to_wire(event), "", now)
        if not isinstance(read, list):
            events.append(event)
        else:
            reason = f"{event.type}: {read[0].name.strip('/')} {read[0].message}"
            untranslated.append(Untranslated(reason[:_LONGEST_REASON], event.happened_at))
    return translation._replace(events=tuple(events), untranslated=tuple(untranslated))


def _save_untranslated(
    held: HeldRepository, threads: Mapping[int, LoadedThread], translations: Mapping[int, Translation]
) -> None:
    stored = [number for number in translations if not threads[number].is_new]
    delete_rows(held, UntranslatedRow, thread=stored)
    for number, translation in translations.items():
        if not translation.untranslated:
            continue
        times = Counter(missing.reason for missing in translation.untranslated)
        latest = {
            missing.reason: missing.at
            for missing in sorted(translation.untranslated, key=lambda missing: missing.at)
        }
        source = threads[number].row.source
        held.insert(
            [
                UntranslatedRow(held.state.id, number, source, reason, count, latest[reason])
                for reason, count in times.items()
            ]
        )


def _save_threads(held: HeldRepository, threads: Mapping[int, LoadedThread]) -> None:
    """Save the changes of these threads, and the names that connect them to others."""
    rows = {number: _row(thread) for number, thread in threads.items()}
    stored = [number for number, thread in threads.items() if not thread.is_new]
    changed = {number for number in stored if rows[number] != threads[number].row}
    delete_rows(held, ThreadRow, number=changed)
    known = set(stored_rows(held.rows, ThreadLinkRow, thread=stored))
    held.insert([row for number, row in rows.items() if threads[number].is_new or number in changed])
    links = {
        ThreadLinkRow(held.state.id, number, is_owner, name)
        for number, thread in threads.items()
        for is_owner, names in ((True, thread.standing.owns), (False, thread.standing.built_on))
        for name in names
        if len(name) <= _LONGEST_LINK
    }
    held.insert(sorted(links - known))


def _row(thread: LoadedThread) -> ThreadRow:
    """The row of a thread; its period is known to the hour, so that it is not written with every delivery."""
    before = thread.row.translation
    row = thread.row._replace(
        standing=thread.standing.text,
        is_about_queue=thread.is_about_queue or thread.row.is_about_queue,
        # That of an earlier version stays outdated until its bodies are read again.
        translation=current_version(thread.row.source) if before is None else before,
    )
    first, last = min(thread.instants), max(thread.instants)
    if row.first_at - HOUR <= first and last <= row.last_at + HOUR:
        return row
    return row._replace(first_at=min(first, row.first_at), last_at=max(last, row.last_at))


def take_strays(held: HeldRepository, threads: Mapping[int, LoadedThread]) -> None:
    """Move strays to the threads that own their commits; what arrives later finds its thread at once."""
    places = {
        (thread.row.source, place) for thread in threads.values() for place in thread.standing.strays_in
    }
    sources = {thread_name(source, place): source for source, place in sorted(places)}
    stored = held.subject_numbers(subject_keys(held.state.id, sources)) if sources else {}
    if not stored:
        return
    source_of = {number: sources[name] for name, number in stored.items()}
    owners = {
        (thread.row.source, name): number
        for number, thread in sorted(threads.items(), reverse=True)
        for name in thread.standing.owns
    }
    moved: defaultdict[int, list[int]] = defaultdict(list)
    for delivery, number, happened_at, _, packed in held.rows(
        "deliveries_of_threads", list(source_of), MOST_DELIVERIES, MOST_FIELD_BYTES
    ):
        source, fields = source_of[number], unpack_short_fields(packed)
        if fields is None:
            continue
        commit_of_stray = SOURCES[source].translator().rules.commit_of_stray
        owner = owners.get((source, commit_of_stray(fields))) if commit_of_stray else None
        if owner is not None:
            moved[owner].append(delivery)
            threads[owner].add(fields, happened_at)
    for owner, deliveries in moved.items():
        held.change_rows("move_deliveries", deliveries, owner)
        threads[owner].find_standing()
