"""Titles and authors of the invented pull requests: people, bots and agents."""

from random import Random
from typing import Any, Final

from mergecast.demo.settings import LOW, WEBSITE_QUEUE

_PEOPLE: Final = ("ada", "bela", "chi", "dan", "eva", "farid", "gita", "hugo", "ines", "jun")
_AGENTS: Final = ("harbor-agent[bot]", "refactor-agent[bot]", "triage-agent[bot]")
_DEPENDENCIES: Final = "dependabot[bot]"
_TRANSLATIONS: Final = "translation-sync[bot]"
_AGENTS_SHARE: Final = 0.18
_VERBS: Final = (
    "Add an index for",
    "Cache",
    "Check",
    "Document",
    "Fix",
    "Limit",
    "Log errors of",
    "Retry",
    "Show",
    "Simplify",
    "Speed up",
    "Test",
    "Validate",
)
_AGENTS_VERBS: Final = (
    "Add tests for",
    "Add types to",
    "Fix a flaky test of",
    "Remove unused code from",
    "Rename",
    "Split",
)
_THINGS: Final = (
    "berth assignment",
    "container search",
    "crane schedules",
    "customs forms",
    "draught limits",
    "fuel invoices",
    "the import of manifests",
    "pilot rosters",
    "the quay display",
    "tide tables",
    "tug bookings",
    "the weather feed",
)
_PACKAGES: Final = (
    "attrs",
    "cryptography",
    "httpx",
    "jinja2",
    "numpy",
    "orjson",
    "pydantic",
    "pytest",
    "ruff",
    "uvicorn",
)
_LANGUAGES: Final = ("Dutch", "Finnish", "French", "Greek", "Korean", "Polish", "Portuguese", "Turkish")


def description_of(event: dict[str, object]) -> dict[str, Any]:
    """What is known of the pull request of a `queue_entered`; the same number has the same title."""
    chance = Random(f"description:{event['pull_request']}")
    author, title = _author_and_title(chance, event)
    return {"pull_request": event["pull_request"], "title": title, "author": author}


def _author_and_title(chance: Random, event: dict[str, object]) -> tuple[str, str]:
    if event["priority_rule_name"] == LOW:
        return _DEPENDENCIES, _update(chance)
    if event["queue_name"] in (WEBSITE_QUEUE.name, "translations"):
        thing = chance.choice(_THINGS).removeprefix("the ")
        return _TRANSLATIONS, f"Translate {thing} into {chance.choice(_LANGUAGES)}"
    is_agent = chance.random() < _AGENTS_SHARE
    author = chance.choice(_AGENTS if is_agent else _PEOPLE)
    return author, f"{chance.choice(_AGENTS_VERBS if is_agent else _VERBS)} {chance.choice(_THINGS)}"


def _update(chance: Random) -> str:
    major, minor, patch = chance.randint(0, 9), chance.randint(0, 30), chance.randint(0, 12)
    before, after = f"{major}.{minor}.{patch}", f"{major}.{minor}.{patch + 1}"
    return f"Bump {chance.choice(_PACKAGES)} from {before} to {after}"
