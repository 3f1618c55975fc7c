"""`mergecast config products`: which products of the hosted service a repository has."""

from typing import Annotated

import typer

from mergecast.cli.connection import connect, named_options
from mergecast.cli.options import AsJson, RepositoryName, Server
from mergecast.cli.output import print_found, print_json, say

_NEVER_SET = "the products were never set; until they are, a simulation does not report unused sections"

Wanted = Annotated[list[str], typer.Argument(metavar="PRODUCT", help="Such as merge_queue")]


def list_products(
    repository: RepositoryName,
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Which products are enabled?

    Lists them, one per line.

    Example: mergecast config products list demo/harbor
    """
    with connect(*server) as client:
        enabled = client.products(repository)
    empty = _NEVER_SET if enabled is None else "no product is enabled"
    print_found(enabled, empty, _print_products, as_json=as_json)


def set_products(
    repository: RepositoryName,
    products: Wanted,
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I enable products of a repository?

    Enables these products and no others.

    Example: mergecast config products set demo/harbor merge_queue
    """
    with connect(*server) as client, named_options({"products": "PRODUCT"}):
        client.set_products(repository, products)
        enabled = client.products(repository)
    names = enabled.value if enabled else []
    if as_json:
        print_json(names)
    else:
        _print_products(names)


def _print_products(products: list[str]) -> None:
    say(*products)
