"""Items of GitLab's history → what translation needs of them."""

from collections.abc import Callable, Mapping
from typing import Any

from mergecast.model.instant import NotAnInstant, parse_instant
from mergecast.sources.gitlab.observation import Observation, Seen, read_car, read_note, read_pipeline
from mergecast.sources.numbers import is_number

CAR, PIPELINE, NOTE, ABSENT = "car", "pipeline", "note", "absent"

Body = Mapping[str, Any]


def read_history_item(kind: str, body: Body) -> Observation | None:
    """The observation in an item; None if it does not concern a train."""
    read = _READERS.get(kind)
    return read(body) if read is not None else None


def _pipeline(body: Body) -> Observation | None:
    return read_pipeline(body, _branch(body))


def _note(body: Body) -> Observation | None:
    number = body.get("number")
    return read_note(body, number, _branch(body)) if is_number(number) else None


def _absent(body: Body) -> Observation | None:
    number, at = body.get("number"), _instant(body.get("at"))
    if not is_number(number) or at is None:
        return None
    last_seen_at = _instant(body.get("last_seen_at"))
    return Observation(
        seen=Seen.ABSENT, id=0, number=number, at=at, base_ref=_branch(body), last_seen_at=last_seen_at
    )


def _branch(body: Body) -> str:
    branch = body.get("target_branch")
    return branch if isinstance(branch, str) else ""


def _instant(value: object) -> int | None:
    try:
        return parse_instant(value) if isinstance(value, str) else None
    except NotAnInstant:
        return None


_READERS: Mapping[str, Callable[[Body], Observation | None]] = {
    CAR: read_car,
    PIPELINE: _pipeline,
    NOTE: _note,
    ABSENT: _absent,
}
