"""Delivers one notice to one channel: decrypts its target, renders the notice and sends it."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import new as hmac
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from mergecast.errors import MergecastError
from mergecast.process.addresses import InvalidUrl, Place, Resolve, read_url
from mergecast.process.sealing import CannotDecrypt, Seal
from mergecast.queues.model.words import plural
from mergecast.signals.notices import rendering
from mergecast.signals.notices.channel import EMAIL, LOG, SLACK, TEAMS, Channel, Target
from mergecast.signals.notices.mailing import ADDRESSES, Mailer, MailServer, domain_of
from mergecast.signals.notices.message import message_of
from mergecast.signals.notices.notice import Notice
from mergecast.signals.notices.outcome import Outcome, failed, given_up, sent
from mergecast.signals.notices.posting import Limits, Poster

_target = msgspec.json.Decoder(Target)

SIGNATURE = "Mergecast-Signature"
ID = "Mergecast-Id"
UNREADABLE = (
    "its target cannot be decrypted, because the key is missing: give the server the key that it was "
    "encrypted with, or delete the channel and create it again"
)
_JSON = {"Content-Type": "application/json"}

log = structlog.get_logger("mergecast.notices")


class InvalidTarget(ValueError):
    """Nothing is sent to it until the channel or a setting changes. The message says why."""


class Post(NamedTuple):
    """What sends messages, and what the operator allows."""

    poster: Poster
    mailer: Mailer | None
    exempt: frozenset[str]  # hosts with ports
    mail_domains: frozenset[str]

    def close(self) -> None:
        self.poster.close()
        if self.mailer is not None:
            self.mailer.close()


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    secret_keys: tuple[str, ...] = field(default=(), repr=False)
    key_folder: Path | None = None  # gets a key file if no keys are set; None on PostgreSQL
    hosts: frozenset[str] = frozenset()  # that need not be public, with their ports
    mail_server: MailServer | None = None
    mail_domains: frozenset[str] = frozenset()
    limits: Limits | None = None
    resolve: Resolve | None = None  # how names are looked up, if not by the machine


def make_post(settings: NoticeSettings) -> Post:
    mailer = None if settings.mail_server is None else Mailer(settings.mail_server)
    poster = Poster(settings.resolve, settings.limits)
    return Post(poster, mailer, settings.hosts, settings.mail_domains)


async def attempted(channel: Channel, attempt: Awaitable[Outcome]) -> Outcome:
    """The result of an attempt to send something. An unexpected error is a result too.

    Without one, the message would be tried again at once and for ever, before all others.
    """
    try:
        return await attempt
    except MergecastError:
        raise
    except Exception:
        log.exception("a notice was not sent", channel=channel.id)
        return failed("an unexpected error, which the log of the server describes")


async def deliver(post: Post, seal: Seal | None, channel: Channel, notice: Notice, now: int) -> Outcome:
    if channel.kind == LOG:
        return _print(notice)
    try:
        target = open_target(seal, channel)
    except CannotDecrypt:
        # The key may come back, for example after a backup was restored: until then, nothing is lost.
        return failed(UNREADABLE)
    try:
        if channel.kind == EMAIL:
            return await _mail(_checked_mailer(post, target), target, notice, now)
        place = _checked_place(post, target)
    except InvalidTarget as error:
        return given_up(str(error))
    body = _body(channel.kind, notice)
    signature = {} if target.secret is None else {SIGNATURE: signed(body, target.secret)}
    return await post.poster.post(place, body, {**_JSON, ID: notice.id, **signature}, now)


def is_valid(post: Post, kind: str, target: Target) -> bool:
    """Whether messages can be sent to a target by its form and by what the operator allows."""
    try:
        (_checked_mailer if kind == EMAIL else _checked_place)(post, target)
    except InvalidTarget:
        return False
    return True


def _checked_place(post: Post, target: Target) -> Place:
    try:
        return read_url(target.url or "", post.exempt)
    except InvalidUrl as error:
        raise InvalidTarget(f"the URL {error}") from None


def _checked_mailer(post: Post, target: Target) -> Mailer:
    if post.mailer is None:
        raise InvalidTarget("this server sends no email: MERGECAST_SMTP_URL is not set")
    domains = [domain_of(address) for address in target.to]
    if wrong := domains.count(None):
        raise InvalidTarget(f"{_of_recipients(wrong)} not valid: {ADDRESSES}")
    if foreign := sum(domain not in post.mail_domains for domain in domains):
        raise InvalidTarget(f"{_of_recipients(foreign)} in no domain of MERGECAST_MAIL_DOMAINS")
    return post.mailer


def _of_recipients(count: int) -> str:
    return f"{count} of the recipients {plural(count, 'is', 'are')}"


def open_target(seal: Seal | None, channel: Channel) -> Target:
    if seal is None:
        raise CannotDecrypt("there is no key")
    try:
        return _target.decode(seal.open(channel.sealed, channel.id))
    except msgspec.DecodeError:
        raise CannotDecrypt("it is not a target") from None


def signed(body: bytes, secret: str) -> str:
    return f"sha256={hmac(secret.encode(), body, sha256).hexdigest()}"


def _body(kind: str, notice: Notice) -> bytes:
    if kind == SLACK:
        return msgspec.json.encode(rendering.slack(message_of(notice)))
    if kind == TEAMS:
        return msgspec.json.encode(rendering.teams(message_of(notice)))
    return msgspec.json.encode(notice)


async def _mail(mailer: Mailer, target: Target, notice: Notice, now: int) -> Outcome:
    mail = rendering.email(message_of(notice), notice.id, mailer.server.sender, target.to, now)
    return await mailer.send(mail, target.to)


def _print(notice: Notice) -> Outcome:
    log.warning("notice", repository=notice.repository, text=rendering.text(message_of(notice)))
    return sent("written to the log")
