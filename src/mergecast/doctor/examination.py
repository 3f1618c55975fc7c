"""Judges everything that was observed, in the order of the report."""

import platform
from collections.abc import Iterator
from dataclasses import replace

from mergecast.doctor import limits
from mergecast.doctor.finding import Finding, error, ok
from mergecast.doctor.judging.deliveries import judge_channels, judge_sources, judge_webhooks
from mergecast.doctor.judging.machine import (
    judge_clock,
    judge_disk,
    judge_extras,
    judge_folder,
    judge_memory,
    judge_settings,
    judge_store,
)
from mergecast.doctor.judging.network import (
    judge_own_address,
    judge_platform,
    judge_provider,
    judge_public_url,
    judge_server,
)
from mergecast.doctor.masking import secrets_in, secrets_of, shown_settings, without_secrets
from mergecast.doctor.observed import Folder, Observed, ProviderAnswers, ServerAnswers, Unknown
from mergecast.doctor.observing.everything import is_idle, observe
from mergecast.doctor.observing.machine import user_name
from mergecast.doctor.subject import Subject
from mergecast.process.clock import now_in_microseconds
from mergecast.process.memory import address_space_limit, memory_limit
from mergecast.queues.store.inspection import Inspection


def examine(subject: Subject) -> list[Finding]:
    """Every finding, without secrets."""
    observed = observe(subject, limits.SECONDS, limits.SECONDS_FOR_ALL)
    secrets = secrets_of(subject.variables) | secrets_in(subject.token or "")
    if isinstance(observed.folder, Folder) and observed.folder.server is not None:
        secrets |= secrets_in(observed.folder.server[1])
    return [
        replace(
            finding,
            message=without_secrets(finding.message, secrets),
            advice=without_secrets(finding.advice, secrets),
        )
        for finding in _judge(subject, observed)
    ]


def _judge(subject: Subject, observed: Observed) -> Iterator[Finding]:
    yield ok(
        "program",
        f"mergecast {subject.version}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.release()}, as {user_name()}",
    )
    yield from judge_extras(
        subject.missing_libraries, has_dashboard=subject.has_dashboard, uses_url=subject.url is not None
    )
    yield from judge_settings(
        shown_settings(subject.variables), subject.wrong_settings, subject.unknown_settings
    )
    if subject.url is None:
        yield from _judge_place(subject, observed)
    if observed.server is not None:
        yield from judge_server(observed.server, subject.version)
    if observed.at_own_address is not None:
        yield judge_own_address(observed.at_own_address, subject.data_dir.absolute())
    yield from _judge_clock(observed)
    if subject.url is None and not subject.missing_libraries:
        yield from judge_public_url(
            subject.public_url, observed.public, host=subject.host, trusts_proxies=subject.trusts_proxies
        )
        if observed.provider is not None:
            yield judge_provider(observed.provider, subject.public_url)
        yield judge_webhooks(has_secrets=subject.has_webhook_secrets, follows=bool(subject.followed))
    for account, found in zip(subject.accounts, observed.platforms, strict=False):
        yield from judge_platform(found, account.source)
    if isinstance(observed.server, ServerAnswers):
        yield from judge_sources(observed.server, now_in_microseconds())
        yield from judge_channels(observed.server)


def _judge_place(subject: Subject, observed: Observed) -> Iterator[Finding]:
    """The data folder or the database, and what a server needs besides."""
    if observed.folder is not None:
        yield judge_folder(observed.folder, has_server_extra=not subject.missing_libraries)
        yield from judge_disk(observed.folder)
    if subject.missing_libraries:
        return
    if subject.database_url is not None:
        yield from judge_store(observed.store, "the database", is_database=True)
    elif is_idle(observed.folder):
        yield from judge_store(observed.store, str(subject.data_dir.absolute()), is_database=False)
    elif isinstance(observed.folder, Folder) and observed.folder.is_taken:
        yield from _judge_taken(observed.folder)
    yield judge_memory(memory_limit(), address_space_limit())


def _judge_taken(folder: Folder) -> Iterator[Finding]:
    if folder.server_problem is not None:
        yield error("store", folder.server_problem)
    elif folder.server is not None:
        yield ok("store", f"open in the server at {folder.server[0]}")
    else:
        yield ok("store", "in use by a command, or by a server that is starting")


def _judge_clock(observed: Observed) -> Iterator[Finding]:
    ahead: dict[str, float | None] = {}
    if isinstance(observed.server, ServerAnswers):
        ahead[observed.server.url] = observed.server.ready.ahead_seconds
    if isinstance(observed.store, Inspection):
        ahead["the database"] = observed.store.ahead_seconds
    for found in observed.platforms:
        if not isinstance(found, Unknown):
            ahead[found.url] = found.probe.ahead_seconds
    if isinstance(observed.provider, ProviderAnswers):
        ahead[observed.provider.issuer] = observed.provider.discovery.ahead_seconds
    last = observed.store.last_change_at if isinstance(observed.store, Inspection) else None
    known = {name: seconds for name, seconds in ahead.items() if seconds is not None}
    yield from judge_clock(known, observed.jumped_seconds, last, now_in_microseconds())
