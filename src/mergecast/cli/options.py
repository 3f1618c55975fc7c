"""Options and arguments that several commands share, alone and in groups."""

import re
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from mergecast.cli.errors import WrongUsage
from mergecast.cli.periods import Period, read_dates, read_period, read_zone
from mergecast.queues.model.repository import is_name, is_owner
from mergecast.queues.model.zone import Zone

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
PullRequest = Annotated[
    list[str], typer.Argument(metavar="OWNER/REPO#NUMBER", help="Pull request, or the address of its page")
]
RepositoryName = Annotated[str, typer.Argument(metavar="OWNER/REPO", help="Repository")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON; an error is JSON too, on standard error")]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="How far back: 90m, 12h, 7d, 4w; 7d by default")
]
Start = Annotated[
    str | None, typer.Option(metavar="DATE", help="Start of the period: 2026-01-31, 2026-01-31T09:00")
]
End = Annotated[str | None, typer.Option(metavar="DATE", help="End of the period; now by default")]
ReferenceStart = Annotated[
    str | None,
    typer.Option(metavar="DATE", help="Compare with a period: its start, 2026-03-01 or 2026-03-01T09:00"),
]
ReferenceEnd = Annotated[
    str | None, typer.Option(metavar="DATE", help="Compare with a period: its end; now by default")
]
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
SinceMonth = Annotated[
    str | None, typer.Option(metavar="TIME", help="How far back: 12h, 14d, 4w; 28d by default")
]
SinceHalfYear = Annotated[
    str | None, typer.Option(metavar="TIME", help="How far back: 28d, 12w; 180d by default")
]
SincePast = Annotated[
    str | None, typer.Option(metavar="TIME", help="Also those that ended since: 12h, 7d, 4w")
]
SinceKept = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w; all that are kept by default"),
]

# Filters, and the parameters of the API that they set.
FILTERS = {"--branch": "base_ref", "--queue": "queue_name", "--priority-rule": "priority_rule_name"}
_MOST_DIGITS = 19
# Pages of GitHub and GitLab, and of the dashboard, which may be below a prefix.
_PAGES = (
    re.compile(r"https?://[^/]+/([^/#?]+)/([^/#?]+)/pull/([0-9]{1,19})(?:[/#?].*)?"),
    re.compile(r"https?://[^/]+/(?:[^#?]+/)?([^/#?]+)/([^/#?]+)/-/merge_requests/([0-9]{1,19})(?:[/#?].*)?"),
    re.compile(r"https?://[^#?]+/r/([^/#?]+)/([^/#?]+)/pulls/([0-9]{1,19})/?(?:[#?].*)?"),
)


class Server(NamedTuple):
    """Where the store is."""

    data_dir: DataDir = None
    url: Url = None
    token: Token = None


class ZoneOptions(NamedTuple):
    tz: TimeZone = None
    utc: Utc = False

    def read(self) -> Zone:
        return read_zone(self.tz, utc=self.utc)


class Dates(NamedTuple):
    since: Since = None
    start: Start = None
    end: End = None

    def read(self, zone: Zone, now: datetime) -> Period:
        return read_period(*self, zone.tz, now)


class MonthDates(NamedTuple):
    since: SinceMonth = None
    start: Start = None
    end: End = None

    def read(self, zone: Zone, now: datetime) -> Period:
        return read_dates(self, "28d", zone.tz, now)


class HalfYearDates(NamedTuple):
    since: SinceHalfYear = None
    start: Start = None
    end: End = None

    def read(self, zone: Zone, now: datetime) -> Period:
        return read_dates(self, "180d", zone.tz, now)


class PastDates(NamedTuple):
    """Without them, only what has not ended."""

    since: SincePast = None
    start: Start = None
    end: End = None

    def query(self, zone: Zone, now: datetime) -> dict[str, str]:
        return _limited(self, zone, now)


class KeptDates(NamedTuple):
    since: SinceKept = None
    start: Start = None
    end: End = None

    def query(self, zone: Zone, now: datetime) -> dict[str, str]:
        return _limited(self, zone, now)


class ReferenceDates(NamedTuple):
    start: ReferenceStart = None
    end: ReferenceEnd = None

    def query(self, zone: Zone, now: datetime) -> dict[str, str]:
        return _limited((None, *self), zone, now)


def _limited(given: tuple[str | None, str | None, str | None], zone: Zone, now: datetime) -> dict[str, str]:
    """The period that is asked for, if one is."""
    return {} if given == (None, None, None) else read_period(*given, zone.tz, now).query()


class QueueFilters(NamedTuple):
    branch: Branch = None
    queue: Queue = None

    def query(self) -> dict[str, list[str]]:
        return Filters(*self).query()


class Filters(NamedTuple):
    branch: Branch = None
    queue: Queue = None
    priority_rule: PriorityRule = None

    def given(self) -> dict[str, list[str]]:
        """The names that each option gives."""
        return {option: names for option, names in zip(FILTERS, self, strict=True) if names}

    def query(self) -> dict[str, list[str]]:
        return {FILTERS[option]: names for option, names in self.given().items()}


def with_options(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """The command as Typer takes it: with the options of a group in the place of the group.

    A group is a named tuple whose fields are options. The command runs if the name of its repository is well
    formed.
    """
    parameters = signature(command).parameters
    groups = {name: one.annotation for name, one in parameters.items() if _is_group(one.annotation)}
    named = [name for name, one in parameters.items() if one.annotation is RepositoryName]

    @wraps(command)
    def run(**given: object) -> int | None:
        for name in named:
            check_repository(str(given[name]))
        grouped = {name: group(*map(given.pop, group._fields)) for name, group in groups.items()}
        return command(**given, **grouped)

    options = [
        Parameter(option, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, one in parameters.items()
        for option, annotation, default in (
            _options_of(groups[name]) if name in groups else [(name, one.annotation, one.default)]
        )
    ]
    run.__signature__ = Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _is_group(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, tuple)


def _options_of(group: type[NamedTuple]) -> list[tuple[str, object, object]]:
    defaults = group._field_defaults
    return [(name, kind, defaults[name]) for name, kind in group.__annotations__.items()]


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


def parse_place(text: str, *numbers: str) -> tuple[str, int | None]:
    """The repository, and the number if there is one, of a reference or of the address of a page.

    >>> parse_place("acme/widgets#7"), parse_place("acme/widgets", "7"), parse_place("acme/widgets")
    (('acme/widgets', 7), ('acme/widgets', 7), ('acme/widgets', None))
    >>> parse_place("https://github.com/acme/widgets/pull/7/files")
    ('acme/widgets', 7)
    """
    if numbers:
        return parse_place("#".join([text, *(number.removeprefix("#") for number in numbers)]))
    for page in _PAGES:
        if match := page.fullmatch(text.strip()):
            owner, name, number = match.groups()
            return parse_place(f"{owner}/{name}#{number}")
    if text.startswith(("http://", "https://")):
        raise WrongUsage(
            f"`{text}` is not the page of a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42"
        )
    _refuse_path(text)
    name, sign, digits = text.partition("#")
    check_repository(name)
    if not sign:
        return name, None
    if not (digits.isascii() and digits.isdigit()) or len(digits) > _MOST_DIGITS:
        raise WrongUsage(f"`{text}` is not a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42")
    return name, int(digits)


def parse_pull_request(place: list[str]) -> tuple[str, int]:
    """The repository and the number, which must be there."""
    repository, number = parse_place(*place)
    if number is None:
        raise WrongUsage(
            f"`{repository}` has no pull request number; write OWNER/REPO#NUMBER, such as {repository}#42"
        )
    return repository, number


def _refuse_path(text: str) -> None:
    owner, slash, rest = text.partition("/")
    name, second_slash, number = rest.partition("/")
    if slash and second_slash and number.isascii() and number.isdigit():
        raise WrongUsage(f"`{text}` is not a pull request; did you mean {owner}/{name}#{number}?")
