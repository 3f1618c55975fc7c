"""`mergecast open`: open the dashboard in a browser, signed in."""

from typing import Annotated

import typer

from mergecast.cli.connection import Target, connect_to, find_target
from mergecast.cli.options import HERE, AsJson, Server
from mergecast.cli.output import print_done
from mergecast.errors import NotFound


def open_dashboard(
    server: Server = HERE,
    only_print: Annotated[bool, typer.Option("--print", help="Print the link and open nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open the dashboard in a browser, signed in with your token."""
    target = find_target(*server)
    _refuse_without_server(target)
    with connect_to(target) as client:
        link = client.sign_in_link()
    if only_print or as_json or not _open(link):
        print_done(link, as_json=as_json, url=link)


def _refuse_without_server(target: Target) -> None:
    """Other commands open the store themselves; a browser needs a server that keeps running."""
    from mergecast.process.data_folder import DataFolder

    if target.url is None and DataFolder(target.data_dir).address() is None:
        raise NotFound(
            f"no server is running for the store in `{target.data_dir}`; start one with `mergecast serve`, "
            "or name one with --url"
        )


def _open(link: str) -> bool:
    import webbrowser

    return webbrowser.open(link)
