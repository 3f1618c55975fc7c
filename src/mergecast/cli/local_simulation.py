"""A simulation without a server: on records, in a child process of the command."""

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mergecast.cli.errors import InvalidDocument, WrongUsage
from mergecast.cli.judging import ask_once
from mergecast.judge.messages import (
    PULL_REQUEST,
    REPOSITORY,
    Form,
    PullRequestQuestion,
    Record,
    RepositoryQuestion,
    Setting,
    SimulationAnswer,
    json_text,
)

_OPEN = "open"
_LARGEST_FILE = 8 << 20


class _Pull(msgspec.Struct, frozen=True):
    number: int
    state: str = _OPEN


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


def simulate_pull_request(
    repository: str, number: int, document: str, record: msgspec.Raw, form: Form
) -> SimulationAnswer:
    question = PullRequestQuestion(_setting(repository, document, form), number, record)
    return _check(ask_once(PULL_REQUEST, question, SimulationAnswer))


def simulate_repository(
    repository: str, document: str, records: Sequence[Record], form: Form
) -> SimulationAnswer:
    question = RepositoryQuestion(_setting(repository, document, form), tuple(records))
    return _check(ask_once(REPOSITORY, question, SimulationAnswer))


def read_record(file: Path) -> msgspec.Raw:
    """The content of a file, of which it is sure that it is one JSON value."""
    with file.open("rb") as opened:
        content = opened.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise WrongUsage(f"{file} is larger than {_LARGEST_FILE >> 20} MiB, the most a snapshot may have")
    try:
        return msgspec.json.decode(content, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WrongUsage(f"{file} is not valid JSON: {error}") from None


def read_open_records(files: Sequence[Path]) -> list[Record]:
    """Those of the recorded pull requests that are open."""
    found = []
    for file in files:
        raw = read_record(file)
        pull = _pull(raw, file)
        if pull.state == _OPEN:
            found.append(Record(pull.number, raw))
    return found


def _setting(repository: str, document: str, form: Form) -> Setting:
    owner, _, name = repository.partition("/")
    return Setting(json_text(document), time.time_ns() // 1000, owner, name, form=form)


def _pull(raw: msgspec.Raw, file: Path) -> _Pull:
    try:
        return msgspec.json.decode(raw, type=_Recorded).pull
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise WrongUsage(f"{file} is no recorded pull request: it has no pull.number") from None


def _check(simulated: SimulationAnswer) -> SimulationAnswer:
    if simulated.record_errors:
        lines = [f"* {error.pointer}: {error.message}" for error in simulated.record_errors]
        if simulated.more_record_errors:
            lines.append(f"* and {simulated.more_record_errors} more")
        raise WrongUsage("\n".join(["this is no recorded pull request:", *lines]))
    return simulated


def refuse_invalid(name: str, simulated: SimulationAnswer) -> SimulationAnswer:
    if not simulated.errors:
        return simulated
    lines = [error.text for error in simulated.errors]
    if len(lines) > 1 or simulated.more_errors:
        lines = [f"* {line}" for line in lines]
    if simulated.more_errors:
        lines.append(f"* and {simulated.more_errors} more")
    raise InvalidDocument(name, "\n".join(lines))
