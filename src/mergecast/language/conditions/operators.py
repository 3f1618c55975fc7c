"""The operators of conditions, and the groups that attributes allow."""

from enum import StrEnum


class Operator(StrEnum):
    """An operator by its canonical spelling."""

    EQUAL = "="
    DIFFERENT = "!="
    MATCHES = "~="
    GLOB = "*="
    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"


BOOLEAN: tuple[Operator, ...] = ()
EQUALITY = (Operator.EQUAL, Operator.DIFFERENT)
ORDER = (Operator.AT_LEAST, Operator.AT_MOST, Operator.ABOVE, Operator.BELOW)
NUMBER = (*EQUALITY, *ORDER)
ENUMERATION = (*EQUALITY, Operator.MATCHES)
WORD = (*EQUALITY, Operator.MATCHES, *ORDER)
TEXT = (*EQUALITY, Operator.MATCHES, Operator.GLOB, *ORDER)

SPELLINGS = {
    **{operator.value: operator for operator in Operator},
    "==": Operator.EQUAL,
    ":": Operator.EQUAL,
    "≠": Operator.DIFFERENT,
    "≥": Operator.AT_LEAST,
    "≤": Operator.AT_MOST,
}
# Not operators, but easily written for one.
REVERSED = {"=>": ">=", "=<": "<="}
