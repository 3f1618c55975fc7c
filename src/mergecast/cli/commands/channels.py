"""`mergecast admin channels`: where notices go. The address of a channel is a secret, and never printed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from shlex import quote
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from mergecast.cli.connection import connect, named_options, naming_an_id
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server, check_scope
from mergecast.cli.output import print_done, print_found, print_json, print_table, say
from mergecast.cli.periods import read_zone
from mergecast.errors import NotFound
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.notification import ALERT, DIGEST, REMOVED
from mergecast.queues.model.words import counted
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.client.client import Client
    from mergecast.queues.answers.channels import Channel
    from mergecast.queues.model.notification import Rule

_COLUMNS = ("id", "name", "kind", "target", "receives", "state", "waiting", "last result")

_OPTIONS = {
    "kind": "KIND",
    "url": "the URL",
    "to": "--to",
    "name": "--name",
    "figures": "--figure",
    "origins": "--origin",
    "queues": "--queue",
    "digest": "--digest-at",
}


class Kind(Enum):
    SLACK = "slack"
    TEAMS = "teams"
    WEBHOOK = "webhook"
    EMAIL = "email"


ScopeName = Annotated[str, typer.Argument(metavar="OWNER[/REPO]", help="Repository, or owner of several")]
ChannelId = Annotated[
    str,
    typer.Argument(metavar="CHANNEL", help="The id or the name that `mergecast admin channels list` shows"),
]
Name = Annotated[str | None, typer.Option(metavar="NAME", help="What it is called here, such as merge-queue")]
Removals = Annotated[bool, typer.Option("--removals", help="Send removals of pull requests")]
Alerts = Annotated[bool, typer.Option("--alerts", help="Send alerts")]
Figures = Annotated[
    list[str] | None,
    typer.Option("--figure", metavar="FIGURE", help="Send alerts about this figure only; repeatable"),
]
Origins = Annotated[
    list[str] | None,
    typer.Option(
        "--origin",
        metavar="built_in|learned|set|reference",
        help="Send alerts from thresholds of this origin only; repeatable",
    ),
]
Queues = Annotated[
    list[str] | None,
    typer.Option("--queue", metavar="NAME", help="Send what is about this queue only; repeatable"),
]
Digest = Annotated[bool, typer.Option("--digest", help="Send the weekly digest")]
DigestAt = Annotated[
    str | None,
    typer.Option(
        metavar='"DAY HOUR [ZONE]"', help='When the digest is sent, such as "monday 9 Europe/Berlin"'
    ),
]


class Chosen(NamedTuple):
    """What the options of a command choose."""

    removals: Removals = False
    alerts: Alerts = False
    figures: Figures = None
    origins: Origins = None
    queues: Queues = None
    digest: Digest = False


def list_channels(scope: ScopeName, *, as_json: AsJson = False, server: Server) -> None:
    """Where do notices go, and did they arrive?

    Lists the channels of a repository or an owner, with the results of their last messages.

    Example: mergecast admin channels list demo/harbor
    """
    check_scope(scope)
    with connect(*server) as client:
        found = client.channels(scope)
    empty = f"{scope} has no channels; add one with `mergecast admin channels add {scope} KIND`"
    print_found(found, empty, _print_channels, as_json=as_json)


def add_channel(
    scope: ScopeName,
    kind: Annotated[Kind, typer.Argument(metavar="slack|teams|webhook|email", help="What receives notices")],
    *,
    name: Name = None,
    chosen: Chosen,
    digest_at: DigestAt = None,
    to: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="Recipient of email; repeatable")
    ] = None,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I get notices in Slack, Teams, email or a webhook?

    Adds a channel, which receives removals and alerts unless options choose something else. Its URL is read
    from standard input, so that it stays out of the shell's history.

    Example: mergecast admin channels add demo/harbor slack --name merge-queue < slack-url.txt
    """
    check_scope(scope)
    rules = _rules(chosen._replace(digest=chosen.digest or digest_at is not None))
    wanted = {"kind": kind.value, **_given(name, rules, digest_at), **_target(kind, to)}
    with connect(*server, may_create=True) as client, named_options(_OPTIONS):
        made = client.add_channel(scope, **wanted)
    if as_json:
        print_json(made.raw)
        return
    channel = made.value
    told = f"added channel {channel.name} ({channel.kind}: {channel.target}) to {scope}"
    say(told, file=sys.stderr)
    say(f"try it with `mergecast admin channels test {scope} {quote(channel.name)}`", file=sys.stderr)
    if channel.secret:
        say("messages are signed with this secret; store it now, it is not shown again:", file=sys.stderr)
        say(channel.secret)


def change_channel(
    scope: ScopeName,
    id: ChannelId,
    *,
    name: Name = None,
    chosen: Chosen,
    digest_at: DigestAt = None,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I change what a channel receives, or its name?

    What you leave out stays as it is; options that choose notices replace all rules of the channel.

    Example: mergecast admin channels change demo/harbor merge-queue --alerts
    """
    check_scope(scope)
    change = _given(name, _rules(chosen), digest_at)
    if not change:
        raise WrongUsage("nothing to change; give --name, --digest-at, or options that choose notices")
    with connect(*server) as client, _known_id(client, scope, id), named_options(_OPTIONS):
        changed = client.change_channel(scope, id, **change)
    if as_json:
        print_json(changed.raw)
        return
    channel = changed.value
    say(f"changed channel {channel.name} of {scope}; it receives {_received(channel)}")


def delete_channel(scope: ScopeName, id: ChannelId, *, as_json: AsJson = False, server: Server) -> None:
    """How do I stop notices to a channel?

    Deletes it, with the messages that wait for it.

    Example: mergecast admin channels delete demo/harbor merge-queue
    """
    check_scope(scope)
    with connect(*server) as client, _known_id(client, scope, id):
        client.delete_channel(scope, id)
    print_done(f"deleted channel {id} of {scope}", as_json=as_json, deleted=id)


def try_channel(scope: ScopeName, id: ChannelId, *, as_json: AsJson = False, server: Server) -> int:
    """Does a message arrive?

    Sends a sample. The exit code is 1 if it did not arrive.

    Example: mergecast admin channels test demo/harbor log
    """
    check_scope(scope)
    with connect(*server) as client, _known_id(client, scope, id):
        outcome = client.try_channel(scope, id)
    told = "sent" if outcome.is_sent else "not sent"
    facts = {"is_sent": outcome.is_sent, "detail": outcome.detail}
    print_done(f"{told}: {outcome.detail}", as_json=as_json, **facts)
    return 0 if outcome.is_sent else 1


@contextmanager
def _known_id(client: "Client", scope: str, id: str) -> Iterator[None]:
    """Around a request about one channel: an unknown one is explained, with a similar name."""
    missing = f"{scope} has no channel"
    try:
        with naming_an_id(id, "channel", missing, f"mergecast admin channels list {scope}"):
            yield
    except NotFound as error:
        near = nearest(id, [channel.name for channel in client.channels(scope).value])
        if near is None:
            raise
        raise NotFound(f"{missing} `{id}`; did you mean `{near}`?") from error


def _rules(chosen: Chosen) -> list[dict[str, object]] | None:
    """The rules that options stand for; None if they choose nothing."""
    if not any(chosen):
        return None
    has_alerts = bool(chosen.alerts or chosen.figures or chosen.origins)
    # A queue alone chooses among what a channel receives by default.
    is_default = not (has_alerts or chosen.removals or chosen.digest)
    if chosen.queues and chosen.digest and not (has_alerts or chosen.removals):
        raise WrongUsage("--queue: a digest is about all queues; choose --alerts or --removals with it")
    queues = {"queues": chosen.queues} if chosen.queues else {}
    figures = {"figures": chosen.figures} if chosen.figures else {}
    origins = {"origins": chosen.origins} if chosen.origins else {}
    rules: list[dict[str, object]] = []
    if chosen.removals or is_default:
        rules.append({"what": REMOVED, **queues})
    if has_alerts or is_default:
        rules.append({"what": ALERT, **figures, **origins, **queues})
    return [*rules, {"what": DIGEST}] if chosen.digest else rules


def _given(
    name: str | None, rules: list[dict[str, object]] | None, digest_at: str | None
) -> dict[str, object]:
    schedule = None if digest_at is None else _schedule(digest_at)
    given = {"name": name, "rules": rules, "digest": schedule}
    return {field: value for field, value in given.items() if value is not None}


def _schedule(text: str) -> dict[str, object]:
    day, _, rest = text.strip().partition(" ")
    hour, _, zone = rest.strip().partition(" ")
    if not (hour.isascii() and hour.isdigit()):
        raise WrongUsage(f'--digest-at: `{text}` is not a day and an hour; write "monday 9 Europe/Berlin"')
    return {"day": day.lower(), "hour": int(hour[:3]), "time_zone": zone.strip() or "UTC"}


def _target(kind: Kind, to: list[str] | None) -> dict[str, object]:
    if kind is Kind.EMAIL:
        if not to:
            raise WrongUsage("--to is missing: a channel of the kind email needs at least one recipient")
        return {"to": to}
    if to:
        raise WrongUsage("--to is only for channels of the kind email")
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
            f"write `mergecast admin channels add OWNER/REPO {kind.value} < FILE`"
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
        *(channel.id, channel.name, channel.kind, channel.target, _received(channel)),
        channel.state,
        counted(channel.waiting, "message"),
        last,
    )


def _received(channel: "Channel") -> str:
    """What the rules of a channel choose, in words."""
    return "; ".join(map(_rule_in_words, channel.rules)) or "nothing"


def _rule_in_words(rule: "Rule") -> str:
    """One rule, such as `alerts (learned) about run_too_long in default`."""
    if rule.what == DIGEST:
        return "the digest"
    words = "removals" if rule.what == REMOVED else "alerts"
    origins = f" ({', '.join(rule.origins)})" if rule.origins else ""
    figures = f" about {', '.join(rule.figures)}" if rule.figures else ""
    queues = f" in {', '.join(rule.queues)}" if rule.queues else ""
    return f"{words}{origins}{figures}{queues}"
