"""Reads recorded pull requests, and finds documents in the bodies of requests."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from mergecast.errors import FieldError, InvalidInput
from mergecast.judge.document_body import find_document
from mergecast.judge.messages import BodyAnswer, Record, SnapshotAnswer, SnapshotQuestion, WrongField
from mergecast.queues.model.recorded import read_snapshot
from mergecast.queues.model.snapshot import Snapshot

_LONGEST_POINTER = 200  # a key of a record may be as long as the record
_MOST_NAMED = 5

Unread = tuple[int, InvalidInput]


@dataclass(frozen=True, slots=True)
class RecordsRead:
    """The snapshots that could be read, and the numbers and errors of the others."""

    snapshots: tuple[Snapshot, ...]
    unread: tuple[Unread, ...]


def check_record(question: SnapshotQuestion) -> SnapshotAnswer:
    try:
        document, snapshot = _read(question.number, question.record, question.now)
    except InvalidInput as error:
        return SnapshotAnswer(errors=record_errors(error), more_errors=error.more)
    return SnapshotAnswer(
        is_open=not snapshot.pull.closed, has_instant=document.get("recorded_at") is not None
    )


def check_body(body: bytes) -> BodyAnswer:
    try:
        place = find_document(body)
    except InvalidInput as error:
        return BodyAnswer(errors=record_errors(error), more_errors=error.more)
    return BodyAnswer(field=place.field, start=place.start, end=place.end)


def read_records(records: Iterable[Record], now: int) -> RecordsRead:
    snapshots, unread = [], []
    for record in records:
        try:
            snapshots.append(_read(record.number, record.record, now)[1])
        except InvalidInput as error:
            unread.append((record.number, error))
    return RecordsRead(tuple(snapshots), tuple(unread))


def record_errors(invalid: InvalidInput) -> tuple[WrongField, ...]:
    return tuple(WrongField(error.name[:_LONGEST_POINTER], error.message) for error in invalid.errors)


def unread_notes(unread: Sequence[Unread]) -> Iterator[str]:
    """The first numbers, each with its first error."""
    if not unread:
        return
    records, them = ("the record of a pull request", "it")
    if len(unread) > 1:
        records, them = ("the records of some pull requests", "them")
    named = [f"{number} ({_first(error)})" for number, error in unread[:_MOST_NAMED]]
    if len(unread) > _MOST_NAMED:
        named.append(f"and {len(unread) - _MOST_NAMED} more")
    yield f"Cannot read {records}; record {them} again: {', '.join(named)}"


def _first(invalid: InvalidInput) -> str:
    (error, *_) = record_errors(invalid)
    return f"{error.pointer}: {error.message}"


def _read(number: int, record: msgspec.Raw, now: int) -> tuple[dict[str, object], Snapshot]:
    try:
        document = msgspec.json.decode(record)
    except UnicodeDecodeError:
        raise _malformed("not UTF-8") from None
    except msgspec.ValidationError:
        raise _malformed("a number is out of range") from None
    except msgspec.DecodeError as error:
        raise _malformed(str(error)) from None
    except RecursionError:
        raise _malformed("nested too deeply") from None
    return document, read_snapshot(document, number=number, now=now)


def _malformed(reason: str) -> InvalidInput:
    return InvalidInput([FieldError("body", "", f"the record is not valid JSON: {reason}")])
