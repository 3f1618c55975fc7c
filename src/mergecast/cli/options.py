"""Options and arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.model.repository import is_name, is_owner

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Data folder [MERGECAST_DATA_DIR, default: data]", show_default=False),
]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        help="Use the server at this URL instead of a data folder [MERGECAST_URL]",
        show_default=False,
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", help="Token for --url [MERGECAST_TOKEN or MERGECAST_ADMIN_TOKEN]", show_default=False
    ),
]
RepositoryName = Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Repository")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the server's answer as JSON")]
Since = Annotated[
    str | None, typer.Option(help="How far back: 90m, 12h, 7d, 4w [default: 7d]", show_default=False)
]
Start = Annotated[
    str | None, typer.Option(help="Start of the period: 2026-01-31, 2026-01-31T09:00", show_default=False)
]
End = Annotated[str | None, typer.Option(help="End of the period [default: now]", show_default=False)]
Branch = Annotated[list[str] | None, typer.Option(help="Only this base branch; repeatable")]
Queue = Annotated[list[str] | None, typer.Option(help="Only this queue; repeatable")]
PriorityRule = Annotated[list[str] | None, typer.Option(help="Only this priority rule; repeatable")]
TimeZone = Annotated[
    str | None,
    typer.Option(help="Time zone of dates, such as Europe/Paris [default: local]", show_default=False),
]
Utc = Annotated[bool, typer.Option("--utc", help="The same as --tz UTC")]

_MOST_DIGITS = 19


def check_repository(text: str) -> str:
    """`OWNER/REPO`, with both names well formed."""
    owner, slash, name = text.partition("/")
    if not slash or not is_owner(owner) or not is_name(name):
        raise WrongUsage(f"`{text}` is not a repository; write it as OWNER/REPO, such as acme/widgets")
    return text


def parse_place(text: str) -> tuple[str, int | None]:
    """The repository and number of `OWNER/REPO#NUMBER`; no number for `OWNER/REPO`."""
    name, sign, digits = text.partition("#")
    check_repository(name)
    if not sign:
        return name, None
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        raise WrongUsage(f"`{text}` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42")
    return name, int(digits)
