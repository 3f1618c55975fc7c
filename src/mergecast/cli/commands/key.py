"""`mergecast key`: application keys, made, listed and revoked."""

import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, Token, Url, place
from mergecast.cli.spans import is_span, span
from mergecast.settings import Settings

_COLUMNS = ("id", "owner", "name", "scopes", "created_at", "expires_at", "last_used_at")
_WIDTH_OF_A_PIPE = 200

AsJson = Annotated[bool, typer.Option("--json", help="The whole answer")]


def make_key(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose repositories")],
    name: Annotated[str, typer.Option(help="What the key is for")],
    scope: Annotated[
        list[str] | None,
        typer.Option(help="ingest: also send events; admin: also set products; repeatable. Every key reads"),
    ] = None,
    expires: Annotated[str | None, typer.Option(help="When: 90d, 4w, or 2027-01-31T09:00:00Z")] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """Make a key. It is printed once and can never be shown again."""
    wanted: dict[str, Any] = {"owner": owner, "name": name, "scopes": scope or ["read"]}
    if expires is not None:
        wanted["expires_at"] = _moment(expires)
    with connect(place(Settings(), data_dir, url, token), may_create=True) as client:
        made = client.make_key(wanted)
    if as_json:
        _print_json(made)
        return 0
    end = f"expires {made['expires_at']}" if made["expires_at"] else "does not expire"
    scopes = ", ".join(made["scopes"])
    print(f"key {made['id']} of {made['owner']} ({scopes}) {end}; keep it now:", file=sys.stderr)
    print(made["key"])
    return 0


def list_keys(as_json: AsJson = False, data_dir: DataDir = None, url: Url = None, token: Token = None) -> int:
    """List the keys there are, without their secrets."""
    with connect(place(Settings(), data_dir, url, token)) as client:
        keys = client.keys()
    if as_json:
        _print_json(keys)
    elif keys:
        _print_table(keys)
    else:
        print("there is no key; `mergecast key make OWNER --name NAME` makes one")
    return 0 if keys else 1


def revoke_key(
    id: Annotated[str, typer.Argument(metavar="ID", help="As `mergecast key list` shows it")],
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Revoke a key: from now on it is worth nothing."""
    if not (id.isascii() and id.isalnum()):
        raise WrongUsage(
            f"`{id}` is not the id of a key; `mergecast key list` shows ids such as 0123456789ab"
        )
    with connect(place(Settings(), data_dir, url, token)) as client:
        client.revoke_key(id)
    print(f"key {id} is revoked")


def _moment(text: str) -> str:
    if not is_span(text):
        return text
    try:
        return (datetime.now(UTC) + span(text)).isoformat().replace("+00:00", "Z")
    except OverflowError:
        raise WrongUsage(f"`{text}` reaches beyond the year 9999") from None


def _print_json(value: Any) -> None:
    print(msgspec.json.format(msgspec.json.encode(value)).decode())


def _print_table(keys: list[dict[str, Any]]) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_A_PIPE
    table = Table(*_COLUMNS, box=None, pad_edge=False, header_style="dim")
    for key in keys:
        table.add_row(*(Text(_shown(key[column])) for column in _COLUMNS))
    console.print(table)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return "-" if value is None else str(value)
