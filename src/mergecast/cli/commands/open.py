"""`mergecast open`: open the dashboard in a browser, signed in."""

from typing import Annotated

import typer

from mergecast.cli.connection import Target, connect_to, find_target
from mergecast.cli.options import AsJson, Server
from mergecast.cli.output import print_done
from mergecast.errors import NotFound


def open_dashboard(
    server: Server,
    only_print: Annotated[bool, typer.Option("--print", help="Print the link and open nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Where is the dashboard? Opens it in a browser, signed in.

    Example: mergecast open --print
    """
    link = sign_in_link(find_target(*server))
    if only_print or as_json or not open_browser(link):
        print_done(link, as_json=as_json, url=link)


def sign_in_link(target: Target, page: str = "") -> str:
    require_server(target)
    with connect_to(target) as client:
        first, sign, code = client.sign_in_link().partition("#")
    return f"{first}{page}{sign}{code}"


def require_server(target: Target) -> None:
    """Other commands open the store themselves; a browser needs a server that keeps running."""
    if not target.is_served():
        raise NotFound(
            f"no server is running for the store in `{target.data_dir}`; start one with `mergecast serve`, "
            "or name one with --url"
        )


def open_browser(link: str) -> bool:
    import webbrowser

    return webbrowser.open(link)
