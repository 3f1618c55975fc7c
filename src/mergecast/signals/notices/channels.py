"""Creates, changes, lists, deletes and tries channels."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from secrets import token_hex, token_urlsafe
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from mergecast.errors import Conflict, FieldError, InvalidInput
from mergecast.process.addresses import InvalidUrl, masked_url, read_url
from mergecast.process.sealing import CannotDecrypt, Keys
from mergecast.queues.answers.channels import INVALID, PAUSED, READY, UNREADABLE, Schedule
from mergecast.queues.model.cause import ONCE
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.notification import Rule
from mergecast.queues.store.alerts import announced_to
from mergecast.queues.store.channel_rows import (
    add_channel_in,
    delete_channel,
    note_result,
    put_rules_in,
    read_channels,
    read_channels_in,
    read_notices,
)
from mergecast.queues.store.held_repository import SharedRows
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.notices.channel import (
    EMAIL,
    KINDS,
    LOG,
    WEBHOOK,
    Channel,
    Options,
    Target,
    free_name,
    from_row,
    named,
    to_row,
)
from mergecast.signals.notices.delivery import Post, attempted, deliver, is_valid, open_target
from mergecast.signals.notices.mailing import ADDRESSES, domain_of, masked_address
from mergecast.signals.notices.notice import TEST, Notice
from mergecast.signals.notices.outcome import Outcome
from mergecast.signals.notices.scope import Scope, channels_of
from mergecast.signals.notices.sender import encoded

MOST_OF_SCOPE = 100
DEMO = "demo"  # the owner of the invented history; only its channels may print to the log
_ID_BYTES = 8


class Wanted(NamedTuple):
    """A channel as a caller describes it."""

    kind: str
    url: str | None
    secret: str | None
    to: tuple[str, ...]
    name: str | None  # None: its kind
    rules: tuple[Rule, ...]
    digest: Schedule


class Change(NamedTuple):
    """What a caller changes of a channel; None leaves it as it is."""

    name: str | None = None
    rules: tuple[Rule, ...] | None = None
    digest: Schedule | None = None

    def of(self, channel: Channel) -> Channel:
        given = {name: value for name, value in self._asdict().items() if value is not None}
        return channel._replace(options=replace(channel.options, **given))


class Listed(NamedTuple):
    channel: Channel
    state: str
    waiting: int  # messages


class Channels:
    def __init__(self, store: Store, post: Post, keys: Keys, now: Callable[[], int], public_url: str) -> None:
        self._store, self.post, self.keys, self._now = store, post, keys, now
        self._public_url = public_url

    async def add(self, scope: Scope, wanted: Wanted) -> tuple[Listed, str | None]:
        """A new channel, and the secret of a webhook: it is shown only now."""
        target = self._target(scope, wanted)
        id, now = token_hex(_ID_BYTES), self._now()
        sealed = "" if wanted.kind == LOG else self._sealed(target, id)
        options = Options(_shown(wanted.kind, target), wanted.name or "", wanted.rules, wanted.digest)
        channel = Channel(
            *(id, scope.owner, scope.repository, wanted.kind, sealed, options, now), digest_at=now
        )
        added = await self._store.change_shared(partial(_add, scope=scope, channel=channel))
        return Listed(added, READY, waiting=0), target.secret

    async def change(self, scope: Scope, id: str, change: Change) -> Listed:
        """Change the name, the rules or the schedule; messages that wait are sent all the same."""

        def put(shared: SharedRows) -> str | None:
            rows = {row.id: row for row in read_channels_in(shared)}
            others = channels_of(scope, rows.values())
            channel = named(others, id)
            changed = change.of(channel)
            _refuse_taken(changed.name, [other for other in others if other.id != channel.id])
            is_put = put_rules_in(shared, rows[channel.id], to_row(changed).document)
            return channel.id if is_put else None

        changed = None
        while changed is None:
            changed = await self._store.change_shared(put)
        return next(one for one in await self.listed(scope) if one.channel.id == changed)

    async def listed(self, scope: Scope) -> list[Listed]:
        waiting = {notice.channel_id: notice.waiting for notice in await read_notices(self._store)}
        return [
            Listed(channel, self._state(channel), waiting.get(channel.id, 0))
            for channel in await self.of(scope)
        ]

    async def notified(self, known: KnownRepository, ids: Sequence[str]) -> dict[str, list[str] | None]:
        """The names of the channels that alerts were sent to, by alert; None if that is not known."""
        read = partial(announced_to, repository_id=known.id, ids=ids)
        sent = await self._store.read(known.id, read) if ids else {}
        names = {row.id: from_row(row).name for row in await read_channels(self._store)}
        # A channel that was deleted has received it all the same.
        return {
            alert: None if channels is None else [names.get(id, f"deleted-{id[:4]}") for id in channels]
            for alert, channels in sent.items()
        }

    async def delete(self, scope: Scope, id: str) -> Channel:
        channel = await self._find(scope, id)
        await delete_channel(self._store, channel.id)
        return channel

    async def try_out(self, scope: Scope, id: str) -> Outcome:
        """Send a sample now; a channel that was paused goes on if that succeeds."""
        channel, now = await self._find(scope, id), self._now()
        name = f"{scope.owner}/{scope.repository}" if scope.repository else scope.owner
        notice = Notice(
            token_hex(16),
            TEST,
            ONCE,
            name,
            None,
            None,
            format_instant(now),
            "This channel works.",
            self._public_url,
        )
        sample = deliver(self.post, self.keys.seal(), channel, notice, now)
        outcome = await attempted(channel, sample)
        paused_at = None if outcome.is_sent else now if outcome.pauses_channel else channel.paused_at
        await note_result(self._store, channel.id, paused_at, encoded(now, outcome))
        return outcome

    async def _find(self, scope: Scope, id: str) -> Channel:
        return named(await self.of(scope), id)

    async def of(self, scope: Scope) -> list[Channel]:
        return channels_of(scope, await read_channels(self._store))

    async def usable(self, scope: Scope) -> list[Channel]:
        return scope.usable(map(from_row, await read_channels(self._store)))

    def _state(self, channel: Channel) -> str:
        if channel.kind != LOG:
            try:
                target = open_target(self.keys.seal(), channel)
            except CannotDecrypt:
                return UNREADABLE
            if not is_valid(self.post, channel.kind, target):
                return INVALID
        return PAUSED if channel.is_paused else READY

    def _target(self, scope: Scope, wanted: Wanted) -> Target:
        """Where messages go, or every error in what was asked for."""
        allowed = (*KINDS, LOG) if scope.owner == DEMO else KINDS
        if wanted.kind not in allowed:
            raise _invalid("/kind", f"must be one of {', '.join(allowed)}")
        if wanted.kind == LOG:
            return Target()
        if not self.keys.can_encrypt:
            raise _invalid("", self.keys.missing)
        if wanted.kind == EMAIL:
            return self._mail_target(wanted)
        if wanted.to:
            raise _invalid("/to", "belongs to channels of the kind email only")
        if wanted.secret is not None and wanted.kind != WEBHOOK:
            raise _invalid("/secret", "belongs to channels of the kind webhook only")
        if wanted.url is None:
            raise _invalid("/url", "is missing; it is where messages are posted to")
        try:
            read_url(wanted.url, self.post.exempt)
        except InvalidUrl as error:
            raise _invalid("/url", str(error)) from None
        secret = (wanted.secret or token_urlsafe(32)) if wanted.kind == WEBHOOK else None
        return Target(wanted.url, secret)

    def _mail_target(self, wanted: Wanted) -> Target:
        domains = self.post.mail_domains
        if self.post.mailer is None or not domains:
            raise _invalid(
                "/kind", "this server sends no email: set MERGECAST_SMTP_URL and MERGECAST_MAIL_DOMAINS"
            )
        if wanted.url is not None or wanted.secret is not None:
            raise _invalid("/url" if wanted.url else "/secret", "does not belong to a channel of this kind")
        if not wanted.to:
            raise _invalid("/to", "is missing; it is a list of email addresses")
        foreign = [
            FieldError("body", f"/to/{place}", _wanted_address(domains))
            for place, address in enumerate(wanted.to)
            if domain_of(address) not in domains
        ]
        if foreign:
            raise InvalidInput(foreign)
        return Target(to=wanted.to)

    def _sealed(self, target: Target, id: str) -> str:
        return self.keys.make_seal().close(msgspec.json.encode(target), id)


def _add(shared: SharedRows, scope: Scope, channel: Channel) -> Channel:
    """Add a channel, with a name of its own."""
    others = channels_of(scope, read_channels_in(shared))
    if len(others) >= MOST_OF_SCOPE:
        raise _invalid("", f"there are {MOST_OF_SCOPE} channels already, which is the limit; delete one")
    _refuse_taken(channel.name, others)
    named = Change(channel.name or free_name(channel.kind, others)).of(channel)
    add_channel_in(shared, to_row(named))
    return named


def _refuse_taken(name: str, others: Iterable[Channel]) -> None:
    if name.lower() in {other.name.lower() for other in others}:
        message = f"another channel here has the name {name}; choose another one, or change that channel"
        raise Conflict([FieldError("body", "/name", message)])


def _shown(kind: str, target: Target) -> str:
    if kind == LOG:
        return "the log of the server"
    if target.url is not None:
        return masked_url(target.url)
    return ", ".join(map(masked_address, target.to))


def _wanted_address(domains: frozenset[str]) -> str:
    return f"must be an email address at {' or '.join(sorted(domains))}; {ADDRESSES}"


def _invalid(place: str, message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", place, message)])
