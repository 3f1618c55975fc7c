"""Observes everything at once."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar

from mergecast.doctor.observed import Folder, Observed, ProviderAnswers, ServerAnswers, Unknown
from mergecast.doctor.observing.machine import observe_folder, why_not_listen
from mergecast.doctor.observing.network import (
    Asker,
    asking,
    observe_platform,
    observe_public_url,
    observe_server,
)
from mergecast.doctor.subject import Subject
from mergecast.errors import MergecastError
from mergecast.incoming.sources.origin import Account
from mergecast.queues.store.inspection import Inspection
from mergecast.queues.store.opening import inspect_store

_OK = 200
_HEADERS = {"Accept": "application/json"}
T = TypeVar("T")


def observe(subject: Subject, seconds: float, seconds_for_all: float) -> Observed:
    """One question may take `seconds`; all to the same server, or looking at a folder, `seconds_for_all`."""
    before = time.time() - time.monotonic()
    if subject.url is not None:
        elsewhere = Probe(partial(observe_server, subject.url, subject.token, seconds), seconds_for_all)
        return Observed(server=elsewhere.result(), jumped_seconds=time.time() - time.monotonic() - before)
    platforms = [
        Probe(partial(observe_platform, account, _followed(subject, account), seconds), seconds_for_all)
        for account in subject.accounts
    ]
    provider = Probe(partial(observe_provider, subject.oidc_issuer, seconds), seconds_for_all)
    public = Probe(partial(observe_public_url, subject.public_url, seconds), 2 * seconds)
    folder = Probe(partial(_observe_folder, subject), seconds_for_all).result()
    store = Probe(partial(_observe_store, subject, folder, seconds), seconds_for_all)
    server = Probe(partial(_observe_owner, subject, folder, seconds), seconds_for_all)
    other = Probe(partial(_observe_own_address, subject, folder, seconds), 2 * seconds)
    return Observed(
        folder,
        store.result(),
        server.result(),
        other.result(),
        public.result(),
        tuple(probe.result() for probe in platforms),
        provider.result(),
        time.time() - time.monotonic() - before,
    )


def _followed(subject: Subject, account: Account) -> list[str]:
    return [followed.repository for followed in subject.followed if followed.source == account.source]


def _observe_folder(subject: Subject) -> Folder | None:
    """With a database, the folder does not matter."""
    return None if subject.database_url is not None else observe_folder(subject.data_dir)


def is_idle(folder: Folder | Unknown | None) -> bool:
    """Whether the folder can be used, and no process does."""
    return isinstance(folder, Folder) and folder.is_folder and folder.may_use and not folder.is_taken


def _observe_store(subject: Subject, folder: Folder | Unknown | None, seconds: float) -> Inspection | None:
    if subject.missing_libraries or not (subject.database_url or is_idle(folder)):
        return None
    return inspect_store(subject.data_dir, subject.database_url, seconds)


def _observe_owner(subject: Subject, folder: Folder | Unknown | None, seconds: float) -> ServerAnswers | None:
    if subject.database_url is not None and subject.port:
        return observe_server(subject.own_url, subject.token, seconds)
    if isinstance(folder, Folder) and folder.server is not None:
        return observe_server(*folder.server, seconds)
    return None


def _observe_own_address(
    subject: Subject, folder: Folder | Unknown | None, seconds: float
) -> ServerAnswers | None:
    """Where a server would listen, if none owns the folder."""
    is_new = isinstance(folder, Folder) and folder.owner is None and folder.hidden_in is None
    if not subject.port or not (is_new or is_idle(folder)):
        return None
    cannot_listen = why_not_listen(subject.host, subject.port)  # before anything else is connected there
    return replace(observe_server(subject.own_url, None, seconds), cannot_listen=cannot_listen)


def observe_provider(issuer: str | None, seconds: float) -> ProviderAnswers | None:
    return asking(seconds, lambda asker: _ask_provider(asker, issuer)) if issuer else None


async def _ask_provider(asker: Asker, issuer: str) -> ProviderAnswers:
    # An installation without the server has no such settings, and not the libraries of these modules.
    from mergecast.access.key_sets import NoKeys, read_key_set  # noqa: PLC0415
    from mergecast.access.oidc import (  # noqa: PLC0415
        UnusableDocument,
        discovery_url,
        read_provider_document,
    )

    url = discovery_url(issuer)
    discovery = await asker.ask(url, _HEADERS)
    if discovery.status != _OK:
        return ProviderAnswers(issuer, url, discovery)
    try:
        keys_url = read_provider_document(discovery.body, issuer).jwks_uri
    except UnusableDocument as error:
        return ProviderAnswers(issuer, url, discovery, str(error))
    keys = await asker.ask(keys_url, _HEADERS)
    problem = None
    if keys.status == _OK:
        try:
            read_key_set(keys.body)
        except NoKeys as error:
            problem = str(error)
    return ProviderAnswers(issuer, url, discovery, None, keys_url, keys, problem)


class Probe(Generic[T]):
    """Work that begins at once. The thread of work that never ends dies with the process."""

    def __init__(self, work: Callable[[], T], seconds: float) -> None:
        self._work = work
        self._deadline = time.monotonic() + seconds
        self._result: T | Unknown = Unknown(f"no answer within {seconds:g} seconds")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except MergecastError as error:
            self._result = Unknown(str(error))
        except OSError as error:
            self._result = Unknown(f"{error.filename or 'a file'}: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - the other checks are reported all the same
            self._result = Unknown(f"the check itself failed: {type(error).__name__}")

    def result(self) -> T | Unknown:
        self._thread.join(max(0.0, self._deadline - time.monotonic()))
        return self._result
