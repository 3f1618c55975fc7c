"""A notice as text: a title, and lines with links. Each kind of channel writes and escapes it in its way.

Titles and names are written by others: they lose control characters and marks that change the direction of
writing, and long ones are cut.
"""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, urlsplit

import msgspec

from mergecast.queues.model.cause import CORRECTION, END
from mergecast.queues.model.instant import duration
from mergecast.queues.model.notification import ALERT, DIGEST, REMOVED
from mergecast.queues.model.words import ACT_WORDS, causes_in_words, counted
from mergecast.signals.notices.notice import (
    ALERTS_PAGE,
    SUBSCRIPTION,
    TEST,
    Advice,
    Digest,
    EndedPull,
    Notice,
    RemovedPull,
    RepositoryDigest,
)

MOST_LISTED = 15
_MOST_PULLS = 5  # of an alert
_MOST_REPOSITORIES = 30  # of a digest; more would not fit into a card of Teams
_LONGEST = 200
_DIRECTIONS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_SAFE_IN_URLS = "/:?&=#%+,;@~-._!$*"


class Span(NamedTuple):
    """A piece of a line, perhaps with a link."""

    text: str
    url: str | None = None
    is_bold: bool = False


Line = tuple[Span, ...]


class Message(NamedTuple):
    title: str
    lines: tuple[Line, ...]
    link: Span  # to the dashboard


def message_of(notice: Notice) -> Message:
    link = Span("Open in Mergecast", notice.url)
    return Message(_title(notice), tuple(_lines(notice)), link)


def clean(text: str, longest: int = _LONGEST) -> str:
    """One line of text, without what could change how the rest of the message is shown."""
    kept = "".join(" " if mark.isspace() else mark for mark in text if _is_shown(mark))
    words = " ".join(kept.split())
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _is_shown(mark: str) -> bool:
    code = ord(mark)
    is_control = code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000  # noqa: PLR2004
    return mark.isspace() or not (is_control or code in _DIRECTIONS)


def safe_url(url: str | None) -> str | None:
    """A web address that can stand in any message; None for anything else."""
    if not url or not url.isascii() or len(url) > 1000:  # noqa: PLR2004
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return quote(url, safe=_SAFE_IN_URLS) if parts.scheme in ("http", "https") and parts.netloc else None


def _title(notice: Notice) -> str:
    match notice.kind:
        case "removed" if notice.phase == CORRECTION:
            title = f"Correction: #{notice.removed[0].number}"
        case "removed" if len(notice.removed) == 1:
            title = f"#{notice.removed[0].number} left the queue {clean(notice.removed[0].queue_name, 60)}"
        case "removed":
            title = f"{len(notice.removed)} pull requests left the queue"
        case "digest":
            title = f"Merge {'queues' if notice.digests else 'queue'}: the last week"
        case "alert":
            title = "Alert over" if notice.phase == END else "Alert"
        case "subscription":
            number, is_merged = notice.details["pull_request"], notice.details["is_merged"]
            title = f"#{number} {'merged' if is_merged else 'left the queue'}"
        case _:
            title = "Test message"
    return f"{title} · {clean(notice.repository)}"


def _lines(notice: Notice) -> Iterator[Line]:
    if notice.kind == REMOVED:
        yield from _removed_lines(notice)
        return
    yield (Span(clean(notice.sentence, 600)),)
    if notice.kind == SUBSCRIPTION:
        yield from _advice(msgspec.convert(notice.details, EndedPull).verdict)
    if notice.kind == ALERT and notice.queue_name is not None:
        yield Span("Queue: "), Span(clean(notice.queue_name)), *_branch(notice.base_ref)
    if notice.kind == ALERT and notice.phase != END:
        yield from _next_steps(notice)
    if notice.kind == DIGEST and notice.digest is not None:
        yield from _digest_lines(notice.digest)
    if notice.digests:
        yield from _repository_lines(notice.digests)
    if notice.kind == TEST:
        yield (Span("Real notices will look like this."),)


def _next_steps(notice: Notice) -> Iterator[Line]:
    """The pull requests that an alert concerns, with their pages, and what to look at."""
    pages = notice.url.removesuffix(ALERTS_PAGE)
    evidence = notice.details.get("evidence") or {}
    numbers: list[int] = evidence.get("pull_requests") or []
    if numbers:
        pulls: list[Line] = [
            (Span(f"#{number}", f"{pages}/pulls/{number}"),) for number in numbers[:_MOST_PULLS]
        ]
        more = len(numbers) + evidence.get("unlisted", 0) - len(pulls)
        yield Span("Pull requests: "), *_joined(pulls), *((Span(f" and {more} more"),) if more else ())
    if change := notice.details.get("change"):
        yield (Span(clean(change["sentence"], 600)),)
    if advice := notice.details.get("advice"):
        yield (Span(clean(advice, 600)),)


def _branch(base_ref: str | None) -> Line:
    return () if base_ref is None else (Span(f" ({clean(base_ref)})"),)


def _removed_lines(notice: Notice) -> Iterator[Line]:
    if len(notice.removed) == 1:
        pull = notice.removed[0]
        yield _name_of(pull)
        yield Span("Why: "), *_why(pull)
        yield from _advice(pull.verdict)
        yield (Span(_history(pull)),)
        return
    for pull in notice.removed[:MOST_LISTED]:
        yield *_name_of(pull), Span(": "), *_why(pull), *_act(pull)
    if len(notice.removed) > MOST_LISTED:
        yield (Span(f"and {len(notice.removed) - MOST_LISTED} more"),)


def _advice(verdict: Advice | None) -> Iterator[Line]:
    """What the verdict says, and what to do."""
    if verdict is not None:
        yield (Span(clean(verdict.sentence, 600)),)
        yield (Span(ACT_WORDS[verdict.act], is_bold=True),)


def _act(pull: RemovedPull) -> Line:
    return () if pull.verdict is None else (Span(f" ({ACT_WORDS[pull.verdict.act].lower()})"),)


def _name_of(pull: RemovedPull) -> Line:
    name = Span(f"#{pull.number}", safe_url(pull.url), is_bold=True)
    title = (Span(f" {clean(pull.title)}"),) if pull.title else ()
    author = (Span(f" by {clean(pull.author, 60)}"),) if pull.author else ()
    return name, *title, *author


def _why(pull: RemovedPull) -> Line:
    check = pull.failed_check
    if check is None:
        return (Span(pull.explanation),)
    return Span("the check "), Span(clean(check.name), safe_url(check.url), is_bold=True), Span(" failed")


def _history(pull: RemovedPull) -> str:
    where = f"{clean(pull.queue_name)} ({clean(pull.base_ref)})"
    stayed = "" if pull.seconds_in_queue is None else f" after {duration(pull.seconds_in_queue)}"
    earlier = pull.earlier_removals
    before = f"; removed {counted(earlier, 'time')} before" if earlier else ""
    return f"It left {where}{stayed}{before}."


def _digest_lines(digest: Digest) -> Iterator[Line]:
    for figure in digest.figures:
        yield Span(f"{figure.name}: "), Span(figure.text, is_bold=True)
    if digest.slowest:
        slow: list[Line] = [
            (Span(f"#{stay.pull_request}", safe_url(stay.url)), Span(f" {duration(stay.seconds or 0)}"))
            for stay in digest.slowest
        ]
        yield Span("Slowest: "), *_joined(slow)
    if digest.reasons:
        counted: list[Line] = [(Span(f"{reason.explanation} ({reason.count})"),) for reason in digest.reasons]
        yield Span("Why pull requests were removed: "), *_joined(counted)
    if whose := causes_in_words(digest.removal_causes):
        yield Span("Whose fault: "), Span(whose)
    for sentence in digest.verdicts:
        yield Span("Verdicts in 8 weeks, "), Span(clean(sentence, 600))
    for sentence in digest.changes:
        yield Span("First reported this week, "), Span(clean(sentence, 600))


def _repository_lines(digests: list[RepositoryDigest]) -> Iterator[Line]:
    for one in digests[:_MOST_REPOSITORIES]:
        name = Span(clean(one.repository), safe_url(one.url), is_bold=True)
        yield name, Span(f": {clean(one.sentence, 300)}")
    if len(digests) > _MOST_REPOSITORIES:
        yield (Span(f"and {len(digests) - _MOST_REPOSITORIES} more"),)


def _joined(parts: list[Line]) -> Iterator[Span]:
    for place, part in enumerate(parts):
        if place:
            yield Span(", ")
        yield from part
