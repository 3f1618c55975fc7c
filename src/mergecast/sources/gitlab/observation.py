"""One observation of a merge request on a train: the few fields that translation reads."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from mergecast.model.instant import NotAnInstant, parse_instant
from mergecast.sources.numbers import is_number

_TRAIN_REF = re.compile(r"refs/merge-requests/([0-9]{1,18})/train")
_ENTERED = ("started a merge train", "added this merge request to the merge train")
_LEFT = "removed this merge request from the merge train"
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")  # in Markdown


class Seen(StrEnum):
    CAR = "car"  # the place of a merge request on a train
    PIPELINE = "pipeline"
    ENTERED = "entered"  # a system note
    LEFT = "left"  # a system note
    ABSENT = "absent"  # the train was read, and the merge request was not on it


class Observation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Instants are microseconds since the epoch."""

    seen: Seen
    id: int  # of the car, the pipeline or the note
    number: int
    at: int  # when the car, pipeline or note was created; when the absence was seen
    base_ref: str = ""
    status: str | None = None
    ended_at: int | None = None  # merged, or the pipeline finished
    reason: str | None = None  # the text of a note after `because`
    last_seen_at: int | None = None  # of an absence: when the merge request was last seen on the train


def read_car(item: Mapping[str, Any]) -> Observation | None:
    """One item of `GET …/merge_trains`."""
    request = item.get("merge_request")
    number = request.get("iid") if isinstance(request, dict) else None
    id, at = item.get("id"), _instant(item.get("created_at"))
    if not is_number(id) or not is_number(number) or at is None:
        return None
    return Observation(
        seen=Seen.CAR,
        id=id,
        number=number,
        at=at,
        base_ref=_text(item.get("target_branch")),
        status=_text(item.get("status")),
        ended_at=_instant(item.get("merged_at")),
    )


def read_pipeline(item: Mapping[str, Any], base_ref: str) -> Observation | None:
    """A pipeline of a train; None for any other pipeline."""
    found = _TRAIN_REF.fullmatch(_text(item.get("ref")))
    id, created = item.get("id"), _instant(item.get("created_at"))
    if found is None or not is_number(id) or created is None:
        return None
    return Observation(
        seen=Seen.PIPELINE,
        id=id,
        number=int(found[1]),
        at=_instant(item.get("started_at")) or created,
        base_ref=base_ref,
        status=_text(item.get("status")),
        ended_at=_instant(item.get("finished_at")) or _instant(item.get("updated_at")),
    )


def read_note(item: Mapping[str, Any], number: int, base_ref: str) -> Observation | None:
    """A system note about the train; None for any other note."""
    id, at = item.get("id"), _instant(item.get("created_at"))
    body = _LINK.sub(r"\1", _text(item.get("body")))
    if item.get("system") is not True or not is_number(id) or at is None:
        return None
    if body.startswith(_ENTERED):
        return Observation(seen=Seen.ENTERED, id=id, number=number, at=at, base_ref=base_ref)
    if body.startswith(_LEFT):
        _, _, reason = body.partition(" because ")
        return Observation(
            seen=Seen.LEFT, id=id, number=number, at=at, base_ref=base_ref, reason=reason[:500] or None
        )
    return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _instant(value: object) -> int | None:
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except NotAnInstant:
        return None
