"""`mergecast setup`: add a queue to a server, which keeps it current. Asks what the dashboard asks."""

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from mergecast.cli.commands.import_source import As, FromTokenFile, FromUrl, fitting_name, name_here
from mergecast.cli.commands.open import open_browser, require_server, sign_in_link
from mergecast.cli.connection import Target, connect_to, find_target, named_options, needs_newer_server
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import AsJson, Server, check_repository
from mergecast.cli.output import print_done, print_json, say
from mergecast.cli.periods import utc_text
from mergecast.errors import MergecastError
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.source import Source

if TYPE_CHECKING:
    from mergecast.client.answers import Answer
    from mergecast.queues.answers.sources import ListedSource

_OTHER = "other"
_QUEUES = (*SOURCES, _OTHER)
_TITLES = {**{name: source.queue for name, source in SOURCES.items()}, _OTHER: "another queue"}
_OPTIONS = {"repository": "--repository", "as": "--as", "url": "--from-url", "token": "--from-token-file"}
_WAYS = ("with a GitHub App, which you create in a browser", "with a token")
_LONGEST_NAME = 100


class _Given(NamedTuple):
    """What options say; None is asked for."""

    repository: str | None
    as_name: str | None
    url: str | None
    token_file: str | None


def setup(
    *,
    queue: Annotated[
        str | None, typer.Argument(metavar="|".join(_QUEUES), help="The queue that you use")
    ] = None,
    repository: Annotated[
        str | None, typer.Option(metavar="OWNER/REPO", help="Repository, by its name on the platform")
    ] = None,
    app: Annotated[
        bool, typer.Option("--app", help="Create a GitHub App in a browser, in place of a token")
    ] = False,
    from_url: FromUrl = None,
    from_token_file: FromTokenFile = None,
    as_name: As = None,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """Which queue do you use? Adds it to a server.

    The server imports its last 90 days and keeps it current. In a terminal, the command asks for what no
    option gives. A token is tested before it is stored, encrypted; `mergecast admin sources` shows its state.

    Example: mergecast setup other --repository acme/web
    """
    target, given = find_target(*server), _Given(repository, as_name, from_url, from_token_file)
    chosen = _queue(queue)
    if app and chosen != "github":
        raise WrongUsage("--app: only GitHub has apps")
    if app and (as_name is not None or from_token_file is not None):
        raise WrongUsage("--app: --as and --from-token-file are for a queue that is read with a token")
    if chosen == _OTHER:
        _show_request(target, given, as_json=as_json)
    elif app or (chosen == "github" and _prefers_app(given)):
        _open_page(target, given, as_json=as_json)
    else:
        _add(target, SOURCES[chosen], given, as_json=as_json)


def _queue(given: str | None) -> str:
    if given is not None:
        if given not in _QUEUES:
            raise WrongUsage(
                f"`{given}` is not a queue that Mergecast knows; write one of {', '.join(_QUEUES)}"
            )
        return given
    _needs_terminal(f"one of {', '.join(_QUEUES)}")
    return _QUEUES[_choose("Which queue do you use?", [_TITLES[name] for name in _QUEUES])]


def _prefers_app(given: _Given) -> bool:
    if _known_token(SOURCES["github"], given) is not None or not _is_terminal():
        return False
    return _choose("How should Mergecast read it?", _WAYS) == 0


def _open_page(target: Target, given: _Given, *, as_json: bool) -> None:
    """An app is created on GitHub's pages, by a person who is signed in there."""
    from urllib.parse import urlencode

    asked = {"repository": given.repository, "url": given.url}
    query = {"queue": "github", **{name: value for name, value in asked.items() if value is not None}}
    link = sign_in_link(target, f"sources?{urlencode(query)}")
    print_done(f"create the app here, within ten minutes: {link}", as_json=as_json, url=link)
    if _is_terminal() and not as_json:
        open_browser(link)


def _add(target: Target, source: Source, given: _Given, *, as_json: bool) -> None:
    wanted = _wanted(source, given)
    with (
        connect_to(target, may_create=True) as client,
        needs_newer_server("add sources"),
        named_options(_OPTIONS),
    ):
        tested = client.try_source(wanted)
        if not tested.is_ok:
            raise MergecastError(f"nothing is added: {tested.sentence}")
        added = client.add_source(wanted)
    if as_json:
        print_json(added.raw)
    else:
        say(tested.sentence)
        _print_added(added, target)


def _print_added(added: "Answer[ListedSource]", target: Target) -> None:
    name = added.value.name
    imports = "the server imports" if target.is_served() else "start `mergecast serve`, which imports"
    say(f"added {name} ({added.value.title}); {imports} its last 90 days, the newest first")
    say(f"`mergecast admin sources` shows how far it is, `mergecast summary {name}` the first figures")


def _wanted(source: Source, given: _Given) -> dict[str, object]:
    """The request. What is missing is asked for or, without a terminal, named all at once."""
    token = _known_token(source, given)
    missing = [
        option
        for option, known in (("--repository", given.repository), ("--from-token-file", token))
        if known is None
    ]
    if missing:
        alternative = ", or --app for a GitHub App" if source.app_settings and token is None else ""
        _needs_terminal(" and ".join(missing) + alternative)
    repository = given.repository or _ask(f"Repository ({source.repository[0]})")
    url = given.url
    if url is None and _is_terminal():
        url = _ask("Address of its API", source.url)
    name = name_here(repository, given.as_name or _other_name(repository))
    as_name = None if name == repository else name
    token = token or _ask("Token (not shown)", hide=True)
    return {"source": source.name, "repository": repository, "as": as_name, "url": url, "token": token}


def _other_name(repository: str) -> str | None:
    fitting = fitting_name(repository)
    return None if fitting == repository or not _is_terminal() else _ask("Its name here", fitting)


def _known_token(source: Source, given: _Given) -> str | None:
    from mergecast.cli.environment import checked_token, read_token_file

    if given.token_file is not None:
        return read_token_file(given.token_file, "--from-token-file")
    return checked_token(source.token_setting.upper(), f"a token of {source.title}")


def _show_request(target: Target, given: _Given, *, as_json: bool) -> None:
    require_server(target)
    if given.repository is None:
        _needs_terminal("--repository")
    repository = check_repository(given.repository or _ask("Repository (OWNER/REPO)"))
    owner, _, name = repository.partition("/")
    with connect_to(target) as client:
        wanted = {"owner": owner, "name": f"events of {name}"[:_LONGEST_NAME], "scopes": ["read", "ingest"]}
        key = client.make_key(wanted).value.key
        url = f"{client.url}/v1/repos/{repository}/events"
    enters, leaves = (_curl(url, key, event) for event in _first_events(datetime.now(UTC)))
    told = "paste this into a terminal; its key, which may send events of all repositories of"
    say(f"{told} {owner}, is not shown again. Then see `mergecast queue {repository}`", file=sys.stderr)
    print_done(*enters.split("\n"), as_json=as_json, key=key, url=url, curl=enters, curl_merged=leaves)
    if not as_json:
        told = "#42 waits there until an event says that it left. This one says that it merged:"
        say(told, *leaves.split("\n"), file=sys.stderr)


def _first_events(now: datetime) -> Iterator[dict[str, object]]:
    """Pull request 42 entered the queue a minute ago, and merges now."""
    at, later = (utc_text(now.replace(microsecond=0) - timedelta(minutes=ago)) for ago in (1, 0))
    stay = {"base_ref": "main", "queue_name": "default", "session_id": f"stay-42-{at}", "pull_request": 42}
    yield {"id": f"42-entered-{at}", "type": "queue_entered", "at": at, **stay}
    yield {"id": f"42-left-{at}", "type": "queue_left", "at": later, **stay, "reason": "PR_MERGED"}


def _curl(url: str, key: str, event: dict[str, object]) -> str:
    """A line for a shell that sends an event."""
    import msgspec

    return (
        f'curl -H "Authorization: Bearer {key}" -H "Content-Type: application/json" \\\n'
        f"  -d '{msgspec.json.encode([event]).decode()}' \\\n"
        f"  '{url}'"
    )


def _choose(question: str, choices: Sequence[str]) -> int:
    """Which of the choices somebody picks, by its number."""

    def read(text: str) -> int:
        if text.isdecimal() and 1 <= int(text) <= len(choices):
            return int(text) - 1
        raise typer.BadParameter(f"write a number from 1 to {len(choices)}")

    for number, choice in enumerate(choices, 1):
        say(f"  {number}  {choice}", file=sys.stderr)
    chosen: int = typer.prompt(question, value_proc=read, prompt_suffix=" ", err=True)
    return chosen


def _ask(question: str, default: str | None = None, *, hide: bool = False) -> str:
    answer: str = typer.prompt(question, default=default, hide_input=hide, err=True)
    return answer.strip()


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _needs_terminal(options: str) -> None:
    if not _is_terminal():
        raise WrongUsage(f"standard input is not a terminal, so nothing can be asked: give {options}")
