"""Observes everything at once."""

import time
from dataclasses import replace
from functools import partial

from mergecast.doctor.observed import Folder, Observed, ServerAnswers, Unknown
from mergecast.doctor.observing.machine import observe_folder, why_not_listen
from mergecast.doctor.observing.network import observe_platform, observe_public_url, observe_server
from mergecast.doctor.observing.provider import observe_provider
from mergecast.doctor.observing.time_limits import Probe
from mergecast.doctor.subject import Subject
from mergecast.incoming.sources.origin import Account
from mergecast.queues.store.inspection import Inspection
from mergecast.queues.store.opening import inspect_store


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
