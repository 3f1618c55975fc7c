"""`mergecast pull`: every stay of a pull request, and why it waits; or pull requests by their titles."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.expected_merges import PENDING, once_computed
from mergecast.cli.options import HERE, LOCAL, AsJson, Server, ZoneOptions
from mergecast.cli.output import escape, print_json, print_table
from mergecast.cli.pull_references import parse_reference
from mergecast.cli.pull_text import print_history
from mergecast.errors import MergecastError

if TYPE_CHECKING:
    from mergecast.client.answers import Answer, PullHistory
    from mergecast.client.client import Client

_NOT_FOUND = 404
_LISTED = 100


def pull(
    pull_request: Annotated[
        str, typer.Argument(metavar="OWNER/REPO#NUMBER", help="Pull request, or the address of its page")
    ],
    search: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="List the pull requests of OWNER/REPO with these words in the title"
        ),
    ] = None,
    times: ZoneOptions = LOCAL,
    as_json: AsJson = False,
    server: Server = HERE,
) -> int:
    """Show every stay of a pull request in the queues, and why it waits."""
    repository, number = parse_reference(pull_request)
    zone = times.read()
    _check(repository, number, search)
    with connect(*server) as client:
        if number is None:
            return _search(client, repository, search or "", as_json=as_json)
        found = _history(client, repository, number)
    if as_json:
        print_json(found.raw)
    else:
        print_history(repository, found.value, zone, datetime.now(UTC))
    return 0


def _check(repository: str, number: int | None, search: str | None) -> None:
    if number is None and search is None:
        raise WrongUsage(
            f"the number is missing; write {repository}#42, or search titles: "
            f"mergecast pull {repository} --search WORDS"
        )
    if number is not None and search is not None:
        raise WrongUsage(f"--search needs a repository alone; write {repository} without #{number}")


def _history(client: "Client", repository: str, number: int) -> "Answer[PullHistory]":
    from mergecast.client.errors import ErrorResponse

    try:
        with needs_newer_server("know the history of pull requests"):
            return once_computed(lambda: client.pull(repository, number), _is_pending)
    except ErrorResponse as error:
        if error.status == _NOT_FOUND and "is not known here" in str(error):
            raise MergecastError(f"{error}; {_advice(repository)}") from error
        raise


def _is_pending(found: "PullHistory") -> bool:
    waiting = found.waiting_for or None
    return waiting is not None and waiting.evidence.expected_merges == PENDING


def _advice(repository: str) -> str:
    queue, stays = f"mergecast queue {repository}", f"mergecast stays {repository}"
    return f"`{queue}` lists those that wait, `{stays}` those that left"


def _search(client: "Client", repository: str, words: str, *, as_json: bool) -> int:
    with needs_newer_server("search titles"):
        found = client.pulls(repository, words, _LISTED)
    if as_json:
        print_json(found.raw)
        return 0
    pulls = found.value.pulls
    if not pulls:
        print(f"no title in {repository} contains `{escape(words)}`")
        return 0
    print_table(
        ("pull request", "title", "author"),
        [(f"#{one.pull_request}", one.title, one.author or "-") for one in pulls],
    )
    if found.value.next is not None:
        print("there are more; search for more words", file=sys.stderr)
    return 0
