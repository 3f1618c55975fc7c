"""Imported items as deliveries, and the translation of their threads: one per pull request.

A run has several members, and begins when the one before it has ended. So each thread depends on those that
were in the queue of the same branch at the same time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from mergecast.incoming.sources.bors import NAME
from mergecast.incoming.sources.bors.bors_stays import BorsStay, bors_stays, merged_without_entry
from mergecast.incoming.sources.bors.commands import CommandKind
from mergecast.incoming.sources.bors.observation import Observation, read_item
from mergecast.incoming.sources.bors.replies import ListedCheck, Reply
from mergecast.incoming.sources.bors.runs import Reported, Run, batch_of, runs_on_branch
from mergecast.incoming.sources.bors.translate import QUEUE, Around, events_of
from mergecast.incoming.sources.ci_check_parts import BAD_LINK, CHANGED_NAME, digest_of, why_left_out
from mergecast.incoming.sources.commits import with_bad_commits
from mergecast.incoming.sources.payload import Payload, is_number, text
from mergecast.incoming.sources.titles import is_changed, with_changed_title
from mergecast.incoming.sources.translation import (
    ReadThread,
    Standing,
    ThreadRules,
    Translation,
    Translator,
    Untranslated,
    check_length,
)
from mergecast.incoming.sources.unreadable import (
    LONGEST_BRANCH,
    UNSTORABLE,
    json_value,
    unreadable,
    unreadable_item,
)
from mergecast.queues.model.ci_check import FAILURE, SUCCESS, CiCheckReport
from mergecast.queues.model.delivery import IMPORT, About, Delivery
from mergecast.queues.model.instant import HOUR, MINUTE

# The CI checks that the bot lists when a run has ended: their names and results, without times.
#
# It lists all checks of a run that passed, and only those that failed of one that failed. Both are reported:
# with the failures alone, every check would seem to fail each time.


_CONCLUSIONS = {Reply.SUCCEEDED: SUCCESS, Reply.FAILED: FAILURE, Reply.SPLIT: FAILURE}


class Listed(NamedTuple):
    """Checks by the reply that lists them."""

    checks: Mapping[tuple[int, Reply], Sequence[ListedCheck]]

    @classmethod
    def in_replies(cls, seen: Iterable[Observation]) -> "Listed":
        ordered = sorted((one for one in seen if one.checks), key=lambda one: one.id)
        return cls({(one.at, one.reply): one.checks for one in ordered if one.reply is not None})


def ci_checks(
    number: int, place: tuple[str, str], runs: Iterable[Run], listed: Listed
) -> Iterator[CiCheckReport | Untranslated]:
    """The checks of the runs on a branch in which this pull request got the first reply.

    All members get the same reply, so one of them reports for all. `place` is the branch and its queue.
    """
    for run in runs:
        first = run.members[0]
        if first.number == number:
            for check in listed.checks.get((first.end.at, first.end.reply), ()):
                yield from _report(place, run, check)


def _report(place: tuple[str, str], run: Run, check: ListedCheck) -> Iterator[CiCheckReport | Untranslated]:
    at = run.ended_at
    reason = why_left_out(check.name, None)
    if reason is not None:
        yield Untranslated(reason, at)
        return
    if check.has_changed_name:
        yield Untranslated(CHANGED_NAME, at)
    if check.url == "":
        yield Untranslated(BAD_LINK, at)
    batch, id = batch_of(run), digest_of(check.name)
    yield CiCheckReport(
        id=f"{NAME}:{batch}/{id}",
        happened_at=at,
        base_ref=place[0],
        queue_name=place[1],
        batch_id=batch,
        check_id=id,
        name=check.name,
        conclusion=_CONCLUSIONS[run.members[0].end.reply],
        url=check.url or None,
        is_required=True,  # the bot lists what its configuration requires
        source=NAME,
    )


_observations = msgspec.json.Decoder(list[Observation])
# Stays are connected if they share one of these spans of time.
_SPAN = 4 * HOUR
_MOST_SPANS = 1000  # of one thread, the newest: 166 days in queues
_MARGIN = 2 * MINUTE


class _Present(msgspec.Struct, frozen=True):
    """What other threads need to know of a pull request."""

    number: int
    stays: list[BorsStay]


_present = msgspec.json.Decoder(_Present)


def item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    delivery = Delivery(NAME, IMPORT, id, sha256(body).digest(), kind, "", received_at, body)
    item = json_value(body)
    if not isinstance(item, dict):
        return unreadable_item(delivery)
    seen = read_item(kind, id, item)
    if not seen:
        return delivery
    if len(seen[0].base_ref) > LONGEST_BRANCH:
        return unreadable(delivery, UNSTORABLE)
    about = _about(item)
    if is_changed(about):
        seen[0] = msgspec.structs.replace(seen[0], has_changed_title=True)
    return delivery._replace(
        thread=str(seen[0].number),
        happened_at=seen[0].at,
        fields=msgspec.json.encode(seen).decode(),
        is_about_queue=any(map(_is_about_queue, seen)),
        about=about,
    )


def _is_about_queue(seen: Observation) -> bool:
    """Any pull request can be tried or closed without a queue."""
    return seen.command in (CommandKind.MERGE, CommandKind.RETRY) or seen.reply is not None


def _about(item: Payload) -> About | None:
    number, title = item.get("number"), text(item, "title")
    if not is_number(number) or title is None:
        return None
    return About(number, title, text(item, "author") or "", text(item, "url") or "", None)


def _read_thread(thread: str, fields: Sequence[str]) -> ReadThread:
    check_length(len(fields))
    seen = [one for text in fields for one in _observations.decode(text)]
    check_length(len(seen))
    own = _Present(int(thread), bors_stays(seen))
    untranslated = (*_unknown_replies(seen), *_merges_without_command(seen))
    titled = [one.at for one in seen if one.has_changed_title]
    bad, listed = [one.at for one in seen if one.head_sha == ""], Listed.in_replies(seen)

    def translated(around: Sequence[str]) -> Translation:
        translation = _translate(own, listed, around)
        translation = translation._replace(untranslated=(*untranslated, *translation.untranslated))
        return with_bad_commits(with_changed_title(translation, titled), bad)

    return ReadThread(_standing(own), translated)


def _standing(own: _Present) -> Standing:
    spans = sorted({span for stay in own.stays for span in _spans(stay)})
    names = frozenset(f"{base_ref}@{span}" for span, base_ref in spans[-_MOST_SPANS:])
    return Standing(msgspec.json.encode(own).decode(), names, names)


def _spans(stay: BorsStay) -> Iterable[tuple[int, str]]:
    last = (
        stay.exit.at if stay.exit is not None else max((end.at for end in stay.ends), default=stay.entered_at)
    )
    first, after = (stay.entered_at - _MARGIN) // _SPAN, (last + _MARGIN) // _SPAN + 1
    return ((span, stay.base_ref) for span in range(max(first, after - _MOST_SPANS), after))


def _translate(own: _Present, listed: Listed, around: Sequence[str]) -> Translation:
    present = {one.number: one for one in map(_present.decode, around)} | {own.number: own}
    runs = {base_ref: _runs(base_ref, present.values()) for base_ref in {stay.base_ref for stay in own.stays}}
    exits = {
        (one.number, stay.entered_at): stay.exit
        for one in present.values()
        for stay in one.stays
        if stay.exit is not None
    }
    said = [
        one
        for base_ref, on_branch in sorted(runs.items())
        for one in ci_checks(own.number, (base_ref, QUEUE), on_branch, listed)
    ]
    return Translation(
        tuple(events_of(own.number, own.stays, Around(runs, exits))),
        tuple(one for one in said if isinstance(one, Untranslated)),
        tuple(one for one in said if isinstance(one, CiCheckReport)),
    )


def _runs(base_ref: str, present: Iterable[_Present]) -> list[Run]:
    return runs_on_branch(
        Reported(one.number, stay.entered_at, end, stay.staged, stay.priority)
        for one in present
        for stay in one.stays
        if stay.base_ref == base_ref
        for end in stay.ends
    )


def _unknown_replies(seen: Iterable[Observation]) -> Iterable[Untranslated]:
    unknown = {one.id: one for one in seen if one.reply is Reply.UNKNOWN}
    return (Untranslated(f"unknown reply: {one.words}", one.at) for _, one in sorted(unknown.items()))


def _merges_without_command(seen: Iterable[Observation]) -> Iterable[Untranslated]:
    return (Untranslated("merged, but no command to merge was read", at) for at in merged_without_entry(seen))


RULES = ThreadRules(_read_thread)
TRANSLATOR = Translator(item_delivery, RULES, version=3)
