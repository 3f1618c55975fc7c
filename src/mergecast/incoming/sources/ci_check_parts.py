"""What platforms say about CI checks, made fit for reports: names, links, labels of machines, instants."""

import re
from hashlib import sha256
from typing import NamedTuple

from mergecast.queues.model.ci_check import CANCELLED, CONCLUSIONS, FAILURE
from mergecast.queues.model.showable import has_unshowable, is_blank, without_unshowable

_LONGEST_NAME = 255
# Reports may have longer links; those that CI systems make have less than a third of this.
LONGEST_LINK = 500
BAD_LINK = f"the link of a CI check is not a web address of at most {LONGEST_LINK} characters"
CHANGED_NAME = "control, bidirectional or tag characters were removed from the name of a CI check"
_LONGEST_RUNNER = 100
_LONGEST_WORD = 60
_DIGITS = 16  # of a digest
_ANY_MACHINE = "self-hosted"  # says nothing about the machine
_OTHER_CONCLUSIONS = {
    "action_required": FAILURE,
    "startup_failure": FAILURE,
    "error": FAILURE,
    "stale": CANCELLED,
}
_UNFINISHED = frozenset({"pending", "waiting"})
_WEB_PAGE = re.compile(r"https?://[^\s/?#\x00-\x1f\x7f-\x9f][^\s\x00-\x1f\x7f-\x9f]*")


def conclusion_of(word: str | None) -> str | None:
    """The conclusion that a platform's word stands for; None while the check runs.

    >>> conclusion_of("startup_failure"), conclusion_of("stale"), conclusion_of("pending")
    ('failure', 'cancelled', None)
    """
    if word is None or word in _UNFINISHED:
        return None
    return word if word in CONCLUSIONS else _OTHER_CONCLUSIONS.get(word)


def name_of(text: str) -> str:
    r"""The name of a check, at most as long as that of a report; long ones that differ stay different.

    >>> name_of("unit tests"), len(name_of("x" * 10_000)), name_of("unit\u202e tests")
    ('unit tests', 255, 'unit tests')
    """
    shown = without_unshowable(text)
    if len(shown) <= _LONGEST_NAME:
        return shown
    return f"{shown[: _LONGEST_NAME - _DIGITS - 1]}~{digest_of(text)}"


def digest_of(text: str) -> str:
    """A short text that stands for one of any length and any characters."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def link(url: str | None) -> str | None:
    """The link; empty if it is no address of a web page, or too long to be stored with every check.

    >>> link("https://ci.example/7"), link("javascript:alert(1)"), link(None)
    ('https://ci.example/7', '', None)
    """
    if not url:
        return None
    return url if len(url) <= LONGEST_LINK and _WEB_PAGE.fullmatch(url) else ""


def runner_of(labels: object) -> str | None:
    """The labels of a machine as one text.

    >>> runner_of(["self-hosted", "linux-x64-16"]), runner_of(["linux", "gpu"]), runner_of([])
    ('linux-x64-16', 'linux, gpu', None)
    """
    given = [label for label in labels if isinstance(label, str)] if isinstance(labels, list) else []
    telling = [label for label in given if label != _ANY_MACHINE] or given
    joined = ", ".join(telling)
    return joined if 0 < len(joined) <= _LONGEST_RUNNER and not has_unshowable(joined) else None


class Instants(NamedTuple):
    """When a check was queued, began and ended, as far as it is known."""

    queued_at: int | None
    started_at: int | None
    ended_at: int | None


def in_order(queued_at: int | None, started_at: int | None, ended_at: int | None) -> Instants:
    """The instants in their order: the clocks of hosts differ, and some are wrong.

    >>> in_order(7, 5, 3)
    Instants(queued_at=5, started_at=5, ended_at=5)
    """
    if queued_at is not None and started_at is not None:
        queued_at = min(queued_at, started_at)
    begun_at = queued_at if started_at is None else started_at
    if ended_at is not None and begun_at is not None:
        ended_at = max(ended_at, begun_at)
    return Instants(queued_at, started_at, ended_at)


def why_left_out(name: str, word: str | None) -> str | None:
    """Why a check with this name and conclusion cannot be reported; None if it can."""
    if is_blank(without_unshowable(name)):
        return "a CI check without a name is left out"
    if word is not None and word not in _UNFINISHED and conclusion_of(word) is None:
        return f"a CI check with the unknown conclusion {word[:_LONGEST_WORD]!r} is left out"
    return None


def why_changed(name: str, link: str | None) -> list[str]:
    """What is not as the platform says in the report about a check."""
    changed = [CHANGED_NAME] if has_unshowable(name) else []
    return [*changed, BAD_LINK] if link == "" else changed
