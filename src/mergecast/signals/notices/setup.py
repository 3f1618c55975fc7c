"""What the operator sets for notices."""

from dataclasses import dataclass, field
from pathlib import Path

from mergecast.signals.notices.delivery import Post
from mergecast.signals.notices.mailing import Mailer, MailServer, domain_of
from mergecast.signals.notices.posting import Limits, Poster, Resolve


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


def parse_domains(text: str) -> frozenset[str]:
    """The domains of a setting such as `example.com, example.org`."""
    domains = [part.strip().lower() for part in text.split(",") if part.strip()]
    for domain in domains:
        if domain_of(f"x@{domain}") is None:
            raise ValueError(f"`{domain}` is not a domain; write example.com, example.org")
    return frozenset(domains)
