"""The settings of GitHub's merge queues: from the queue itself, or from the rules of its branch."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

import msgspec

from mergecast.incoming.sources.github.history_items import QUEUE_SETTINGS
from mergecast.incoming.sources.page import Item
from mergecast.incoming.sources.payload import Payload, member, text
from mergecast.queues.model.instant import SECONDS_PER_MINUTE

RULE = "merge_queue"
_TIMEOUT = "checks_timeout"
_OF_QUEUE = {
    "maximumEntriesToBuild": "max_entries_to_build",
    "maximumEntriesToMerge": "max_entries_to_merge",
    "minimumEntriesToMerge": "min_entries_to_merge",
    "minimumEntriesToMergeWaitTime": "wait_minutes",
    "mergingStrategy": "grouping_strategy",
    "checkResponseTimeout": _TIMEOUT,
}
_OF_RULE = {
    "max_entries_to_build": "max_entries_to_build",
    "max_entries_to_merge": "max_entries_to_merge",
    "min_entries_to_merge": "min_entries_to_merge",
    "min_entries_to_merge_wait_minutes": "wait_minutes",
    "grouping_strategy": "grouping_strategy",
    "check_response_timeout_minutes": _TIMEOUT,
}


def settings_items(branch: str, configuration: Payload, rules: Iterable[Payload], at: str) -> list[Item]:
    """The settings of the queue of a branch, if GitHub tells them.

    One item an hour, and one for each change.
    """
    rule = next((member(rule, "parameters") for rule in rules if text(rule, "type") == RULE), {})
    values = _named(configuration, _OF_QUEUE) or _named(rule, _OF_RULE)
    if not values:
        return []
    digest = sha256(msgspec.json.encode((branch, sorted(values.items())))).hexdigest()[:24]
    body = {"base_ref": branch, "at": at, "settings": values}
    return [Item(f"settings-{digest}-{at[:13]}", QUEUE_SETTINGS, body)]


def _named(given: Payload, names: Mapping[str, str]) -> dict[str, int | str]:
    """The values by the names that forecasts use, lengths of CI in seconds."""
    known = {names[name]: value for name, value in given.items() if name in names}
    return {
        name: value * SECONDS_PER_MINUTE if name == _TIMEOUT and isinstance(value, int) else value
        for name, value in sorted(known.items())
        if isinstance(value, int | str) and not isinstance(value, bool)
    }
