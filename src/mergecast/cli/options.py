"""Options and arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.queues.model.repository import is_name, is_owner

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", metavar="FOLDER", help="Data folder [MERGECAST_DATA_DIR, default: data]"),
]
Url = Annotated[
    str | None,
    typer.Option(
        "--url", metavar="URL", help="Use the server at this URL instead of a data folder [MERGECAST_URL]"
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", metavar="TOKEN", help="Token for --url [MERGECAST_TOKEN or MERGECAST_ADMIN_TOKEN]"
    ),
]
RepositoryName = Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Repository")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the server's answer as JSON")]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="How far back: 90m, 12h, 7d, 4w; 7d by default")
]
Start = Annotated[
    str | None, typer.Option(metavar="DATE", help="Start of the period: 2026-01-31, 2026-01-31T09:00")
]
End = Annotated[str | None, typer.Option(metavar="DATE", help="End of the period; now by default")]
Branch = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this base branch; repeatable")]
Queue = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this queue; repeatable")]
PriorityRule = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Only this priority rule; repeatable")
]
TimeZone = Annotated[
    str | None,
    typer.Option(metavar="ZONE", help="Time zone of dates, such as Europe/Paris; the local one by default"),
]
Utc = Annotated[bool, typer.Option("--utc", help="The same as --tz UTC")]

_MOST_DIGITS = 19


def check_repository(text: str) -> str:
    """`OWNER/REPO`, with both names well formed."""
    owner, slash, name = text.partition("/")
    if not slash or not is_owner(owner) or not is_name(name):
        raise WrongUsage(f"`{text}` is not a repository; write it as OWNER/REPO, such as acme/widgets")
    return text


def check_scope(text: str) -> tuple[str, str | None]:
    """The owner, and the name of the repository of `OWNER/REPO`; no name for `OWNER`."""
    owner, slash, name = text.partition("/")
    if slash:
        check_repository(text)
    elif not is_owner(text):
        raise WrongUsage(f"`{text}` is neither a repository nor an owner; write acme/widgets or acme")
    return owner, name or None


def read_output(text: str) -> Path | None:
    """The file to write; None for standard output."""
    return None if text == "-" else Path(text)


def draft_of(file: Path) -> Path:
    """The file to write first, so that an interrupted command leaves no half of `file`."""
    if not file.parent.is_dir():
        raise WrongUsage(f"cannot write `{file}`: there is no folder `{file.parent}`")
    return file.with_name(f"{file.name}.part")


def parse_place(text: str) -> tuple[str, int | None]:
    """The repository and number of `OWNER/REPO#NUMBER`; no number for `OWNER/REPO`."""
    name, sign, digits = text.partition("#")
    check_repository(name)
    if not sign:
        return name, None
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        raise WrongUsage(f"`{text}` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42")
    return name, int(digits)
