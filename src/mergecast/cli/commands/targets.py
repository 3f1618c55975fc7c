"""`mergecast targets`: limits that a team sets for figures of its queues."""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, AsJson, RepositoryName, Server, check_repository
from mergecast.cli.output import print_done, print_found, print_json, print_table
from mergecast.cli.periods import parse_amount, parse_number
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.target import LIMITED
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.answers import Target

_OPTIONS = {"base_ref": "--branch", "queue_name": "--queue", "targets": "LIMIT"} | {
    name: name for name in LIMITED
}
_EXAMPLES = "time_in_queue_p95=1h, failure_rate=5% or ci_runs_per_merge=1.3"

Branch = Annotated[str | None, typer.Option(metavar="NAME", help="Base branch; all of them by default")]
Queue = Annotated[str | None, typer.Option(metavar="NAME", help="Queue; all of them by default")]
Wanted = Annotated[
    list[str], typer.Argument(metavar="FIGURE=LIMIT", help=f"{_EXAMPLES}; several are possible")
]


def list_targets(
    repository: RepositoryName,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """List the limits of the repository, of its branches and of its queues."""
    check_repository(repository)
    with connect(*server) as client:
        targets = client.targets(repository)
    print_found(targets, f"{repository} has no targets", _print_targets, as_json=as_json)


def set_targets(
    repository: RepositoryName,
    limits: Wanted,
    branch: Branch = None,
    queue: Queue = None,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Set limits of a repository, a branch or a queue; its other limits stay as they are."""
    check_repository(repository)
    wanted = dict(map(_limit, limits))
    with connect(*server) as client, named_options(_OPTIONS):
        before = client.targets(repository).value
        if not any(_is_of(target, branch, queue) for target in before):
            before.append({"base_ref": branch, "queue_name": queue})
        changed = [{**target, **wanted} if _is_of(target, branch, queue) else target for target in before]
        targets = client.set_targets(repository, changed)
    if as_json:
        print_json(targets)
    else:
        _print_targets(targets)


def delete_targets(
    repository: RepositoryName,
    branch: Branch = None,
    queue: Queue = None,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Delete the limits of a repository, a branch or a queue."""
    check_repository(repository)
    with connect(*server) as client, named_options(_OPTIONS):
        before = client.targets(repository).value
        kept = [target for target in before if not _is_of(target, branch, queue)]
        if kept != before:
            client.set_targets(repository, kept)
    limits = [target[name] for target in before if target not in kept for name in LIMITED]
    deleted = len(limits) - limits.count(None)
    where = " · ".join(_scope({"base_ref": branch, "queue_name": queue}))
    print_done(f"deleted {counted(deleted, 'limit')} of {where}", as_json=as_json, deleted=deleted)


def _is_of(target: "Target", branch: str | None, queue: str | None) -> bool:
    return (target["base_ref"], target["queue_name"]) == (branch, queue)


def _limit(text: str) -> tuple[str, float]:
    """`failure_rate=5%`: a number, a percentage, or a length of time in place of seconds."""
    name, _, limit = text.partition("=")
    try:
        return name, parse_number(limit[:-1]) / 100 if limit.endswith("%") else parse_amount(limit)
    except ValueError:
        raise WrongUsage(f"`{text}` is not a figure and a limit; write {_EXAMPLES}") from None


def _print_targets(targets: "list[Target]") -> None:
    rows = [(*_scope(target), *(_limit_text(name, target[name]) for name in LIMITED)) for target in targets]
    print_table(("branch", "queue", *(FIGURES[name].short for name in LIMITED)), rows)


def _scope(target: "Target") -> tuple[str, str]:
    return str(target["base_ref"] or "all branches"), str(target["queue_name"] or "all queues")


def _limit_text(name: str, limit: str | float | None) -> str:
    return FIGURES[name].written(None if limit is None else float(limit))
