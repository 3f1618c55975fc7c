"""`mergecast store backup`, `rebuild` and `verify`: for a store whose server may run meanwhile."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server, draft_of
from mergecast.cli.output import bytes_progress, print_done, steps_progress
from mergecast.errors import MergecastError
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.answers import RebuiltRepository, VerifiedRepository

Step = TypeVar("Step", bound="RebuiltRepository")


class VerificationFailed(MergecastError):
    """The answer is that the store is damaged, or that facts and events disagree."""


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; it must not exist")],
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I back it up while the server runs?

    Writes a copy of the store to FILE. To use it, put it into a data folder as mergecast.sqlite.

    Example: mergecast store backup backup.sqlite
    """
    if file.exists():
        raise WrongUsage(f"`{file}` already exists; name a new file for the backup")
    draft = draft_of(file)
    with connect(*server) as client, bytes_progress() as bars:
        bar = bars.add_task("backup", total=None)
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "wb") as stream:
            for part, length in client.backup():
                stream.write(part)
                bars.update(bar, total=length, advance=len(part))
            stream.flush()
            os.fsync(stream.fileno())
    draft.replace(file)
    size = file.stat().st_size
    print_done(f"copied the store to {file} ({size:,} bytes)", as_json=as_json, file=str(file), bytes=size)


def rebuild(*, as_json: AsJson = False, server: Server) -> None:
    """How do I recompute what is derived from events?

    Does this for every repository; the server accepts events meanwhile.

    Example: mergecast store rebuild
    """
    done = 0
    with connect(*server) as client:
        for step in _shown(client.rebuild(), "rebuilding"):
            done = step.done
    told = f"recomputed the derived data of {counted(done, 'repository', 'repositories')}"
    print_done(told, as_json=as_json, repositories=done)


def verify(*, as_json: AsJson = False, server: Server) -> int:
    """Is everything that is stored readable and consistent?

    Reads everything once and compares derived data with events; changes nothing.

    Example: mergecast store verify
    """
    done, problems = 0, list[str]()
    with connect(*server) as client:
        for step in _shown(client.verify(), "verifying"):
            done = step.done
            problems += _problems(step)
    if problems and not as_json:
        raise VerificationFailed("verification failed:\n" + "\n".join(problems))
    told = f"verified {counted(done, 'repository', 'repositories')}: everything is readable and consistent"
    print_done(told, as_json=as_json, repositories=done, problems=problems)
    return 1 if problems else 0


def _shown(steps: Iterator[Step], what: str) -> Iterator[Step]:
    """The steps, one for each repository, with a progress bar."""
    with steps_progress() as bars:
        bar = bars.add_task(what, total=None)
        for step in steps:
            yield step
            bars.update(bar, total=step.of, completed=step.done, description=step.repository)


def _problems(step: "VerifiedRepository") -> list[str]:
    name, advice = step.repository, []
    if step.unreadable is not None:
        return [f"{name}: {step.unreadable}"]
    if step.differences:
        advice.append(
            f"{name}: {step.differences} rows of derived data differ; "
            "`mergecast store rebuild` recomputes them"
        )
    if step.wrong:
        advice.append(
            f"{name}: {step.wrong} keys or counts are wrong; export its events, delete it and import them"
        )
    return [*advice, *(f"  {example}" for example in step.examples)]
