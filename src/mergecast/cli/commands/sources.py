"""`mergecast sources`: what each source has delivered, and translating it again."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, DataDir, Token, Url, check_repository
from mergecast.cli.output import counted, escape, print_json, print_table
from mergecast.cli.periods import Zone, read_zone

if TYPE_CHECKING:
    from mergecast.client.client import Client

_COLUMNS = ("source", "by", "deliveries", "events", "history from", "to", "last received")


def sources(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[translate] OWNER/REPO",
            help="Repository; with `translate`, translate its deliveries again",
        ),
    ],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> int:
    """Show what each source has delivered, or translate all of it into events again."""
    *verb, repository = words
    if verb not in ([], ["translate"]):
        raise WrongUsage("write `mergecast sources OWNER/REPO` or `mergecast sources translate OWNER/REPO`")
    check_repository(repository)
    with connect(data_dir, url, token) as client:
        found = client.sources(repository)
        if not found:
            print(f"no source has delivered anything for {repository}; see `mergecast import -h`")
            return 1
        if verb:
            _translate(client, repository, sorted({one["source"] for one in found}))
        elif as_json:
            print_json(found)
        else:
            _show(found)
    return 0


def _show(found: list[dict[str, Any]]) -> None:
    zone = read_zone(None, utc=False)
    *columns, last = _COLUMNS
    print_table((*columns, f"{last}, {zone.name}", "following"), [_row(one, zone) for one in found])
    for one in found:
        for reason in one["untranslated"]:
            times = counted(reason["count"], "time")
            last = zone.shown_text(reason["last_at"])
            print(escape(f"{one['source']}: {reason['reason']} ({times}, last {last})"))
    for source, counts in {one["source"]: one["not_kept"] for one in found}.items():
        if counts:
            print(
                escape(
                    f"{source}: not kept because they say nothing about a stay in a queue: {_listed(counts)}"
                )
            )

    for one in found:
        if one["hint"]:
            print(escape(f"{one['source']}: {one['hint']}"))


def _listed(counts: list[dict[str, Any]]) -> str:
    """Each event with its action and count, most frequent first."""
    ordered = sorted(counts, key=lambda one: -one["count"])
    names = [" ".join(filter(None, (one["event"], one["action"]))) for one in ordered]
    return ", ".join(f"{name} ({one['count']:,})" for name, one in zip(names, ordered, strict=True))


def _translate(client: "Client", repository: str, names: list[str]) -> None:
    for source in names:
        done = client.translate(repository, source)
        print(f"{source}: {counted(done['events'], 'event')}")


def _row(one: dict[str, Any], zone: Zone) -> tuple[str, ...]:
    following, history = one["following"], one["history"] or {"from": None, "to": None}
    if following is None:
        state = "-"
    elif following["error"] is not None:
        state = f"failing: {following['error']}"
    else:
        state = f"by {following['by']}, next poll {zone.shown_text(following['next_at'])}"
    return (
        one["source"],
        one["kind"],
        f"{one['deliveries']:,}",
        f"{one['events']:,}",
        zone.shown_text(history["from"]),
        zone.shown_text(history["to"]),
        zone.shown_text(one["last_at"]),
        state,
    )
