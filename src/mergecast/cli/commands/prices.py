"""`mergecast prices`: what a minute of CI costs."""

from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, AsJson, RepositoryName, Server, check_repository
from mergecast.cli.output import print_done, print_found, print_json, print_table
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.answers import Prices

_OPTIONS = {"currency": "--currency", "per_minute": "--per-minute", "by_runner": "--runner"}

Currency = Annotated[str | None, typer.Option(metavar="CODE", help="Three capital letters such as USD")]
PerMinute = Annotated[
    str | None, typer.Option(metavar="PRICE", help="Price of every other runner, such as 0.008")
]
Runner = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND=PRICE", help="Such as linux-x64-16=0.064; KIND= deletes its price; repeatable"
    ),
]


def list_prices(
    repository: RepositoryName,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """List what a minute costs on each kind of runner."""
    check_repository(repository)
    with connect(*server) as client:
        prices = client.prices(repository)
    empty = f"{repository} has no prices; set them with `mergecast prices set`"
    print_found(prices, empty, _print_prices, as_json=as_json)


def set_prices(
    repository: RepositoryName,
    per_minute: PerMinute = None,
    currency: Currency = None,
    runner: Runner = None,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Set prices; those that are not given stay as they are."""
    check_repository(repository)
    runners = dict(map(_runner, runner or ()))
    given = {"per_minute": per_minute, "currency": currency}
    wanted = {name: value for name, value in given.items() if value is not None}
    if not wanted and not runners:
        raise WrongUsage("there is nothing to set; pass --per-minute, --currency or --runner")
    with connect(*server) as client, named_options(_OPTIONS):
        before = client.prices(repository)
        by_runner = {**(before.value.by_runner if before else {}), **runners}
        kept = {kind: price for kind, price in by_runner.items() if price}
        prices = client.set_prices(repository, before, {**wanted, "by_runner": kept})
    if as_json:
        print_json(prices)
    else:
        _print_prices(prices)


def delete_prices(repository: RepositoryName, as_json: AsJson = False, server: Server = HERE) -> None:
    """Delete all prices; summaries show no cost then. `set --runner KIND=` deletes that of one runner."""
    check_repository(repository)
    with connect(*server) as client:
        deleted = client.delete_prices(repository)
    print_done(f"deleted {counted(deleted, 'price')} of {repository}", as_json=as_json, deleted=deleted)


def _runner(text: str) -> tuple[str, str]:
    """A kind may contain an equals sign; a price does not."""
    kind, sign, price = text.rpartition("=")
    if not sign or not kind:
        raise WrongUsage(f"--runner: `{text}` is not a kind and a price; write linux-x64-16=0.064")
    return kind, price


def _print_prices(prices: "Prices") -> None:
    rows = [*prices.by_runner.items(), ("any other", prices.per_minute)]
    print_table(("runner", f"{prices.currency} per minute"), rows)
