"""`mergecast ready`: whether a server is ready, for health checks without another HTTP client."""

from typing import Annotated

import typer

from mergecast.cli.options import DataDir


def ready(
    data_dir: DataDir = None,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Server to ask [default: that of the data folder, or MERGECAST_HOST and PORT]"
        ),
    ] = None,
) -> None:
    """Ask a server whether it is ready. Exit with 0 if it is, with 3 if it is not."""
    from mergecast.cli.environment import listening_url, read_environment
    from mergecast.client.client import Client
    from mergecast.process.data_folder import DataFolder

    environment = read_environment()
    if url is None:
        published = DataFolder(data_dir or environment.data_dir).address()
        url = published.url if published else listening_url()
    with Client(url, token=None) as client:
        found = client.readiness()
    print(found.status if found.reason is None else f"{found.status}: {found.reason}")
