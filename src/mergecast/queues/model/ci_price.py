"""What a minute of CI costs, in billionths of a currency, and what runs cost by that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from mergecast.queues.model.instant import MINUTE

BILLION = 10**9
_DECIMAL = re.compile(r"([0-9]{1,6})(?:\.([0-9]{1,9}))?", re.ASCII)
_SHOWN, _CENT = Decimal("0.0001"), Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a minute, in billionths of the currency."""

    currency: str
    per_minute: int
    by_runner: Mapping[str, int]

    def cost(self, times: Mapping[str | None, int]) -> int:
        """What microseconds on each kind of runner cost, in billionths of the currency per `MINUTE` parts.

        Not divided yet, so that a sum of many costs is rounded only once.
        """
        return sum(time * self.by_runner.get(runner or "", self.per_minute) for runner, time in times.items())


def read_decimal(text: str) -> int | None:
    """A price such as `0.008` in billionths; None if it is not one."""
    found = _DECIMAL.fullmatch(text)
    if found is None:
        return None
    return int(found[1]) * BILLION + int((found[2] or "").ljust(9, "0"))


def format_decimal(billionths: int) -> str:
    whole, rest = divmod(billionths, BILLION)
    digits = f"{rest:09}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)


def format_cost(cost: int, count: int = 1) -> str:
    """A cost of `Prices.cost`, divided by a count and rounded once to four decimals, half to even.

    >>> format_cost(8_000_000 * MINUTE), format_cost(8_000_000 * MINUTE, 3)
    ('0.0080', '0.0027')
    """
    exact = Decimal(cost) / (Decimal(MINUTE) * BILLION * count)
    return str(exact.quantize(_SHOWN, ROUND_HALF_EVEN))


def written_cost(amount: str | None, currency: str) -> str:
    """A cost for people; one of less than a cent keeps its decimals.

    >>> written_cost("1234.5000", "USD"), written_cost("0.0027", "USD"), written_cost(None, "USD")
    ('USD 1,234.50', 'USD 0.0027', '-')
    """
    if amount is None:
        return "-"
    exact = Decimal(amount)
    return f"{currency} {exact:,.4f}" if 0 < exact < _CENT else f"{currency} {exact:,.2f}"
