"""How a command reaches a store, through a running server or a temporary one, and how requests fail."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mergecast.cli.errors import MissingExtra, WrongUsage
from mergecast.cli.output import waiting
from mergecast.errors import MergecastError, NotFound, RefusedCredential

if TYPE_CHECKING:
    from mergecast.client.answers import Answer
    from mergecast.client.client import Client
    from mergecast.process.data_folder import Address, DataFolder

WAITING_SECONDS = 30.0
_STORE = "mergecast.sqlite"
_API = "/v1"
_NOT_ALLOWED = (401, 403)
_NOT_FOUND = 404
_NO_PATH = "there is no such path"  # how servers of all versions begin this message
# How a refusal that is about fields ends a command.
_KINDS = {409: MergecastError, 422: WrongUsage}
# Servers do not say why they refuse a credential.
_WHY_REFUSED = {
    "application key": (
        "it may be revoked, expired, of another owner or without the right, "
        "which the operator sees in `mergecast admin key list`"
    ),
    "platform token": "it must be able to read the repository, and to push to it if this sends something",
    "service token": "it must come from an issuer that the server trusts, and name the repository",
    "token": "the admin token is in MERGECAST_ADMIN_TOKEN of the server, or in its file admin-token",
}
PENDING = "pending"
_POLL_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 60.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Target:
    """Where the store is: behind a server's URL, in a database, or in a data folder."""

    data_dir: Path
    url: str | None = None
    token: str | None = None
    database_url: str | None = field(default=None, repr=False)

    def has_store(self) -> bool:
        return self.database_url is not None or (self.data_dir / _STORE).exists()

    def is_served(self) -> bool:
        """Whether a server keeps running after a command."""
        from mergecast.process.data_folder import DataFolder

        return self.url is not None or DataFolder(self.data_dir).address() is not None


def find_target(data_dir: Path | None, url: str | None, token: str | None) -> Target:
    """Options take precedence over environment variables; then a URL, then a database, then a data folder."""
    from mergecast.cli.environment import read_environment, server_token

    environment = read_environment()
    if url is None and data_dir is None:
        url = environment.url
    token = None if url is None else server_token(token)
    if url is not None and token is None:
        raise WrongUsage("--url needs a token: add --token, or set MERGECAST_TOKEN")
    if url is not None and not url.startswith(("http://", "https://")):
        raise WrongUsage("--url: this is not the URL of a server, which starts with http:// or https://")
    if url is not None and url.rstrip("/").endswith(_API):
        raise WrongUsage(f"--url: leave out `{_API}` at the end of `{url}`")
    database_url = environment.database_url if url is None and data_dir is None else None
    return Target(data_dir or environment.data_dir, url, token, database_url)


def connect(
    data_dir: Path | None,
    url: str | None,
    token: str | None,
    *,
    may_create: bool = False,
    quiet: bool = False,
) -> "AbstractContextManager[Client]":
    """A client of the server that these options name."""
    return connect_to(find_target(data_dir, url, token), may_create=may_create, quiet=quiet)


def connect_to(
    target: Target, *, may_create: bool = False, quiet: bool = False
) -> "AbstractContextManager[Client]":
    """A quiet command does not print the audit lines of its own server."""
    if target.url is not None:
        return _client(target.url, target.token or "")
    if not may_create and not target.has_store():
        raise NotFound(
            f"there is no store in `{target.data_dir}`; name its folder with --data-dir, "
            "name a server with --url, or create a store with `mergecast serve` or `mergecast demo`"
        )
    if target.database_url is not None:
        return _client_of_database(target.data_dir, target.database_url, quiet=quiet)
    return _client_of_folder(target.data_dir, quiet=quiet)


@contextmanager
def _client(url: str, token: str) -> "Iterator[Client]":
    from mergecast.client.client import Client
    from mergecast.client.errors import ErrorResponse

    with Client(url, token) as client:
        try:
            yield client
        except ErrorResponse as error:
            if error.status not in _NOT_ALLOWED:
                raise
            raise RefusedCredential(_refused(url, token)) from error


def _refused(url: str, token: str) -> str:
    """What was refused, and where to get a right one."""
    from mergecast.access.credential import kind_of

    kind = str(kind_of(token.encode()))
    refused = kind if kind in _WHY_REFUSED else "token"
    return (
        f"{url} does not accept this {refused} for this command: {_WHY_REFUSED[refused]}; "
        "pass another with --token or MERGECAST_TOKEN"
    )


@contextmanager
def _client_of_database(data_dir: Path, database_url: str, *, quiet: bool) -> "Iterator[Client]":
    """A temporary server in this process: any number of servers may share a database."""
    try:
        from mergecast.cli.own_server import serve_database
    except ModuleNotFoundError as error:
        raise missing_server(error) from None
    with (
        serve_database(data_dir, database_url, quiet=quiet) as (url, token),
        _client(url, token) as client,
    ):
        yield client


@contextmanager
def _client_of_folder(data_dir: Path, *, quiet: bool) -> "Iterator[Client]":
    """The server that owns the folder; if there is none, this process owns it until the command ends."""
    from mergecast.process.data_folder import DataFolder

    folder = DataFolder(data_dir)
    address = owner_of(folder)
    if address is not None:
        with _client(address.url, address.token) as client:
            yield client
        return
    try:
        with _own_server(folder, quiet=quiet) as client:
            yield client
    finally:
        folder.release()


def owner_of(folder: "DataFolder", when_waiting: Callable[[], None] = lambda: None) -> "Address | None":
    """The address of the folder's server, or None once this process owns the folder.

    Waits for a server that is starting, and for another command to end.
    """
    from mergecast.client.errors import Unreachable

    begun: float | None = None
    while not folder.take():
        address = folder.address()
        if address is not None:
            return address
        if begun is None:
            begun = time.monotonic()
            when_waiting()
        if time.monotonic() - begun > WAITING_SECONDS:
            raise Unreachable(f"another command is using the store in `{folder.path}`; try again later")
        time.sleep(0.05)
    return None


@contextmanager
def _own_server(folder: "DataFolder", *, quiet: bool) -> "Iterator[Client]":
    """A server on a free port for as long as the command runs; its address is not published."""
    try:
        from mergecast.cli.own_server import serve_folder
    except ModuleNotFoundError as error:
        raise missing_server(error, ", or use a running server with --url") from None
    with serve_folder(folder, quiet=quiet) as (url, token), _client(url, token) as client:
        yield client


def missing_server(error: ModuleNotFoundError, alternative: str = "") -> MissingExtra:
    """For a command that needs the server's libraries."""
    if (error.name or "").partition(".")[0] == "mergecast":
        raise error
    return MissingExtra(
        f"this needs the server, which is not installed ({error.name} is missing): "
        f"install it with `pip install 'mergecast[server]'`{alternative}"
    )


@contextmanager
def naming_an_id(id: str, what: str, missing: str, listing: str) -> Iterator[None]:
    """Around a request about one thing: an invalid or unknown id is explained in terms of commands."""
    from mergecast.client.errors import ErrorResponse

    if not (id.isascii() and any(map(str.isalnum, id)) and all(one.isalnum() or one in "-_.#" for one in id)):
        raise WrongUsage(f"`{id}` is not the id of a {what}; `{listing}` shows the ids")
    try:
        yield
    except ErrorResponse as error:
        if error.status != _NOT_FOUND:
            raise
        raise NotFound(f"{missing} `{id}`; `{listing}` shows the ids") from error


@contextmanager
def needs_newer_server(what: str) -> Iterator[None]:
    """Around a request: say that an older server cannot do this, instead of that it has no such path."""
    from mergecast.client.errors import ErrorResponse

    try:
        yield
    except ErrorResponse as error:
        if error.status == _NOT_FOUND and str(error).startswith(_NO_PATH):
            raise MergecastError(f"this server is older and does not {what}; upgrade it") from error
        raise


@contextmanager
def named_options(options: Mapping[str, str]) -> Iterator[None]:
    """`options` says which option or argument each field of the request comes from.

    A field within another one is looked up first: `/targets/0/base_ref`, then `/targets`, with its own name.
    """
    from mergecast.client.errors import ErrorResponse

    try:
        yield
    except ErrorResponse as error:
        kind = _KINDS.get(error.status)
        if kind is None or not error.errors:
            raise
        lines = (f"{_option(options, name)}{message}" for name, message in error.errors)
        raise kind("\n".join(lines)) from error


def _option(options: Mapping[str, str], name: str) -> str:
    outer, *within = name.strip("/").split("/")
    inner = within[-1] if within else outer
    if inner in options:
        named = options[inner]
    else:
        # One of several values, such as `failure_rate` in `--limit failure_rate=1.5`, unless it is a place.
        words = [options.get(outer, outer), *(one for one in within[-1:] if not one.isdigit())]
        named = " ".join(word for word in words if word)
    return f"{named}: " if named else ""


def once_computed(
    ask: "Callable[[], Answer[T]]", is_pending: Callable[[T], bool], *, is_served: bool
) -> "Answer[T]":
    """The first answer, or the one with expected merges if the server ends with this command.

    The first request starts the computation, which a server that keeps running has for the next one.
    """
    answer = ask()
    if is_served:
        return answer
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    with waiting("computing when the pull requests will merge …"):
        while is_pending(answer.value) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            answer = ask()
    return answer
