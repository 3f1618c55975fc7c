"""Recorded pull requests as a child reads them. Only the child may load this module."""

from collections.abc import Iterable, Mapping

import msgspec

from mergecast.configuration.extends import CannotRead, Loader
from mergecast.errors import Fault, InvalidInput
from mergecast.judge.simulations import Record, Setting, SnapshotQuestion, SnapshotRead
from mergecast.model.recorded import read_snapshot
from mergecast.model.snapshot import Snapshot


def check_record(asked: SnapshotQuestion) -> SnapshotRead:
    """Whether a record can be kept; raises InvalidInput."""
    document, snapshot = _read(asked.number, asked.record, asked.now)
    return SnapshotRead(is_open=not snapshot.pull.closed, has_instant=document.get("recorded_at") is not None)


def read_records(records: Iterable[Record], now: int) -> tuple[Snapshot, ...]:
    """Raises InvalidInput for the first one that is faulty."""
    return tuple(_read(one.number, one.record, now)[1] for one in records)


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
    return InvalidInput([Fault("body", "", f"the record is not valid JSON: {reason}")])


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
