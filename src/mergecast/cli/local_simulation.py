"""Simulations without a server: a child process of the command reads the document."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mergecast.cli.documents import LocalJudge
from mergecast.cli.errors import InvalidFile, WrongUsage
from mergecast.judge.messages import Form, ReportedError, Setting, SimulationAnswer, json_text
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.words import counted
from mergecast.simulation.ports import CALLS, Access
from mergecast.simulation.simulation import LiveSimulation, RecordedSimulation

if TYPE_CHECKING:
    from mergecast.cli.environment import Environment
_OPEN = "open"
_LARGEST_FILE = 8 << 20


def setting_of(repository: str, document: str, form: Form) -> Setting:
    """A document that is simulated for this repository now."""
    owner, _, name = repository.partition("/")
    return Setting(json_text(document), now_in_microseconds(), owner, name, form=form)


def simulate_files(
    judge: LocalJudge, setting: Setting, number: int | None, files: Sequence[Path]
) -> SimulationAnswer:
    """What a document would do to one recorded pull request, or to all open ones among several."""
    recorded = read_open_records(files) if number is None else read_record(files[0], number)
    simulated = judge.run(_simulate(RecordedSimulation(judge.judge.ask, recorded), setting, number))
    _check_records(simulated, files)
    return simulated


def simulate_live(
    judge: LocalJudge, setting: Setting, number: int | None, environment: "Environment"
) -> SimulationAnswer:
    """What a document would do to a pull request as GitHub shows it now, or to all open ones."""
    from mergecast.incoming.forge.live import LiveForge
    from mergecast.incoming.forge.session import everything
    from mergecast.incoming.platform.github import GitHub

    repository, token = Repository(setting.owner, setting.repository), environment.github_token or ""
    github = GitHub(environment.github_url, now_in_microseconds)
    forge = LiveForge(github, now_in_microseconds)
    access = Access(forge, repository, token, CALLS, everything)
    try:
        return judge.run(_simulate(LiveSimulation(judge.judge.ask, access), setting, number))
    finally:
        judge.run(github.close())


async def _simulate(
    simulation: RecordedSimulation | LiveSimulation, setting: Setting, number: int | None
) -> SimulationAnswer:
    if number is None:
        return await simulation.repository(setting)
    return await simulation.pull_request(setting, number)


def _check_records(simulated: SimulationAnswer, files: Sequence[Path]) -> None:
    if simulated.record_errors:
        lines = [f"* {error.pointer}: {error.message}" for error in simulated.record_errors]
        if simulated.more_record_errors:
            lines.append(f"* and {simulated.more_record_errors} more")
        subject = str(files[0]) if len(files) == 1 else "one of the files"
        raise WrongUsage("\n".join([f"{subject} is not a recorded pull request:", *lines]))


def invalid_document(name: str, text: str, errors: Sequence[ReportedError], more: int) -> InvalidFile:
    """The errors with their source lines, as `check` prints them."""
    from mergecast.cli.check_formats import SourceLines
    from mergecast.cli.output import escape

    source = SourceLines(text)
    lines = []
    for error in errors:
        lines.append(f"{escape(name)}:{error.line}:{error.column}: error: {escape(error.message)}")
        lines += source.excerpt(error.line, error.column)
    if more:
        lines.append(f"and {more} more")
    count = counted(len(errors) + more, "error")
    return InvalidFile("\n".join([f"{escape(name)} is invalid: {count}", *lines]))


@dataclass(frozen=True, slots=True)
class RecordedFiles:
    """The records of a simulation, by number."""

    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int = 0

    async def pull_request(self, number: int) -> bytes | None:
        return dict(self.records).get(number)

    async def open_pull_requests(self) -> "RecordedFiles":
        return self


class _Pull(msgspec.Struct, frozen=True):
    number: int
    state: str = _OPEN


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


def read_record(file: Path, number: int) -> RecordedFiles:
    """The record of a pull request. The simulation reports every error in it but a wrong number."""
    record = _read_json(file)
    pull = _decode(record)
    if pull is not None and pull.number != number:
        raise WrongUsage(f"{file} is a record of pull request #{pull.number}, not of #{number}")
    return RecordedFiles(((number, record),))


def read_open_records(files: Sequence[Path]) -> RecordedFiles:
    """The recorded pull requests that are open."""
    found = []
    for file in files:
        record = _read_json(file)
        pull = _decode(record)
        if pull is None:
            raise WrongUsage(f"{file} is not a recorded pull request: pull.number is missing")
        if pull.state == _OPEN:
            found.append((pull.number, record))
    return RecordedFiles(tuple(found))


def _read_json(file: Path) -> bytes:
    with file.open("rb") as opened:
        content = opened.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise WrongUsage(f"{file} is larger than {_LARGEST_FILE >> 20} MiB, the limit for a snapshot")
    try:
        msgspec.json.decode(content, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WrongUsage(f"{file} is not valid JSON: {error}") from None
    return content


def _decode(record: bytes) -> _Pull | None:
    try:
        return msgspec.json.decode(record, type=_Recorded).pull
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
