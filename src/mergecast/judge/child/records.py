"""Recorded pull requests as a child reads them. Only the child may load this module."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from mergecast.configuration.extends import CannotRead, Loader
from mergecast.errors import FieldError, InvalidInput
from mergecast.judge.messages import Record, Setting, SnapshotAnswer, SnapshotQuestion
from mergecast.model.recorded import read_snapshot
from mergecast.model.snapshot import Snapshot

LONGEST_POINTER = 200  # a key of a record may be as long as the record
_MOST_NAMED = 5

Unread = tuple[int, InvalidInput]


@dataclass(frozen=True, slots=True)
class RecordsRead:
    """Those that can be read, and the numbers of those that cannot, each with what is wrong."""

    snapshots: tuple[Snapshot, ...]
    unread: tuple[Unread, ...]


def check_record(asked: SnapshotQuestion) -> SnapshotAnswer:
    """Whether a record can be kept; raises InvalidInput."""
    document, snapshot = _read(asked.number, asked.record, asked.now)
    return SnapshotAnswer(
        is_open=not snapshot.pull.closed, has_instant=document.get("recorded_at") is not None
    )


def read_records(records: Iterable[Record], now: int) -> RecordsRead:
    snapshots, unread = [], []
    for one in records:
        try:
            snapshots.append(_read(one.number, one.record, now)[1])
        except InvalidInput as error:
            unread.append((one.number, error))
    return RecordsRead(tuple(snapshots), tuple(unread))


def unread_notes(unread: Sequence[Unread]) -> Iterator[str]:
    """The numbers of the first, each with the first thing wrong."""
    if not unread:
        return
    these, them = ("a pull request", "it") if len(unread) == 1 else ("some pull requests", "them")
    named = [f"{number} ({_first(error)})" for number, error in unread[:_MOST_NAMED]]
    if len(unread) > _MOST_NAMED:
        named.append(f"and {len(unread) - _MOST_NAMED} more")
    yield f"What is known of {these} cannot be read, record {them} again: {', '.join(named)}"


def _first(invalid: InvalidInput) -> str:
    error = invalid.errors[0]
    return f"{error.name[:LONGEST_POINTER]}: {error.message}"


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


def loader(setting: Setting, snapshots: Iterable[Snapshot]) -> Loader:
    """Finds documents of other repositories: what the platform has, else what was recorded first."""
    documents: dict[str, str] = {name.lower(): text for name, text in setting.remotes.items()}
    for snapshot in snapshots:
        recorded: Mapping[str, str] = snapshot.extends or {}
        for name, text in recorded.items():
            documents.setdefault(name.lower(), text)
    reason = "the platform shows no document of it" if setting.is_live else "it was not recorded"

    def load(name: str) -> str:
        text = documents.get(f"{setting.owner}/{name}".lower())
        if text is None:
            raise CannotRead(reason)
        return text

    return load
