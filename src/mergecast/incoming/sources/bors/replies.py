"""What the bot replies, in the words of bors-ng."""

import re
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct

from mergecast.incoming.sources.ci_check_parts import link, name_of
from mergecast.queues.model.showable import has_unshowable

_LINK = re.compile(r"https?://[^\s)>\]]+")
# The bot lists the statuses of a run: all of one that passed, and those that failed of another.
_STATUS = re.compile(r"\* +(?:\[(?P<name>.+)\]\((?P<url>[^\s()]*)\)|(?P<bare>.+))")


class Reply(StrEnum):
    """What a reply means for the pull request it is posted on."""

    SUCCEEDED = "succeeded"  # the run passed, and its members are merged
    FAILED = "failed"  # the run of this pull request alone failed
    SPLIT = "split"  # the run of several failed, and each half of them waits for another one
    TIMED_OUT = "timed_out"
    TIMED_OUT_SPLIT = "timed_out_split"
    CANCELED = "canceled"  # it left the queue
    UPDATED = "updated"  # it left the queue, because someone pushed to its branch
    INTERRUPTED = "interrupted"  # another member of the run left, and this one waits again
    CONFLICT = "conflict"
    PUSH_RETRIED = "push_retried"  # someone else has pushed to the base branch
    PUSH_FAILED = "push_failed"
    WAITING = "waiting"  # it joins a batch as soon as checks of its own have passed
    GAVE_UP = "gave_up"  # those checks have not passed in time
    REFUSED = "refused"
    ALREADY = "already"  # it was in the queue when someone told the bot to merge it
    MISCONFIGURED = "misconfigured"
    DELAYED = "delayed"  # one with a higher priority runs first; this is never written in a comment
    OTHER = "other"  # of no concern here
    UNKNOWN = "unknown"


class ReadReply(NamedTuple):
    reply: Reply
    links: str | None = None  # a digest of its links: the same on all members of a run


class ListedCheck(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A check in a reply about the end of a run."""

    name: str
    url: str | None = None  # empty if the given one cannot be used
    has_changed_name: bool = False  # characters were removed from it


# How replies begin, in lower case. Longer beginnings come before those that they begin with.
_BEGINNINGS = (
    ("try", Reply.OTHER),  # a try tests a pull request without the queue
    ("pull request successfully merged into", Reply.SUCCEEDED),
    ("build succeeded", Reply.SUCCEEDED),
    ("build failed (retrying", Reply.SPLIT),
    ("build failed", Reply.FAILED),
    ("timed out (retrying", Reply.TIMED_OUT_SPLIT),
    ("timed out", Reply.TIMED_OUT),
    ("this pr was included in a batch that timed out", Reply.TIMED_OUT_SPLIT),
    ("canceled (will resume", Reply.INTERRUPTED),
    ("canceled", Reply.CANCELED),
    ("bors build canceled because the pr branch was pushed to", Reply.UPDATED),
    ("bors build canceled", Reply.CANCELED),
    ("synchronization error", Reply.UPDATED),
    ("this pull request left the queue", Reply.CANCELED),
    ("this pr was included in a batch that was canceled", Reply.INTERRUPTED),
    ("merge conflict (retrying", Reply.OTHER),
    ("merge conflict", Reply.CONFLICT),
    ("this pr was included in a batch with a merge conflict", Reply.OTHER),
    (":clock1: waiting for pr status", Reply.WAITING),
    ("github status checks took too long", Reply.GAVE_UP),
    ("stopped waiting for pr status", Reply.OTHER),
    ("all preflight checks passed", Reply.OTHER),
    (":lock: permission denied", Reply.REFUSED),
    (":-1: rejected", Reply.REFUSED),
    (":-1: waiting", Reply.REFUSED),
    ("has [ci skip]", Reply.REFUSED),
    (":construction: this pull request is a draft", Reply.REFUSED),
    ("this pr's title or body contains the ci-skip marker", Reply.REFUSED),
    (":-1:", Reply.OTHER),
    (":clock1:", Reply.OTHER),
    ("configuration problem", Reply.MISCONFIGURED),
    ("already running a review", Reply.ALREADY),
    ("not awaiting review", Reply.OTHER),
    ("did you mean", Reply.OTHER),
    ("pong", Reply.OTHER),
    (":v:", Reply.OTHER),
    ("✌", Reply.OTHER),
    ("👊", Reply.OTHER),
)
_EMOJI = {"🕐": ":clock1:", "🔒": ":lock:", "👎": ":-1:"}
_PUSHED = "this pr was included in a batch that successfully built, but then failed to merge"


def read_reply(text: str) -> ReadReply:
    """The meaning of a reply. Early versions of bors-ng wrote the same words as headings.

    >>> read_reply("# Build failed (retrying...)").reply
    <Reply.SPLIT: 'split'>
    """
    words = text.lstrip("#* \t\r\n").lower()
    for emoji, name in _EMOJI.items():
        words = words.replace(emoji, name, 1) if words.startswith(emoji) else words
    if words.startswith(_PUSHED):
        is_retried = "will be automatically retried" in words
        return ReadReply(Reply.PUSH_RETRIED if is_retried else Reply.PUSH_FAILED)
    reply = next((reply for beginning, reply in _BEGINNINGS if words.startswith(beginning)), Reply.UNKNOWN)
    links = "\n".join(sorted(set(_LINK.findall(text))))
    return ReadReply(reply, sha256(links.encode()).hexdigest()[:16] if links else None)


def listed_checks(text: str) -> tuple[ListedCheck, ...]:
    """The checks that a reply lists, each once.

    >>> [(check.name, check.url) for check in listed_checks("  * [unit](https://ci.test/7)")]
    [('unit', 'https://ci.test/7')]
    """
    found: dict[str, ListedCheck] = {}
    for line in text.split("\n"):
        status = _STATUS.fullmatch(line.strip())
        if status is not None:
            given = status["name"] or status["bare"]
            name = name_of(given)
            found.setdefault(name, ListedCheck(name, link(status["url"]), has_unshowable(given)))
    return tuple(found.values())
