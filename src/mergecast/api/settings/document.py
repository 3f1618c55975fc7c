"""The settings of a repository as one document: its parts, and reading one that a client sends."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from mergecast.api.parameters import FIGURE, LONGEST_VALUE, PERIOD_NAME
from mergecast.api.reference_periods import PERIOD_FIELDS, read_period
from mergecast.api.rules import RULES_SCHEMA, read_rules
from mergecast.errors import FieldError
from mergecast.inputs.field import Field, InvalidValue, Schema, closed_schema, object_schema
from mergecast.inputs.json_object import decode_json, read_object, repeated_fields, unknown_fields
from mergecast.inputs.kinds import BOOLEAN, line, matching, text
from mergecast.queues.answers import settings as answers
from mergecast.queues.answers.alerts import Limits as ShownLimits
from mergecast.queues.answers.alerts import SetThreshold as ShownThreshold
from mergecast.queues.answers.settings import CiPrices
from mergecast.queues.model.ci_price import Prices, format_decimal, read_decimal
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.notification import Rule
from mergecast.queues.model.reference_period import MOST_PERIODS
from mergecast.queues.model.threshold import SetThreshold
from mergecast.signals.alerts.pinning import WantedPeriod
from mergecast.signals.thresholds.judged import JUDGED
from mergecast.signals.thresholds.written_value import NotAValue, read_value

THRESHOLDS, PERIODS, PRICES, NOTIFICATIONS = "thresholds", "reference_periods", "prices", "notifications"
SECTIONS = (THRESHOLDS, PERIODS, PRICES, NOTIFICATIONS)
MOST_THRESHOLDS = 1000
MOST_RULES = 1000
_MOST_CHANNELS = 100

_MOST_RUNNERS = 100
_PRICE = 'must be a price as a string such as "0.008": up to 6 digits, and up to 9 decimals'
_RUNNER = line(100)
_DECIMAL = {"type": "string", "pattern": r"^[0-9]{1,6}(\.[0-9]{1,9})?$"}


def read_prices(given: Any, above: str) -> tuple[Prices | None, list[FieldError]]:
    """The prices, and every error in them; `above` points to them."""
    if not isinstance(given, dict):
        return None, [FieldError("body", above, "must be an object with currency and per_minute, or null")]
    values, errors = read_object(PRICE_FIELDS, given, "prices", above)
    return (None if errors else Prices(**values)), errors


def shown_prices(prices: Prices | None) -> CiPrices | None:
    if prices is None:
        return None
    by_runner = {runner: format_decimal(price) for runner, price in sorted(prices.by_runner.items())}
    return CiPrices(prices.currency, format_decimal(prices.per_minute), by_runner)


def _price(value: Any) -> int:
    price = read_decimal(value) if isinstance(value, str) else None
    if price is None:
        raise InvalidValue(_PRICE)
    return price


def _runners(value: Any) -> dict[str, int]:
    if not isinstance(value, dict) or len(value) > _MOST_RUNNERS:
        raise InvalidValue(f"must be an object with prices of at most {_MOST_RUNNERS} kinds of runners")
    for runner, price in value.items():
        try:
            _RUNNER.read(runner)
            _price(price)
        except InvalidValue as error:
            raise InvalidValue(f"{runner[:100]!r} {error}") from None
    return {runner: _price(price) for runner, price in value.items()}


PRICE_FIELDS = {
    "currency": matching(
        lambda code: len(code) == 3 and code.isascii() and code.isalpha() and code.isupper(),  # noqa: PLR2004
        3,
        "^[A-Z]{3}$",
        "must be three capital letters such as USD",
    ),
    "per_minute": Field(_price, _DECIMAL).described("Of a runner without a price of its own"),
    "by_runner": Field(
        _runners,
        {"type": "object", "additionalProperties": _DECIMAL, "maxProperties": _MOST_RUNNERS},
    ).by_default({}),
}


class Settings(NamedTuple):
    """What is set for a repository, in the order in which it is shown."""

    thresholds: tuple[SetThreshold, ...] = ()
    reference_periods: tuple[WantedPeriod, ...] = ()
    prices: Prices | None = None
    notifications: Mapping[str, tuple[Rule, ...]] = {}  # by the name of the channel


@dataclass(frozen=True, slots=True)
class Document:
    """What a client sends: the sections that it gives, and what they hold by its place in the body."""

    sections: Collection[str]
    thresholds: Mapping[str, SetThreshold] = field(default_factory=dict)
    reference_periods: Mapping[str, WantedPeriod] = field(default_factory=dict)
    prices: Prices | None = None
    notifications: Mapping[str, tuple[str, tuple[Rule, ...]]] = field(default_factory=dict)

    def applied_to(self, present: Settings) -> Settings:
        """The settings after it: a section that it does not give stays as it is."""
        rules = dict(self.notifications.values())
        given: dict[str, Any] = {
            THRESHOLDS: in_order(self.thresholds.values()),
            PERIODS: tuple(sorted(self.reference_periods.values(), key=lambda one: one.name)),
            PRICES: self.prices,
            NOTIFICATIONS: {name: rules.get(name, ()) for name in present.notifications},
        }
        return present._replace(**{name: given[name] for name in self.sections})


def in_order(thresholds: Collection[SetThreshold]) -> tuple[SetThreshold, ...]:
    """By figure, in the order of answers; the default of all queues before those of some."""
    figures = list(JUDGED)
    return tuple(
        sorted(
            thresholds,
            key=lambda one: (figures.index(one.figure), one.base_ref or "", one.queue_name or ""),
        )
    )


def shown_settings(settings: Settings, *, with_notifications: bool = True) -> answers.Settings:
    return answers.Settings(
        tuple(map(shown_threshold, settings.thresholds)),
        tuple(map(_shown_period, settings.reference_periods)),
        shown_prices(settings.prices),
        tuple(answers.ChannelRules(name, rules) for name, rules in sorted(settings.notifications.items()))
        if with_notifications
        else UNSET,
    )


def etag_of(shown: answers.Settings) -> str:
    """Of what a caller may see: it tells nothing about changes of the rest."""
    digest = blake2b(msgspec.json.encode(shown), digest_size=16)
    return f'"{digest.hexdigest()}"'


def shown_threshold(one: SetThreshold) -> ShownThreshold:
    return ShownThreshold(one.figure, one.base_ref, one.queue_name, one.value, one.alert)


def _shown_period(one: WantedPeriod) -> answers.SetReferencePeriod:
    start, end = map(format_instant, one.window)
    return answers.SetReferencePeriod(
        one.name, one.base_ref, one.queue_name, start, end, ShownLimits(*one.limits)
    )


def read_document(body: bytes) -> tuple[Document, list[FieldError]]:
    """What a body gives, and every error in it that shows without looking at the repository."""
    content = decode_json(body, dict[str, Any], f"the body must be a JSON object with {_SOME}")
    errors = [*repeated_fields(body), *unknown_fields(content, SECTIONS, "settings")]
    if not content:
        errors.append(FieldError("body", "", f"is empty; it takes {_SOME}"))
    thresholds = _Reading(content, THRESHOLDS, MOST_THRESHOLDS, "thresholds")
    periods = _Reading(content, PERIODS, MOST_PERIODS, "reference periods")
    channels = _Reading(content, NOTIFICATIONS, _MOST_CHANNELS, "channels")
    prices, of_prices = None, list[FieldError]()
    if content.get(PRICES) is not None:
        prices, of_prices = read_prices(content[PRICES], f"/{PRICES}")
    document = Document(
        [name for name in SECTIONS if name in content],
        dict(thresholds.read(_threshold, lambda one: one.place)),
        dict(periods.read(_period, lambda one: one.name)),
        prices,
        dict(channels.read(_channel, lambda one: one[0].lower())),
    )
    count = sum(len(rules) for _, rules in document.notifications.values())
    if count > MOST_RULES:
        channels.errors.append(
            FieldError("body", f"/{NOTIFICATIONS}", f"has {count:,} rules, more than {MOST_RULES:,}")
        )
    return document, [*errors, *thresholds.errors, *periods.errors, *of_prices, *channels.errors]


class _Reading:
    """Reads the objects of a section that is a list, and collects their errors."""

    def __init__(self, content: Mapping[str, Any], section: str, most: int, what: str) -> None:
        self.errors: list[FieldError] = []
        self._given: list[dict[str, Any]] = []
        self._above = f"/{section}"
        given = [] if content.get(section) is None else content[section]
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            self.errors.append(FieldError("body", self._above, f"must be a list of {what}, or null"))
        elif len(given) > most:
            message = f"has {len(given):,} {what}, more than {most:,}"
            self.errors.append(FieldError("body", self._above, message))
        else:
            self._given = given

    def read(self, read_one: Any, key_of: Any) -> Iterator[tuple[str, Any]]:
        """The values that are valid, by their places; the same key may not come twice."""
        places: dict[object, str] = {}
        for number, one in enumerate(self._given):
            place = f"{self._above}/{number}"
            value, found = read_one(one, place)
            if not found and key_of(value) in places:
                found = [FieldError("body", place, f"is about the same as {places[key_of(value)]}")]
            self.errors += found
            if not found:
                places[key_of(value)] = place
                yield place, value


def _threshold(given: Mapping[str, Any], above: str) -> tuple[SetThreshold | None, list[FieldError]]:
    values, errors = read_object(_THRESHOLD_FIELDS, given, "a threshold", above)
    if "figure" in values and values.get("value") is not None:
        try:
            values["value"] = read_value(values["figure"], values["value"])
        except NotAValue as error:
            errors.append(FieldError("body", f"{above}/value", str(error)))
    return (None if errors else SetThreshold(**values)), errors


def _period(given: Mapping[str, Any], above: str) -> tuple[WantedPeriod | None, list[FieldError]]:
    return read_period(_PERIOD_FIELDS, given, above)


def _channel(
    given: Mapping[str, Any], above: str
) -> tuple[tuple[str, tuple[Rule, ...]] | None, list[FieldError]]:
    values, errors = read_object(_CHANNEL_FIELDS, given, "notifications", above)
    rules, more = read_rules(values["rules"], f"{above}/rules") if "rules" in values else ((), [])
    errors += more
    return (None if errors else (values["channel"], rules)), errors


def _any(value: Any) -> Any:
    return value


_SOME = "any of thresholds, reference_periods, prices and notifications"
_NAME = text(LONGEST_VALUE, is_nullable=True).by_default(None)
_THRESHOLD_FIELDS = {
    "figure": FIGURE,
    "base_ref": _NAME.described("The branch; null: all of them"),
    "queue_name": _NAME.described("The queue; null: all of them"),
    "value": Field(_any, {"type": ["number", "string", "null"]}).described(
        "In the unit of the figure, or a text such as `45m`, `1h30m` or `5%`; null: no alerts there"
    ),
    "alert": BOOLEAN.by_default(True).described("False: only tiles and charts compare with it"),
}
_PERIOD_FIELDS = {"name": PERIOD_NAME.field, **PERIOD_FIELDS}
_CHANNEL_FIELDS = {
    "channel": text(LONGEST_VALUE).described("Name of a channel of the repository"),
    "rules": Field(_any, RULES_SCHEMA),
}


def _section(items: Schema, most: int) -> Schema:
    return {"oneOf": [{"type": "array", "items": items, "maxItems": most}, {"type": "null"}]}


SCHEMA: Schema = {
    **closed_schema(
        {
            THRESHOLDS: _section(object_schema(_THRESHOLD_FIELDS), MOST_THRESHOLDS),
            PERIODS: _section(object_schema(_PERIOD_FIELDS), MOST_PERIODS),
            PRICES: {"oneOf": [object_schema(PRICE_FIELDS), {"type": "null"}]},
            NOTIFICATIONS: _section(object_schema(_CHANNEL_FIELDS), _MOST_CHANNELS),
        }
    ),
    "minProperties": 1,
}
EXAMPLE: dict[str, object] = {
    THRESHOLDS: [{"figure": "time_to_merge_p95", "queue_name": "default", "value": "1h"}],
    NOTIFICATIONS: [{"channel": "#merge-queue", "rules": [{"what": "alert"}, {"what": "digest"}]}],
}
