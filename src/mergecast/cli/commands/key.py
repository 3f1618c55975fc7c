"""`mergecast admin key`: create, list and revoke application keys."""

import sys
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, naming_an_id
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server
from mergecast.cli.output import print_done, print_found, print_json, print_table, say
from mergecast.cli.periods import instant, is_span, parse_span, read_zone, utc_text
from mergecast.queues.model.repository import OWNER_LENGTH, is_owner

if TYPE_CHECKING:
    from mergecast.queues.answers.keys import Key

_LONGEST_NAME = 100


class Scope(Enum):
    READ = "read"
    INGEST = "ingest"
    ADMIN = "admin"
    SOURCES = "sources"


def make_key(
    owner: Annotated[
        str, typer.Argument(metavar="OWNER", help="Owner of the repositories; * for all owners")
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="What the key is for")],
    *,
    scope: Annotated[
        list[Scope] | None,
        typer.Option(
            metavar="read|ingest|admin|sources",
            help="ingest: may also send events; admin: may also set products; sources: may also add sources, "
            "needs the owner *; every key may read",
        ),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME|DATE", help="Lifetime or end: 90d, 4w, 2027-01-31, 2027-01-31T09:00:00Z"),
    ] = None,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I give a program or a person access?

    Creates a key. It is printed once and cannot be shown again.

    Example: mergecast admin key make demo --name dashboard
    """
    wanted: dict[str, object] = {
        "owner": _checked_owner(owner),
        "name": _checked_name(name),
        "scopes": list(dict.fromkeys(chosen.value for chosen in scope or [Scope.READ])),
    }
    if expires is not None:
        wanted["expires_at"] = _expiry(expires)
    with connect(*server, may_create=True) as client:
        made = client.make_key(wanted)
    if as_json:
        print_json(made.raw)
        return
    key = made.value
    end = f"expires {key.expires_at}" if key.expires_at else "does not expire"
    say(f"key {key.id} for {key.owner} ({', '.join(key.scopes)}), {end}; store it now:", file=sys.stderr)
    say(key.key)


def list_keys(*, as_json: AsJson = False, server: Server) -> None:
    """Which keys are there, and when was each last used?

    Lists them without their secrets.

    Example: mergecast admin key list
    """
    with connect(*server) as client:
        keys = client.keys()
    empty = "there are no keys; create one with `mergecast admin key make OWNER --name NAME`"
    print_found(keys, empty, _print_keys, as_json=as_json)


def _print_keys(keys: "list[Key]") -> None:
    zone = read_zone(None, utc=False)
    print_table(
        ("id", "owner", "name", "scopes", "created", "expires", f"last used, {zone.name}"),
        [
            (
                *(key.id, key.owner, key.name, " ".join(key.scopes)),
                *(zone.shown_text(at) for at in (key.created_at, key.expires_at, key.last_used_at)),
            )
            for key in keys
        ],
    )


def revoke_key(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id that `mergecast admin key list` shows")],
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I take access away?

    Revokes a key; it stops working immediately.

    Example: mergecast admin key revoke 0123456789ab
    """
    known_id = naming_an_id(id, "key", "there is no key", "mergecast admin key list")
    with known_id, connect(*server) as client:
        client.revoke_key(id)
    print_done(f"revoked key {id}", as_json=as_json, revoked=id)


def _checked_owner(owner: str) -> str:
    if owner != "*" and not is_owner(owner):
        raise WrongUsage(f"OWNER: `{owner}` must have 1 to {OWNER_LENGTH} letters, digits or hyphens")
    return owner


def _checked_name(name: str) -> str:
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        raise WrongUsage(f"--name: must have 1 to {_LONGEST_NAME} printable characters")
    return name


def _expiry(text: str) -> str:
    now = datetime.now(UTC)
    try:
        end = now + parse_span(text) if is_span(text) else instant(text, UTC, "--expires")
    except OverflowError:
        raise WrongUsage(f"--expires: `{text}` is after the year 9999") from None
    if end <= now:
        raise WrongUsage(f"--expires: `{text}` is in the past")
    return utc_text(end)
