"""The section `prices`: what a minute of CI costs."""

from typing import Any

from mergecast.errors import FieldError
from mergecast.inputs.field import Field, InvalidValue
from mergecast.inputs.json_object import read_object
from mergecast.inputs.kinds import line, matching
from mergecast.queues.answers.settings import CiPrices
from mergecast.queues.model.ci_price import Prices, format_decimal, read_decimal

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
