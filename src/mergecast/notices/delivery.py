"""Delivers one notice to one channel: decrypts its target, renders the notice and sends it."""

from hashlib import sha256
from hmac import new as hmac
from typing import NamedTuple

import msgspec
import structlog

from mergecast.notices import rendering
from mergecast.notices.addresses import InvalidUrl, read_url
from mergecast.notices.channel import EMAIL, LOG, SLACK, TEAMS, Channel, Target
from mergecast.notices.mailing import Mailer, domain_of
from mergecast.notices.message import message_of
from mergecast.notices.notice import Notice
from mergecast.notices.outcome import Outcome, failed, given_up, sent
from mergecast.notices.posting import Poster
from mergecast.notices.sealing import CannotDecrypt, Seal

SIGNATURE = "Mergecast-Signature"
ID = "Mergecast-Id"
UNREADABLE = (
    "its target cannot be decrypted, because the key is missing: give the server the key that it was "
    "encrypted with, or delete the channel and create it again"
)
_JSON = {"Content-Type": "application/json"}

log = structlog.get_logger("mergecast.notices")


class Post(NamedTuple):
    """What sends messages, and what the operator allows."""

    poster: Poster
    mailer: Mailer | None
    exempt: frozenset[str]  # hosts with ports
    mail_domains: frozenset[str]


async def deliver(post: Post, seal: Seal | None, channel: Channel, notice: Notice, now: int) -> Outcome:
    if channel.kind == LOG:
        return _print(notice)
    try:
        target = open_target(seal, channel)
    except CannotDecrypt:
        # The key may come back, for example after a backup was restored: until then, nothing is lost.
        return failed(UNREADABLE)
    if channel.kind == EMAIL:
        return await _mail(post, target, notice, now)
    try:
        place = read_url(target.url or "", post.exempt)
    except InvalidUrl as error:
        return given_up(f"the URL {error}")
    body = _body(channel.kind, notice)
    signature = {} if target.secret is None else {SIGNATURE: signed(body, target.secret)}
    return await post.poster.post(place, body, {**_JSON, ID: notice.id, **signature}, now)


def open_target(seal: Seal | None, channel: Channel) -> Target:
    if seal is None:
        raise CannotDecrypt("there is no key")
    return msgspec.json.decode(seal.open(channel.sealed, channel.id), type=Target)


def signed(body: bytes, secret: str) -> str:
    return f"sha256={hmac(secret.encode(), body, sha256).hexdigest()}"


def _body(kind: str, notice: Notice) -> bytes:
    if kind == SLACK:
        return msgspec.json.encode(rendering.slack(message_of(notice)))
    if kind == TEAMS:
        return msgspec.json.encode(rendering.teams(message_of(notice)))
    return msgspec.json.encode(notice)


async def _mail(post: Post, target: Target, notice: Notice, now: int) -> Outcome:
    if post.mailer is None:
        return given_up("this server sends no email: MERGECAST_SMTP_URL is not set")
    if foreign := [address for address in target.to if domain_of(address) not in post.mail_domains]:
        return given_up(f"{len(foreign)} of the recipients are in no domain of MERGECAST_MAIL_DOMAINS")
    sender = post.mailer.server.sender
    return await post.mailer.send(rendering.email(message_of(notice), notice.id, sender, target.to, now))


def _print(notice: Notice) -> Outcome:
    log.warning("notice", repository=notice.repository, text=rendering.text(message_of(notice)))
    return sent("written to the log")
