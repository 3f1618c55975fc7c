"""Simulations without a server: recorded pull requests, in a child process of the command."""

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mergecast.cli.documents import LocalJudge
from mergecast.cli.errors import InvalidFile, WrongUsage
from mergecast.judge.messages import (
    PULL_REQUEST,
    REPOSITORY,
    Form,
    PullRequestQuestion,
    Record,
    ReportedError,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
)

_OPEN = "open"
_LARGEST_FILE = 8 << 20


class _Pull(msgspec.Struct, frozen=True):
    number: int
    state: str = _OPEN


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


def simulate_files(
    repository: str, number: int | None, document: str, files: Sequence[Path], form: Form
) -> SimulationAnswer:
    """What a document would do to one recorded pull request, or to all open ones among several."""
    owner, _, name = repository.partition("/")
    text = msgspec.Raw(msgspec.json.encode(document))
    setting = Setting(text, time.time_ns() // 1000, owner, name, form=form)
    with LocalJudge() as judge:
        if number is None:
            records = tuple(read_open_records(files))
            simulated = judge.ask(REPOSITORY, RepositoryQuestion(setting, records), SimulationAnswer)
        else:
            question = PullRequestQuestion(setting, number, _read_record(files[0], number))
            simulated = judge.ask(PULL_REQUEST, question, SimulationAnswer)
    _check_records(simulated, files)
    return simulated


def read_open_records(files: Sequence[Path]) -> list[Record]:
    """The recorded pull requests that are open."""
    found = []
    for file in files:
        raw = _read_json(file)
        pull = _pull(raw, file)
        if pull.state == _OPEN:
            found.append(Record(pull.number, raw))
    return found


def _read_json(file: Path) -> msgspec.Raw:
    with file.open("rb") as opened:
        content = opened.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise WrongUsage(f"{file} is larger than {_LARGEST_FILE >> 20} MiB, the limit for a snapshot")
    try:
        return msgspec.json.decode(content, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WrongUsage(f"{file} is not valid JSON: {error}") from None


def _read_record(file: Path, number: int) -> msgspec.Raw:
    """The simulation reports every other error in a record."""
    raw = _read_json(file)
    pull = _decode(raw)
    if pull is not None and pull.number != number:
        raise WrongUsage(f"{file} is a record of pull request #{pull.number}, not of #{number}")
    return raw


def _pull(raw: msgspec.Raw, file: Path) -> _Pull:
    pull = _decode(raw)
    if pull is None:
        raise WrongUsage(f"{file} is not a recorded pull request: pull.number is missing")
    return pull


def _decode(raw: msgspec.Raw) -> _Pull | None:
    try:
        return msgspec.json.decode(raw, type=_Recorded).pull
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _check_records(simulated: SimulationAnswer, files: Sequence[Path]) -> None:
    if simulated.record_errors:
        lines = [f"* {error.pointer}: {error.message}" for error in simulated.record_errors]
        if simulated.more_record_errors:
            lines.append(f"* and {simulated.more_record_errors} more")
        subject = str(files[0]) if len(files) == 1 else "one of the files"
        raise WrongUsage("\n".join([f"{subject} is not a recorded pull request:", *lines]))


def invalid_document(name: str, text: str, errors: Sequence[ReportedError], more: int) -> InvalidFile:
    """The errors with their source lines, as `check` prints them."""
    from mergecast.cli.output import counted, escape
    from mergecast.cli.source_lines import SourceLines

    source = SourceLines(text)
    lines = []
    for error in errors:
        lines.append(f"{escape(name)}:{error.line}:{error.column}: error: {escape(error.message)}")
        lines += source.excerpt(error.line, error.column)
    if more:
        lines.append(f"and {more} more")
    count = counted(len(errors) + more, "error")
    return InvalidFile("\n".join([f"{escape(name)} is invalid: {count}", *lines]))
