"""What a forecast requires: valid settings and enough history. This module loads no numerical library."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from mergecast.queues.model.instant import SECONDS_PER_DAY, SECONDS_PER_MINUTE, SECONDS_PER_WEEK

LEAST_MERGED: Final = 200
LEAST_DAYS: Final = 14
# A back-test forecasts 14 days from the 42 before, at 6 cut points two weeks apart.
MOST_PARTS: Final = 6
FITTED_DAYS: Final = 42
TESTED_DAYS: Final = 14
WANTED_DAYS: Final = FITTED_DAYS + MOST_PARTS * TESTED_DAYS
# The next two weeks are forecast from the errors at up to 12 earlier dates.
MOST_ORIGINS: Final = 12
PAST_DAYS: Final = FITTED_DAYS + MOST_ORIGINS * TESTED_DAYS

Schema = dict[str, Any]


class Setting(NamedTuple):
    """What a setting may be in a request. In an answer it is whatever a queue has."""

    schema: Schema
    error: Callable[[Any], str | None]  # what is wrong with a value
    words: str = ""  # how a sentence says its value, in the words of its platform
    lowest: float = 0
    highest: float = 0


def _choice(*values: str) -> Setting:
    message = f"must be one of {', '.join(values)}"
    return Setting({"enum": list(values)}, lambda value: None if value in values else message)


def _switch() -> Setting:
    message = "must be true or false"
    return Setting({"type": "boolean"}, lambda value: None if isinstance(value, bool) else message)


def _whole(lowest: int, highest: int, words: str = "", *, or_null: bool = False) -> Setting:
    """A whole number in a range."""
    message = f"must be a whole number from {lowest} to {highest}{', or null' if or_null else ''}"

    def error(value: Any) -> str | None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        is_right = (is_whole and lowest <= value <= highest) or (or_null and value is None)
        return None if is_right else message

    schema = {"type": ["integer", "null"] if or_null else "integer", "minimum": lowest, "maximum": highest}
    return Setting(schema, error, words, lowest, highest)


def _size(lowest: int, highest: int, words: str) -> Setting:
    """A whole number, or the smallest and the largest."""
    number = _whole(lowest, highest)

    def error(value: Any) -> str | None:
        if not isinstance(value, dict):
            wrong = number.error(value)
            return wrong and f"{wrong}, or an object with `min` and `max`"
        if set(value) != {"min", "max"}:
            return "must be a whole number, or an object with `min` and `max`"
        wrong = number.error(value["min"]) or number.error(value["max"])
        return wrong or (
            None if value["min"] <= value["max"] else "must have a `min` that is not above its `max`"
        )

    closed = {**_bounds(number.schema), "additionalProperties": False}
    return Setting({"anyOf": [number.schema, closed]}, error, words, lowest, highest)


def _bounds(number: Schema) -> Schema:
    return {"type": "object", "properties": {"min": number, "max": number}, "required": ["min", "max"]}


def _ratio(lowest: float, highest: float, meaning: str) -> Setting:
    """A factor on what was recorded: 1 changes nothing."""
    message = f"must be a number from {lowest:g} to {highest:g}, where 1 is as recorded"

    def error(value: Any) -> str | None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return None if is_number and lowest <= value <= highest else message

    schema = {"type": "number", "minimum": lowest, "maximum": highest}
    description = f"{meaning}; 1 is as recorded"
    return Setting({**schema, "description": description}, error, "", lowest, highest)


# Settings that only one kind of queue has.
OF_KIND: Final = {
    "mergify": {
        "mode": _choice("serial", "parallel", "isolated"),
        "batch_size": _size(1, 128, "batches of {}"),
        "batch_max_wait_time": _whole(0, SECONDS_PER_DAY),
        "max_parallel_checks": _whole(1, 128, "{} parallel checks"),
        "max_checks_retries": _whole(0, 20),
        "batch_max_failure_resolution_attempts": _whole(0, 1000, or_null=True),
        "skip_intermediate_results": _switch(),
    },
    "github": {
        "max_entries_to_build": _whole(1, 100, "a build concurrency of {}"),
        "min_entries_to_merge": _whole(1, 100),
        "max_entries_to_merge": _whole(1, 100, "groups of up to {}"),
        "wait_minutes": _whole(0, 360),
        "grouping_strategy": _choice("ALLGREEN", "HEADGREEN"),
    },
    "gitlab": {"parallel_pipelines": _whole(1, 1000, "{} parallel pipelines")},
}
KIND_OF: Final = {name: kind for kind, settings in OF_KIND.items() for name in settings}
TIMEOUT: Final = _whole(SECONDS_PER_MINUTE, SECONDS_PER_WEEK, or_null=True)
# What happens around the queue rather than in its configuration.
RATIOS: Final = {
    "ci_speed": _ratio(0.05, 20, "How long CI runs take: 0.8 is 20 % shorter"),
    "arrivals": _ratio(0.1, 5, "How many pull requests enter: 1.3 is 30 % more"),
    "flakes": _ratio(0, 20, "How often runs fail by chance: 0 is never"),
}
# Every setting that a request may give.
SETTINGS: Final[dict[str, Setting]] = {
    "kind": _choice(*OF_KIND),
    **{name: setting for settings in OF_KIND.values() for name, setting in settings.items()},
    "checks_timeout": TIMEOUT,
    **RATIOS,
}
# The settings of one queue in an answer.
QUEUE_SETTINGS_SCHEMA: Final[Schema] = {"$ref": "#/components/schemas/QueueSettings"}
# One value of a setting in an answer.
SETTING_VALUE_SCHEMA: Final[Schema] = {
    "anyOf": [{"type": ["number", "string", "boolean", "null"]}, _bounds({"type": "integer"})]
}


def settings_in_words(settings: Mapping[str, Any]) -> str:
    """Such as `Batches of 4, 12 parallel checks`.

    >>> settings_in_words({"batch_size": 4, "max_parallel_checks": 12, "wait_minutes": 3})
    'Batches of 4, 12 parallel checks, wait_minutes 3'
    """
    words = ", ".join(
        (SETTINGS[name].words or f"{name} {{}}").format(value) for name, value in settings.items()
    )
    return words[:1].upper() + words[1:]


# What each queue has of its own; all queues of a branch share the other settings.
LENGTHS_OF_A_QUEUE = ("batch_max_wait_time", "checks_timeout")
COUNTS_OF_A_QUEUE = ("max_checks_retries", "batch_max_failure_resolution_attempts")
OF_A_QUEUE = ("batch_size", *LENGTHS_OF_A_QUEUE, *COUNTS_OF_A_QUEUE)
