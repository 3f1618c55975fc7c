"""Sends emails through the operator's SMTP server, to recipients in the operator's domains."""

import asyncio
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from mergecast.signals.notices.outcome import Outcome, failed, given_up, sent

SECONDS = 10.0
_THREADS = 8
# Fewer marks than RFC 5322 allows: servers read some of the others as a route to another domain (% and !), or
# as encoded text (=?…?=).
_ADDRESS = re.compile(r"[A-Za-z0-9._+-]{1,64}@([A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+)")
ADDRESSES = "before the @ only letters and digits of ASCII and . _ + - are allowed"
_PORTS = {"smtp": 587, "smtps": 465}
_PERMANENT = 500


class MailServer(NamedTuple):
    """smtps:// begins with TLS; smtp:// uses STARTTLS if it is offered, and always before a password."""

    is_encrypted: bool
    host: str
    port: int
    user: str | None
    password: str | None
    sender: str

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"


def read_smtp_url(url: str) -> MailServer:
    """Read `smtp://user:password@host:587?from=mergecast@example.com`."""
    example = "must look like smtps://user:password@smtp.example.com:465?from=mergecast@example.com"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(example) from None
    name, _, sender = parts.query.partition("=")
    sender = unquote(sender)
    if parts.scheme not in _PORTS or not parts.hostname or name != "from" or not domain_of(sender):
        raise ValueError(example)
    user = None if parts.username is None else unquote(parts.username)
    password = None if parts.password is None else unquote(parts.password)
    is_encrypted = parts.scheme == "smtps"
    return MailServer(is_encrypted, parts.hostname, port or _PORTS[parts.scheme], user, password, sender)


def domain_of(address: str) -> str | None:
    """The domain of an email address in lower case; None if it is not an address."""
    found = _ADDRESS.fullmatch(address)
    return found[1].lower() if found else None


def parse_domains(text: str) -> frozenset[str]:
    """The domains of a setting such as `example.com, example.org`."""
    domains = [part.strip().lower() for part in text.split(",") if part.strip()]
    for domain in domains:
        if domain_of(f"x@{domain}") is None:
            raise ValueError(f"`{domain}` is not a domain; write example.com, example.org")
    return frozenset(domains)


def masked_address(address: str) -> str:
    user, _, domain = address.partition("@")
    return f"{user[:1]}…@{domain}"


class Mailer:
    def __init__(self, server: MailServer) -> None:
        self.server = server
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="mail")

    async def send(self, mail: EmailMessage, recipients: tuple[str, ...]) -> Outcome:
        """The recipients are those that were checked, not what the header of the email is read as."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._send, mail, recipients)

    def _send(self, mail: EmailMessage, recipients: tuple[str, ...]) -> Outcome:
        server = self.server
        try:
            with _connected(server) as connection:
                refused = connection.send_message(mail, server.sender, recipients)
        except smtplib.SMTPRecipientsRefused as error:
            is_for_now = any(code < _PERMANENT for code, _ in error.recipients.values())
            detail = f"{server.host} refused all recipients"
            return failed(f"{detail} for now") if is_for_now else given_up(detail)
        except smtplib.SMTPResponseException as error:
            detail = f"{server.host} answered {error.smtp_code}"
            return given_up(detail) if error.smtp_code >= _PERMANENT else failed(detail)
        except (smtplib.SMTPException, OSError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            return failed(f"{server.host} did not accept the email: {reason}")
        some = f", but refused {len(refused)} of the recipients" if refused else ""
        return sent(f"{server.host} accepted the email{some}")

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _connected(server: MailServer) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if server.is_encrypted:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=SECONDS, context=context
        )
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    try:
        connection.ehlo()
        if not server.is_encrypted and (connection.has_extn("starttls") or server.user is not None):
            connection.starttls(context=context)
            connection.ehlo()
        if server.user is not None:
            connection.login(server.user, server.password or "")
    except BaseException:
        connection.close()
        raise
    return connection
