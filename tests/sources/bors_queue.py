"""A bors-ng queue on an imitated GitHub: what people and the bot write, minute by minute."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from msgspec import json

from mergecast.incoming.sources.bors.deliveries import TRANSLATOR
from mergecast.incoming.sources.bors.history.bot import Bot
from mergecast.incoming.sources.bors.history.timelines import read_timeline
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.translation import ReadThread, Translation
from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY
from sources.github_deliveries import clock, sha
from sources.platforms import GitHubPlatform, at

SINCE = clock(0) - DAY


@dataclass
class BorsQueue(GitHubPlatform):
    """Each method is something that someone does; minutes count from 10:00:00."""

    bot: str = "bors"
    runs_linked: int = 0
    bases: dict[int, str] = field(default_factory=dict)

    def says(self, number: int, minutes: float, text: str, author: str = "ines") -> None:
        """A person writes a comment."""
        self._write(number, minutes, text, author)

    def describes(self, number: int, minutes: float, text: str, edited: float | None = None) -> None:
        """A person opens the pull request with a description, and may edit it later."""
        self.pulls[number] |= {
            "id": f"PR-{number}", "body": text, "createdAt": at(minutes),
            "lastEditedAt": None if edited is None else at(edited),
        }  # fmt: skip

    def says_inline(self, number: int, minutes: float, text: str, review: int = 0) -> None:
        """A person comments on a line of code."""
        self.inline.append(
            {
                "node_id": f"inline-{len(self.inline)}", "created_at": at(minutes), "body": text,
                "user": {"login": "ines"}, "pull_request_review_id": review,
                "pull_request_url": f"https://api.github.test/repos/{self.repository}/pulls/{number}",
            }
        )  # fmt: skip

    def replies(self, minutes: float, text: str, *numbers: int) -> None:
        """The bot writes the same to several pull requests, a second after each other."""
        for place, number in enumerate(numbers):
            self._write(number, minutes + place / 60, text, self.bot)

    def result(self, minutes: float, words: str, *numbers: int) -> None:
        """The bot writes a result with a link to the run, which no other run has."""
        self.runs_linked += 1
        link = f"https://github.test/acme-orbit/lander/actions/runs/{self.runs_linked}"
        self.replies(minutes, f"{words}\n  * [ci]({link})", *numbers)

    def staged(self, minutes: float, *numbers: int) -> None:
        """The bot makes a commit to test these."""
        title = f"Merge {' '.join(f'#{number}' for number in numbers)}"
        commit = {"committedDate": at(minutes), "messageHeadline": title}
        for number in numbers:
            self._happens(number, minutes, "ReferencedEvent", actor={"login": self.bot}, commit=commit)

    def closed(self, number: int, minutes: float, by: str = "ines") -> None:
        self._happens(number, minutes, "ClosedEvent", actor={"login": by})

    def merges(self, number: int, minutes: float, by: str, made_at: float) -> None:
        """The pull request merges with a commit that was made earlier."""
        commit = {"committedDate": at(made_at), "messageHeadline": f"Merge #{number}"}
        self._happens(number, minutes, "MergedEvent", actor={"login": by}, commit=commit)

    def _write(self, number: int, minutes: float, text: str, author: str) -> None:
        self._happens(number, minutes, "IssueComment", body=text, author={"login": author})

    def _happens(self, number: int, minutes: float, type: str, **more: Any) -> None:
        self.event(number, minutes, type, self.bases.get(number, "main"), **more)
        if "commits" not in self.pulls[number]:
            self.commits(number, (-60, sha(f"change {number}")))

    def items(self, since: int = SINCE) -> list[Item]:
        """Everything that an import reads since then."""
        return [item for pull in self.pulls.values() for item in read_timeline(pull, since, Bot()).items]


def deliveries(items: Iterable[Item]) -> list[Delivery]:
    return [TRANSLATOR.read_item(item.id, item.kind, json.encode(item.body), clock(0)) for item in items]


def translations(items: Iterable[Item]) -> dict[str, Translation]:
    """What becomes of the items, as a store connects their threads."""
    fields: defaultdict[str, list[str]] = defaultdict(list)
    for delivery in deliveries(items):
        if delivery.thread is not None:
            fields[delivery.thread].append(delivery.fields)
    threads = {thread: TRANSLATOR.rules.read(thread, texts) for thread, texts in sorted(fields.items())}
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for thread, read in threads.items():
        for name in read.standing.owns:
            owners[name].add(thread)
    return {thread: read.translate(_around(thread, threads, owners)) for thread, read in threads.items()}


def _around(thread: str, threads: dict[str, ReadThread], owners: dict[str, set[str]]) -> list[str]:
    others = {other for name in threads[thread].standing.built_on for other in owners[name]}
    return [threads[other].standing.text for other in sorted(others - {thread})]


def events_of(items: Iterable[Item]) -> list[Event]:
    return [event for translation in translations(items).values() for event in translation.events]
