"""`mergecast thresholds`: at which levels problems of queues begin."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, AsJson, RepositoryName, Server, check_repository
from mergecast.cli.output import print_done, print_found, print_json, print_table
from mergecast.cli.periods import is_span, parse_amount
from mergecast.queues.model.instant import duration, exact_duration
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.answers import QueueThresholds, Threshold

_SECONDS = "seconds"
_MOST_NAMED = 5  # queues in a message
_OPTIONS = {"base_ref": "--branch", "queue_name": "--queue", "levels": ""}

Branch = Annotated[str, typer.Option(metavar="NAME", help="Base branch")]
Queue = Annotated[str, typer.Option(metavar="NAME", help="Queue")]
Wanted = Annotated[
    list[str],
    typer.Argument(
        metavar="PROBLEM=LEVEL", help="Such as run_too_long=90m or everyone_fails=5; several are possible"
    ),
]


def list_thresholds(
    repository: RepositoryName,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """List the levels of every queue: learned from its history, and set by hand."""
    check_repository(repository)
    with connect(*server) as client:
        queues = client.thresholds(repository)
    print_found(queues, f"{repository} has no queues yet", _print_queues, as_json=as_json)


def set_thresholds(
    repository: RepositoryName,
    levels: Wanted,
    branch: Branch = "main",
    queue: Queue = "default",
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Set levels of a queue by hand; other levels of it stay as they are."""
    check_repository(repository)
    wanted = dict(map(_level, levels))
    with connect(*server) as client, named_options(_OPTIONS):
        known = client.thresholds(repository).value
        _check_units(levels, known)
        before = _set_before(known, branch, queue)
        queues = client.set_thresholds(repository, branch, queue, {**before, **wanted})
    changed = [one for one in queues if (one.base_ref, one.queue_name) == (branch, queue)]
    if as_json:
        print_json(changed)
    else:
        _print_queues(changed)


def delete_thresholds(
    repository: RepositoryName,
    branch: Branch = "main",
    queue: Queue = "default",
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Return to the levels that are learned from the history of a queue."""
    check_repository(repository)
    with connect(*server) as client:
        deleted = client.delete_thresholds(repository, branch, queue)
        others = [] if deleted else client.thresholds(repository).value
    told = (
        f"deleted {counted(deleted, 'level')} of {branch} · {queue}"
        if deleted
        else f"no level of {branch} · {queue} was set by hand{_set_elsewhere(others)}"
    )
    print_done(told, as_json=as_json, deleted=deleted)


def _set_elsewhere(queues: "list[QueueThresholds]") -> str:
    names = [
        f"{one.base_ref} · {one.queue_name}"
        for one in queues
        if any(level.set is not None for level in one.thresholds)
    ]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"; levels are set for {', '.join(names[:_MOST_NAMED])}{more}" if names else ""


def _set_before(queues: "list[QueueThresholds]", branch: str, queue: str) -> dict[str, float]:
    return {
        level.name: level.set
        for one in queues
        if (one.base_ref, one.queue_name) == (branch, queue)
        for level in one.thresholds
        if level.set is not None
    }


def _level(text: str) -> tuple[str, float]:
    """`run_too_long=90m`: a number, or a length of time in place of seconds."""
    name, _, level = text.partition("=")
    try:
        return name, parse_amount(level)
    except ValueError:
        message = (
            f"`{text}` is not a problem and a level; write run_too_long=90m, or 5400 for as many seconds, "
            "or everyone_fails=5"
        )
        raise WrongUsage(message) from None


def _check_units(levels: list[str], known: "list[QueueThresholds]") -> None:
    """Refuse a length of time for what is counted: 1h would mean 3600 runs."""
    units = {level.name: level.unit for one in known for level in one.thresholds}
    for text in levels:
        name, _, level = text.partition("=")
        if is_span(level) and units.get(name, _SECONDS) != _SECONDS:
            raise WrongUsage(f"`{text}` is a length of time, and {name} is a number of {units[name]}")


def _print_queues(queues: "list[QueueThresholds]") -> None:
    rows = [
        (
            one.base_ref,
            one.queue_name,
            level.name,
            _shown(level, level.learned, duration),
            _shown(level, level.set, exact_duration),
            level.when or "-",
        )
        for one in queues
        for level in one.thresholds
    ]
    print_table(("branch", "queue", "problem", "learned", "set by hand", "speaks"), rows)
    for one in queues:
        if one.sentence:
            print(f"{one.base_ref} · {one.queue_name}: {one.sentence}")


def _shown(level: "Threshold", value: float | None, written: Callable[[float], str]) -> str:
    if value is None:
        return "-"
    return written(value) if level.unit == _SECONDS else f"{value:g} {level.unit}"
