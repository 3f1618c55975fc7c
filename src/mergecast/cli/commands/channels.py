"""`mergecast channels`: where notices go. The address of a channel is a secret, and is never printed."""

import sys
from contextlib import AbstractContextManager
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect, named_options, naming_an_id
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import HERE, AsJson, Server, check_scope
from mergecast.cli.output import escape, print_done, print_found, print_json, print_table
from mergecast.cli.periods import Zone, read_zone
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from mergecast.client.answers import Channel

_COLUMNS = ("id", "kind", "target", "notices", "queues", "state", "waiting", "last result")

_OPTIONS = {
    "kind": "KIND",
    "url": "the URL",
    "to": "--to",
    "notify": "--notify",
    "queues": "--queue",
    "digest": "--digest-at",
}


class Kind(Enum):
    SLACK = "slack"
    TEAMS = "teams"
    WEBHOOK = "webhook"
    EMAIL = "email"


class Cause(Enum):
    REMOVED = "removed"
    PROBLEM = "problem"
    ALERT = "alert"
    DIGEST = "digest"


ScopeName = Annotated[str, typer.Argument(metavar="OWNER[/REPO]", help="Repository, or owner of several")]
ChannelId = Annotated[str, typer.Argument(metavar="ID", help="The id that `mergecast channels list` shows")]


def list_channels(scope: ScopeName, as_json: AsJson = False, server: Server = HERE) -> None:
    """List the channels of a repository or an owner, with the results of their last messages."""
    check_scope(scope)
    with connect(*server) as client:
        found = client.channels(scope)
    empty = f"{scope} has no channels; add one with `mergecast channels add {scope} KIND`"
    print_found(found, empty, _print_channels, as_json=as_json)


def add_channel(
    scope: ScopeName,
    kind: Annotated[Kind, typer.Argument(metavar="slack|teams|webhook|email", help="What receives notices")],
    notify: Annotated[
        list[Cause] | None,
        typer.Option(
            metavar="removed|problem|alert|digest",
            help="Only these notices; repeatable; all but the digest by default",
        ),
    ] = None,
    queue: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only about this queue; repeatable")
    ] = None,
    to: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="Recipient of email; repeatable")
    ] = None,
    digest_at: Annotated[
        str | None,
        typer.Option(
            metavar='"DAY HOUR [ZONE]"', help='When the digest is sent, such as "monday 9 Europe/Berlin"'
        ),
    ] = None,
    as_json: AsJson = False,
    server: Server = HERE,
) -> None:
    """Add a channel. Its URL is read from standard input, so that it stays out of the shell's history."""
    check_scope(scope)
    wanted: dict[str, object] = {"kind": kind.value}
    if notify:
        wanted["notify"] = list(dict.fromkeys(cause.value for cause in notify))
    if queue:
        wanted["queues"] = queue
    if digest_at is not None:
        wanted["digest"] = _schedule(digest_at)
    wanted |= _target(kind, to)
    with connect(*server, may_create=True) as client, named_options(_OPTIONS):
        made = client.add_channel(scope, **wanted)
    if as_json:
        print_json(made.raw)
        return
    channel = made.value
    told = f"added channel {channel.id} ({channel.kind}: {channel.target}) to {scope}"
    print(escape(told), file=sys.stderr)
    print(f"try it with `mergecast channels test {scope} {channel.id}`", file=sys.stderr)
    if channel.secret is not None:
        print("messages are signed with this secret; store it now, it is not shown again:", file=sys.stderr)
        print(channel.secret)


def delete_channel(scope: ScopeName, id: ChannelId, as_json: AsJson = False, server: Server = HERE) -> None:
    """Delete a channel, with the messages that wait for it."""
    check_scope(scope)
    with connect(*server) as client, _known_id(scope, id):
        client.delete_channel(scope, id)
    print_done(f"deleted channel {id} of {scope}", as_json=as_json, deleted=id)


def try_channel(scope: ScopeName, id: ChannelId, as_json: AsJson = False, server: Server = HERE) -> int:
    """Send a sample. The exit code is 1 if it did not arrive."""
    check_scope(scope)
    with connect(*server) as client, _known_id(scope, id):
        outcome = client.try_channel(scope, id)
    told = "sent" if outcome.is_sent else "not sent"
    facts = {"is_sent": outcome.is_sent, "detail": outcome.detail}
    print_done(escape(f"{told}: {outcome.detail}"), as_json=as_json, **facts)
    return 0 if outcome.is_sent else 1


def _known_id(scope: str, id: str) -> AbstractContextManager[None]:
    return naming_an_id(id, "channel", f"{scope} has no channel", f"mergecast channels list {scope}")


def _schedule(text: str) -> dict[str, object]:
    day, _, rest = text.strip().partition(" ")
    hour, _, zone = rest.strip().partition(" ")
    if not (hour.isascii() and hour.isdigit()):
        raise WrongUsage(f'--digest-at: `{text}` is not a day and an hour; write "monday 9 Europe/Berlin"')
    return {"day": day.lower(), "hour": int(hour[:3]), "time_zone": zone.strip() or "UTC"}


def _target(kind: Kind, to: list[str] | None) -> dict[str, object]:
    if kind is Kind.EMAIL:
        if not to:
            raise WrongUsage("--to: is missing; a channel of the kind email needs at least one recipient")
        return {"to": to}
    if to:
        raise WrongUsage("--to: belongs to channels of the kind email only")
    return {"url": _read_url(kind)}


def _read_url(kind: Kind) -> str:
    if sys.stdin.isatty():
        from getpass import getpass

        text = getpass(f"URL of the {kind.value} webhook (not shown): ")
    else:
        text = sys.stdin.readline()
    if not text.strip():
        raise WrongUsage(
            "the URL of the channel is read from standard input, which is empty; "
            f"write `mergecast channels add OWNER/REPO {kind.value} < FILE`"
        )
    return text.strip()


def _print_channels(channels: "list[Channel]") -> None:
    zone = read_zone(None, utc=False)
    *columns, last = _COLUMNS
    print_table((*columns, f"{last}, {zone.name}"), [_row(channel, zone) for channel in channels])


def _row(channel: "Channel", zone: Zone) -> tuple[str, ...]:
    result = channel.last_result
    last = "-" if result is None else f"{zone.shown_text(result.at)} {result.detail}"
    return (
        *(channel.id, channel.kind, channel.target, " ".join(channel.notify)),
        "all" if channel.queues is None else ", ".join(channel.queues),
        channel.state,
        counted(channel.waiting, "message"),
        last,
    )
