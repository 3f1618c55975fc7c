"""`mergecast admin ready`: whether a server is ready, for health checks without another HTTP client."""

from typing import Annotated

import typer

from mergecast.cli.options import AsJson, DataDir
from mergecast.cli.output import print_done


def ready(
    data_dir: DataDir = None,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Server [MERGECAST_URL, default: that of the data folder, "
            "or MERGECAST_HOST and MERGECAST_PORT]",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Is the server ready? For health checks.

    Exit code 0 if it is, 3 if it is not.

    Example: mergecast admin ready
    """
    from mergecast.cli.environment import listening_url, read_environment
    from mergecast.client.client import Client
    from mergecast.process.data_folder import DataFolder

    environment = read_environment()
    if url is None and data_dir is None:
        url = environment.url
    if url is None:
        published = DataFolder(data_dir or environment.data_dir).address()
        url = published.url if published else listening_url()
    with Client(url, token=None) as client:
        found = client.readiness()
    told = found.status if found.reason is None else f"{found.status}: {found.reason}"
    print_done(told, as_json=as_json, status=found.status, reason=found.reason)
