"""Which commits were the head of a pull request, by what was pushed to its branch."""

from collections.abc import AsyncIterator

import msgspec

from mergecast.forge.errors import NotGiven
from mergecast.model.instant import NotAnInstant, format_instant, parse_instant

_PUSHES = ("push", "force_push", "pr_merge")


class Push(msgspec.Struct, frozen=True):
    before: str
    after: str
    timestamp: str
    activity_type: str

    @property
    def at(self) -> int:
        return _instant(self.timestamp)


async def pushes_since(pages: AsyncIterator[list[Push]], opened_at: str) -> list[Push]:
    """Everything that happened to the branch since then, newest first, as the platform lists it."""
    opened = _instant(opened_at)
    found: list[Push] = []
    async for page in pages:
        found += [push for push in page if push.at > opened]
        if page and page[-1].at <= opened:
            break
    return found


def former_heads(pushes: list[Push], opened_at: str, closed_at: str | None) -> list[dict[str, str]]:
    """Each head that was replaced while the pull request was open, and since when it was the head."""
    closed = _instant(closed_at) if closed_at is not None else None
    changes = sorted(
        (push for push in pushes if push.activity_type in _PUSHES and (closed is None or push.at <= closed)),
        key=lambda push: push.at,
    )
    since = [_instant(opened_at), *(push.at for push in changes)]
    return [{"sha": push.before, "at": format_instant(at)} for push, at in zip(changes, since, strict=False)]


def _instant(text: str) -> int:
    try:
        return parse_instant(text)
    except NotAnInstant as error:
        raise NotGiven(f"the platform's history has no readable times: {error}") from None
