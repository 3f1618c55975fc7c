"""How much history a forecast needs; this module loads no numerical library."""

from typing import Final

LEAST_MERGED: Final = 200
LEAST_DAYS: Final = 14
