"""Judges what arrives and what is sent: sources, webhooks and channels."""

from collections.abc import Iterator, Mapping
from typing import Any

from mergecast.doctor.finding import Finding, ok, warning
from mergecast.doctor.limits import MOST_REPOSITORIES
from mergecast.doctor.observed import ServerAnswers
from mergecast.queues.model.instant import SECOND, SECONDS_PER_DAY, NotAnInstant, duration, parse_instant

_QUIET_SECONDS = 7 * SECONDS_PER_DAY
_WEBHOOK = "webhook"


def judge_webhooks(*, has_secrets: bool, follows: bool) -> Finding:
    if has_secrets:
        return ok("webhooks", "MERGECAST_WEBHOOK_SECRETS is set")
    if follows:
        return ok(
            "webhooks", "off: MERGECAST_WEBHOOK_SECRETS is not set; MERGECAST_FOLLOW is, so the server polls"
        )
    return warning(
        "webhooks",
        "off: MERGECAST_WEBHOOK_SECRETS is not set, so every webhook is refused",
        """set it to '[{"secret": "…"}]' with the secret of the webhook, """
        "or let the server poll with MERGECAST_FOLLOW",
    )


def judge_sources(found: ServerAnswers, now: int) -> Iterator[Finding]:
    """One line per repository and source, for the repositories with the newest events."""
    total = found.repositories.get("total") if found.repositories is not None else None
    if found.repositories is None or total is None:
        return
    if not total:
        yield warning(
            "sources",
            "no repository is stored",
            "set up a webhook, or import a history with `mergecast import`",
        )
    for repository, sources in found.sources.items():
        if not sources:
            yield ok("sources", f"{repository}: events were sent to the API, no source delivers")
        for source in sources or ():
            yield _judge_source(repository, source, now)
    if total > MOST_REPOSITORIES:
        yield ok(
            "sources",
            f"{total - MOST_REPOSITORIES:,} more repositories, with older events, were not checked",
        )


def _judge_source(repository: str, source: Mapping[str, Any], now: int) -> Finding:
    name = f"{repository}: {source.get('source')} by {source.get('kind')}"
    age = _age(source.get("last_at"), now)
    message = f"{name}, last delivery {'never' if age is None else f'{duration(age)} ago'}"
    following = source.get("following") or {}
    if following.get("error"):
        return warning("sources", f"{message}; following fails: {following['error']}")
    if source.get("hint"):
        return warning("sources", f"{message}; {source['hint']}")
    if untranslated := sum(row.get("count", 0) for row in source.get("untranslated") or ()):
        return warning(
            "sources",
            f"{message}; {untranslated:,} deliveries could not be translated",
            f"see `mergecast admin sources {repository}`",
        )
    if source.get("kind") == _WEBHOOK and age is not None and age > _QUIET_SECONDS:
        return warning(
            "sources",
            message,
            "if pull requests were queued since, see the recent deliveries in the webhook's settings",
        )
    return ok("sources", message)


def _age(text: Any, now: int) -> float | None:
    try:
        return max(0.0, (now - parse_instant(text)) / SECOND) if isinstance(text, str) else None
    except NotAnInstant:
        return None


def judge_channels(found: ServerAnswers) -> Iterator[Finding]:
    listed = [(name, channel) for name, channels in found.channels.items() for channel in channels or ()]
    if found.channels and not listed:
        yield ok("channels", "none: no one is notified")
    for name, channel in listed:
        result = channel.get("last_result") or {}
        what = f"{name}: {channel.get('kind')} ({channel.get('target')}) is {channel.get('state')}"
        if channel.get("state") == "unreadable":
            yield warning(
                "channels",
                what,
                "set MERGECAST_SECRET_KEY to the key it was created with, or create it again",
            )
        elif result.get("is_sent") is False:
            advice = f"try it with `mergecast admin channels test {name} {channel.get('id')}`"
            yield warning("channels", f"{what}; the last message failed: {result.get('detail')}", advice)
        else:
            yield ok("channels", what)
