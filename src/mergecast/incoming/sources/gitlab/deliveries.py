"""Imported items of GitLab as deliveries, and the translation of their threads: one per merge request.

A pipeline tests everything ahead on the train, so each thread depends on when the others entered and left.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from mergecast.incoming.sources.commits import with_bad_commits
from mergecast.incoming.sources.gitlab import NAME
from mergecast.incoming.sources.gitlab.observation import Observation, Seen, read_history_item
from mergecast.incoming.sources.gitlab.train_stays import train_stays
from mergecast.incoming.sources.gitlab.translate import TrainAround, translate
from mergecast.incoming.sources.payload import Payload, is_number, member, text
from mergecast.incoming.sources.titles import is_changed, with_changed_title
from mergecast.incoming.sources.translation import (
    MOST_DELIVERIES,
    ReadThread,
    Standing,
    ThreadRules,
    TooManyReports,
    Translation,
    Translator,
    check_length,
)
from mergecast.incoming.sources.unreadable import (
    LONGEST_BRANCH,
    UNSTORABLE,
    json_value,
    unreadable,
    unreadable_item,
)
from mergecast.queues.model.delivery import IMPORT, About, Delivery
from mergecast.queues.model.event import MERGED_REASONS

_observation = msgspec.json.Decoder(Observation)


class _Ride(NamedTuple):
    """One stay on a train, as other threads see it."""

    number: int
    base_ref: str
    entered_at: int
    left_at: int | None
    reason: str | None


_rides = msgspec.json.Decoder(list[_Ride])


def item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    delivery = Delivery(NAME, IMPORT, id, sha256(body).digest(), kind, "", received_at, body)
    item = json_value(body)
    if not isinstance(item, dict):
        return unreadable_item(delivery)
    seen = read_history_item(kind, item)
    if seen is None:
        return delivery
    if len(seen.base_ref) > LONGEST_BRANCH:
        return unreadable(delivery, UNSTORABLE)
    about = _about(item)
    if is_changed(about):
        seen = msgspec.structs.replace(seen, has_changed_title=True)
    return delivery._replace(
        thread=str(seen.number),
        happened_at=seen.ended_at or seen.at,
        fields=msgspec.json.encode(seen).decode(),
        is_about_queue=seen.seen is not Seen.ABSENT,
        about=about,
    )


def _about(item: Payload) -> About | None:
    request = member(item, "merge_request")
    number, title, position = request.get("iid"), text(request, "title"), item.get("position")
    if not is_number(number) or title is None:
        return None
    author, url = text(member(item, "author"), "username") or "", text(request, "web_url") or ""
    return About(number, title, author, url, position if is_number(position) else None)


def _read_thread(thread: str, fields: Sequence[str]) -> ReadThread:
    return ReadThread(_standing(fields), lambda around: _translate(thread, fields, around))


def _standing(fields: Sequence[str]) -> Standing:
    seen = _all(fields)
    rides = [
        _Ride(
            seen[0].number,
            stay.base_ref,
            stay.entered_at,
            stay.exit.at if stay.exit else None,
            stay.exit.reason if stay.exit else None,
        )
        for stay in train_stays(seen)
    ]
    trains = frozenset(ride.base_ref for ride in rides)
    return Standing(msgspec.json.encode(rides).decode(), trains, trains)


def _translate(thread: str, fields: Sequence[str], around: Sequence[str]) -> Translation:
    seen = _all(fields)
    others = [ride for standing in around for ride in _rides.decode(standing)]
    translation = translate(int(thread), seen, _train_around(seen, others))
    translation = with_changed_title(translation, [one.at for one in seen if one.has_changed_title])
    return with_bad_commits(translation, [one.at for one in seen if "" in (one.head_sha, one.ended_head_sha)])


def _all(fields: Sequence[str]) -> list[Observation]:
    if len(fields) > MOST_DELIVERIES:
        raise TooManyReports(f"more than {MOST_DELIVERIES:,} jobs of one merge request")
    seen = [_observation.decode(text) for text in fields]
    check_length(sum(one.seen is not Seen.JOB for one in seen))
    return seen


def _train_around(seen: Sequence[Observation], others: Sequence[_Ride]) -> TrainAround:
    """A merge request is ahead if it entered the same train earlier and was on it when the pipeline began."""
    members: dict[int, list[int]] = {}
    stays = train_stays(seen)
    for stay in stays:
        for pipeline in stay.pipelines:
            ahead = [
                ride
                for ride in others
                if ride.base_ref == stay.base_ref
                and ride.entered_at < stay.entered_at
                and (ride.left_at is None or ride.left_at > pipeline.at)
            ]
            ahead.sort(key=lambda ride: (ride.entered_at, ride.number))
            members[pipeline.id] = [ride.number for ride in ahead]
    removals = [
        (ride.left_at, ride.reason or "")
        for ride in others
        if ride.left_at is not None and ride.reason not in (None, *MERGED_REASONS)
        if any(
            stay.base_ref == ride.base_ref and ride.entered_at < stay.entered_at <= ride.left_at
            for stay in stays
        )
    ]
    return TrainAround(members, tuple(sorted(removals)))


RULES = ThreadRules(_read_thread)
TRANSLATOR = Translator(item_delivery, RULES, version=3)
