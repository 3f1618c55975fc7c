"""Webhooks and imported items of GitHub as deliveries, and the translation of their threads.

A thread is a pull request (`#412`), or all pushes to a branch that the queue did not make (`main#`). A group
of one pull request may be built on the group of another, by commit. Statuses of unknown groups have threads
of their own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import msgspec

from mergecast.incoming.sources.github import NAME
from mergecast.incoming.sources.github.base_branches import by_base
from mergecast.incoming.sources.github.groups import (
    SKEW,
    Surroundings,
    is_destroyed_before,
    merge_groups,
    rebuilt_at,
)
from mergecast.incoming.sources.github.history_items import read_history_item
from mergecast.incoming.sources.github.observation import Observation, Seen, overlong_field, shortened
from mergecast.incoming.sources.github.server_clock import by_the_clock_of_github
from mergecast.incoming.sources.github.stays import (
    GitHubStay,
    Said,
    github_stays,
    groups_ahead,
    surroundings_of,
)
from mergecast.incoming.sources.github.strays import commit_of_stray, is_stray, placed, thread_of_strays
from mergecast.incoming.sources.github.translate import translate
from mergecast.incoming.sources.github.webhook import Webhook, read_webhook
from mergecast.incoming.sources.payload import is_number, text
from mergecast.incoming.sources.translation import (
    MOST_DELIVERIES,
    Standing,
    ThreadRules,
    TooManyReports,
    Translation,
    Translator,
    check_length,
)
from mergecast.incoming.sources.unreadable import (
    LONGEST_BRANCH,
    TOO_LONG,
    UNSTORABLE,
    json_value,
    unreadable,
    unreadable_item,
)
from mergecast.queues.model.delivery import IMPORT, WEBHOOK, About, Delivery
from mergecast.queues.model.event import MERGED_REASONS

_observations = msgspec.json.Decoder(list[Observation])
_pushes = msgspec.json.Decoder(tuple[str, list[int]])  # a base branch, and when it was pushed to
_groups = msgspec.json.Decoder(dict[str, Said])
# Any pull request can be closed, and any branch can be pushed to.
_UNCERTAIN = frozenset({Seen.CLOSED, Seen.BASE_PUSHED, Seen.ABSENT})
_MOST_PUSHES = 10_000  # the newest pushes that a branch's standing contains


def webhook_delivery(event: str, guid: str, body: bytes, received_at: int) -> tuple[Webhook, Delivery]:
    """The delivery for a webhook, with what translation needs of it."""
    webhook = read_webhook(event, guid, body, received_at)
    delivery = Delivery(NAME, WEBHOOK, guid, sha256(body).digest(), event, webhook.action, received_at, body)
    if event == "merge_group" and not webhook.observations and webhook.repository is not None:
        return webhook, unreadable(delivery, "no queue branch for this group")
    return webhook, _with_observations(delivery, webhook.observations)._replace(about=webhook.about)


def item_delivery(id: str, kind: str, body: bytes, received_at: int) -> Delivery:
    delivery = Delivery(NAME, IMPORT, id, sha256(body).digest(), kind, "", received_at, body)
    item = json_value(body)
    if not isinstance(item, dict):
        return unreadable_item(delivery)
    seen = [shortened(one) for one in read_history_item(kind, id, item, received_at)]
    if any(map(overlong_field, seen)):
        return unreadable(delivery, TOO_LONG)
    return _with_observations(delivery, seen)._replace(about=_about(item))


def _about(item: Mapping[str, Any]) -> About | None:
    number, title, position = item.get("number"), text(item, "title"), item.get("position")
    if not is_number(number) or title is None:
        return None
    author, url = text(item, "author") or "", text(item, "url") or ""
    return About(number, title, author, url, position if is_number(position) else None)


def _with_observations(delivery: Delivery, seen: Sequence[Observation]) -> Delivery:
    """Leaves out the queue's own pushes, which only repeat what its groups say."""
    telling = [one for one in seen if not (one.seen is Seen.BASE_PUSHED and one.is_by_queue)]
    if not telling:
        return delivery
    first = telling[0]
    if len(first.base_ref) > LONGEST_BRANCH:
        return unreadable(delivery, UNSTORABLE)
    is_push = first.seen is Seen.BASE_PUSHED
    if is_stray(first) and first.head_sha is not None:
        return delivery._replace(
            thread=thread_of_strays(first.head_sha),
            happened_at=_happened_at(first),
            fields=msgspec.json.encode(telling).decode(),
            commit=first.head_sha,
        )
    return delivery._replace(
        thread=f"{first.base_ref}#" if first.number is None else f"#{first.number}",
        happened_at=max(_happened_at(one) for one in telling),
        fields=msgspec.json.encode(telling).decode(),
        is_about_queue=any(
            one.seen not in _UNCERTAIN or (one.is_merged and one.is_by_queue) for one in telling
        ),
        branch=first.base_ref if is_push else None,
    )


def _happened_at(one: Observation) -> int:
    return one.at or one.ended_at or one.started_at or one.received_at


def _standing(fields: Sequence[str]) -> Standing:
    """The groups of a pull request, and how they ended; of a branch, its pushes."""
    seen = _all(fields)
    pushes = sorted({one.instant for one in seen if one.seen is Seen.BASE_PUSHED})
    if pushes:
        base_ref = seen[0].base_ref
        text = msgspec.json.encode((base_ref, pushes[-_MOST_PUSHES:])).decode()
        return Standing(text, frozenset({f"{base_ref}#"}))
    _check_length(seen)
    grouped = [one for one in seen if one.head_sha is not None]
    # It may have left long before the webhook came.
    changed = [one.changed_at for one in seen if one.seen is Seen.LEFT and one.changed_at is not None]
    groups: dict[str, Said] = {}
    owns = {one.head_sha for one in grouped if one.head_sha}
    built_on = {one.base_sha for one in grouped if one.base_sha} | {f"{one.base_ref}#" for one in grouped}
    for base_ref, own in by_base(seen).items():
        stays = github_stays(own, merge_groups(own), Surroundings())
        instants = [instant for stay in stays for instant in _ends_of_groups(stay)]
        groups |= groups_ahead(stays)
        owns |= _moments(base_ref, [*instants, *changed])
        built_on |= _moments(base_ref, [instant + shift for instant in instants for shift in (-SKEW, SKEW)])
    text = msgspec.json.encode(groups, order="deterministic").decode()
    strays_in = frozenset(thread_of_strays(one.head_sha) for one in grouped if one.head_sha)
    return Standing(text, frozenset(owns), frozenset(built_on), min(changed, default=None), strays_in)


def _ends_of_groups(stay: GitHubStay) -> Iterator[int]:
    """When groups of the stay were destroyed without merging."""
    for group, following in zip_longest(stay.groups, stay.groups[1:]):
        if following is not None:
            yield rebuilt_at(group, following)
        elif stay.exit is not None and stay.exit.reason not in MERGED_REASONS:
            yield stay.exit.at
        is_void = stay.exit is None or is_destroyed_before(group, stay.exit.at)
        if following is None and is_void and group.destroyed_at is not None:
            yield group.destroyed_at


def _moments(base_ref: str, instants: Iterable[int]) -> set[str]:
    """Names that connect the pull requests whose groups were destroyed together."""
    return {f"{base_ref}@{instant // (2 * SKEW)}" for instant in instants}


def _translate(thread: str, fields: Sequence[str], around: Sequence[str]) -> Translation:
    _, _, number = thread.rpartition("#")
    if not number:
        return Translation()
    groups: dict[str, Said] = {}
    pushes: dict[str, list[int]] = {}
    for standing in around:
        if standing.startswith("["):
            pushes.update([_pushes.decode(standing)])
        else:
            groups |= _groups.decode(standing)
    seen = _all(fields)
    _check_length(seen)
    translations = [
        translate(base_ref, int(number), own, surroundings_of(groups, pushes.get(base_ref, ())))
        for base_ref, own in by_base(seen).items()
    ]
    return Translation(
        tuple(event for one in translations for event in one.events),
        tuple(missing for one in translations for missing in one.untranslated),
    )


def _check_length(seen: Sequence[Observation]) -> None:
    if len(seen) > MOST_DELIVERIES:
        raise TooManyReports(f"more than {MOST_DELIVERIES:,} checks of one pull request")
    tested = {one.head_sha for one in seen if one.seen is Seen.CHECK}
    check_length(len(tested) + sum(one.seen is not Seen.CHECK for one in seen))


def _all(fields: Sequence[str]) -> Sequence[Observation]:
    return by_the_clock_of_github(placed([one for text in fields for one in _observations.decode(text)]))


RULES = ThreadRules(_standing, _translate, commit_of_stray)
TRANSLATOR = Translator(item_delivery, RULES)
