"""What each action does, in a few words without any pull request, such as `adds the label 'ready'`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from mergecast.configuration.models import actions as configured
from mergecast.rules.sentence import Login, Name, Piece, listed

MOST_NAMES = 5

Pieces = tuple[Piece, ...]


def deeds(actions: configured.Actions) -> list[Pieces]:
    """One phrase for each action that is written, by name."""
    return [_PHRASES[name](options) for name, options in actions.written().items()]


def enumerated(phrases: list[Pieces]) -> Pieces:
    """The phrases with commas and an `and` between them.

    >>> enumerated([("queues it",), ("comments",), ("labels it",)])
    ('queues it', ', ', 'comments', ' and ', 'labels it')
    """
    pieces: list[Piece] = []
    for place, phrase in enumerate(phrases):
        if place:
            pieces.append(" and " if place == len(phrases) - 1 else ", ")
        pieces += phrase
    return tuple(pieces)


def _some(items: tuple[Name, ...] | tuple[Login, ...]) -> Pieces:
    more = len(items) - MOST_NAMES
    return (*listed(items[:MOST_NAMES]), f" and {more} more") if more > 0 else listed(items)


def _names(texts: Iterable[str]) -> Pieces:
    return _some(tuple(Name(text) for text in texts))


def _logins(texts: Iterable[str]) -> Pieces:
    return _some(tuple(Login(text.removeprefix("@")) for text in texts))


def _labels(verb: str, texts: tuple[str, ...], suffix: str = "") -> list[Pieces]:
    noun = "the label " if len(texts) == 1 else "the labels "
    return [(f"{verb} {noun}", *_names(texts), suffix)] if texts else []


def _assign(options: configured.Assign) -> Pieces:
    users = tuple(dict.fromkeys((*options.users, *options.add_users)))
    phrases: list[Pieces] = [("assigns ", *_logins(users))] if users else []
    if options.remove_users:
        phrases.append(("unassigns ", *_logins(options.remove_users)))
    return enumerated(phrases) or ("changes no assignee",)


def _backport(options: configured.Backport) -> Pieces:
    return ("backports it to ", *_targets(options), " once it is merged")


def _copy(options: configured.Copy) -> Pieces:
    return ("copies it to ", *_targets(options))


def _targets(options: configured.Backport | configured.Copy) -> Pieces:
    phrases: list[Pieces] = [_names(options.branches)] if options.branches else []
    if options.regexes:
        phrases.append(("branches like ", *_names(pattern.pattern for pattern in options.regexes)))
    return enumerated(phrases) or ("no branch",)


def _comment(options: configured.Comment) -> Pieces:
    return ("posts no comment",) if options.message is None else ("posts a comment",)


def _dismiss_reviews(options: configured.DismissReviews) -> Pieces:
    when = " after new commits" if options.when == "synchronize" else ""
    kinds = [
        word
        for word, value in (("approvals", options.approved), ("change requests", options.changes_requested))
        if value
    ]
    return (f"dismisses {' and '.join(kinds)}{when}",) if kinds else ("dismisses no review",)


def _edit(options: configured.Edit) -> Pieces:
    words = {True: "makes it a draft", False: "marks it as ready for review", None: "edits nothing"}
    return (words[options.draft],)


def _github_actions(options: configured.GithubActions) -> Pieces:
    workflows = tuple(one.workflow for one in options.workflow.dispatch)
    return ("starts ", *_names(workflows)) if workflows else ("starts no workflow",)


def _label(options: configured.Label) -> Pieces:
    removed = [("removes every label",)] if options.remove_all else _labels("removes", options.remove)
    toggled = _labels("toggles", options.toggle)
    return enumerated([*_labels("adds", options.add), *removed, *toggled]) or ("changes no label",)


def _merge(options: configured.Merge) -> Pieces:
    return ("merges it",) if options.method is None else (f"merges it with the {options.method} method",)


def _queue(options: configured.Queue) -> Pieces:
    if options.name is None:
        return ("queues it in the first queue that admits it",)
    return ("queues it in ", Name(options.name))


def _request_reviews(options: configured.RequestReviews) -> Pieces:
    asked = [name for name, _ in (*options.users, *options.teams)]
    phrases: list[Pieces] = [_logins(asked)] if asked else []
    if options.users_from_teams:
        phrases.append(("members of ", *_logins(name for name, _ in options.users_from_teams)))
    if not phrases:
        return ("requests no review",)
    if options.random_count is not None:
        noun = "review" if options.random_count == 1 else "reviews"
        return (f"requests {options.random_count} {noun} picked among ", *enumerated(phrases))
    return ("requests reviews from ", *enumerated(phrases))


def _review(options: configured.Review) -> Pieces:
    words = {
        "APPROVE": "approves it",
        "REQUEST_CHANGES": "requests changes",
        "COMMENT": "comments in a review",
    }
    return (words[options.type],)


def _always(phrase: str) -> Callable[[Any], Pieces]:
    return lambda _: (phrase,)


_PHRASES: Mapping[str, Callable[[Any], Pieces]] = MappingProxyType(
    {
        "assign": _assign,
        "backport": _backport,
        "close": _always("closes it"),
        "comment": _comment,
        "copy": _copy,
        "delete_head_branch": _always("deletes its branch once it is closed"),
        "dismiss_reviews": _dismiss_reviews,
        "edit": _edit,
        "github_actions": _github_actions,
        "label": _label,
        "merge": _merge,
        "post_check": _always("posts a check"),
        "queue": _queue,
        "rebase": _always("rebases it"),
        "request_reviews": _request_reviews,
        "review": _review,
        "squash": _always("squashes its commits"),
        "update": _always("updates it with its base"),
    }
)
