"""Settings as a file in YAML: values as people write them, and the line of each place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import yaml

from mergecast.cli.errors import WrongUsage
from mergecast.queues.answers.settings import Settings
from mergecast.queues.model.figures import FIGURES, Unit
from mergecast.queues.model.instant import exact_duration
from mergecast.queues.model.plain_data import pointer

_LEFT_OUT = {"base_ref": None, "queue_name": None, "alert": True}  # what these are if they are left out
_CORE = "tag:yaml.org,2002:"
_DEEPEST = 100


class _Loader(yaml.SafeLoader):
    """Reads `1:30`, `2026-03-01` and `no` as text, as YAML 1.2 does."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - as PyYAML declares it


for _name, _pattern, _first in (
    ("null", r"~|null|", ["~", "n", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"[-+]?[0-9]+", list("-+0123456789")),
    ("float", r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"{_CORE}{_name}", re.compile(rf"^(?:{_pattern})$"), _first)


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """What a file says, and on which line each part of it begins."""

    name: str
    content: dict[str, Any]
    lines: Mapping[str, int] = field(repr=False)

    def place(self, place: str) -> str:
        """Where a part of the document is, or what contains it."""
        above = place
        while above and above not in self.lines:
            above = above.rpartition("/")[0]
        line = f":{self.lines[above]}" if above in self.lines else ""
        return f"{self.name}{line}: {place.strip('/')}" if place else f"{self.name}{line}"


def read_settings(text: str, name: str) -> SettingsFile:
    """The document in a file; raises WrongUsage."""
    try:
        _check_events(text, name)
        node = yaml.compose(text, _Loader)
        content = yaml.load(text, _Loader)  # noqa: S506 - it is a safe loader
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f":{error.problem_mark.line + 1}"
        raise WrongUsage(f"{name}{line}: this is not YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise WrongUsage(f"{name}: this is not YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(content, dict):
        raise WrongUsage(f"{name}: must have any of thresholds, reference_periods, prices, notifications")
    return SettingsFile(name, content, _lines(node, name))


def _check_events(text: str, name: str) -> None:
    """Refuse what settings need not, before anything is built of it."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        place = f"{name}:{event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent):
            raise WrongUsage(f"{place}: settings have no aliases; write the value again")
        if getattr(event, "tag", None) not in (None, "!"):
            raise WrongUsage(f"{place}: settings have no tags; leave out {event.tag.replace(_CORE, '!!')}")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise WrongUsage(f"{place}: nested deeper than {_DEEPEST} levels")


def _lines(root: Any, name: str) -> dict[str, int]:
    """The line of each place; raises WrongUsage if a key comes twice."""
    found: dict[str, int] = {}
    waiting = [("", root)]
    while waiting:
        above, node = waiting.pop()
        found.setdefault(above, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                place, line = f"{above}{pointer(str(key.value))}", key.start_mark.line + 1
                if place in found:
                    again = f"`{key.value}` is already set on line {found[place]}; keep only one of them"
                    raise WrongUsage(f"{name}:{line}: {again}")
                found[place] = line
                waiting.append((place, value))
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(f"{above}/{number}", value) for number, value in enumerate(node.value)]
    return found


def written_settings(settings: Settings) -> str:
    """The settings as YAML; a value is a text such as `1h30m` or `5%` that reads as the same value."""
    content = msgspec.to_builtins(settings)
    content["thresholds"] = [_threshold(one) for one in content["thresholds"]]
    for channel in content.get("notifications", ()):
        channel["rules"] = [
            {name: value for name, value in rule.items() if value is not None} for rule in channel["rules"]
        ]
    shown: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000)
    return shown


def _threshold(one: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in one.items() if _LEFT_OUT.get(name, ...) != value}
    return {**kept, "value": _written(one["figure"], one["value"])}


def _written(figure: str, value: float | None) -> str | float | None:
    unit = FIGURES[figure].unit if figure in FIGURES else None
    if value is None:
        return None
    if unit is Unit.SECONDS:
        return exact_duration(value)
    if unit is Unit.RATE:
        return f"{round(value * 100, 4):g}%"
    return int(value) if value % 1 == 0 else value
