"""The text of statements as PostgreSQL gets them.

On tables that have grown since they were last analyzed, the planner expects one row where there are
thousands, and then compares every row with every entry of a list. A list that is an array is no join: it is
looked up in an index, or in a hash table. DuckDB does the same with `in (select …)`, and would search an
array entry by entry; so the files contain the one, and PostgreSQL gets the other.
"""

import re
from functools import cache

from mergecast.store.sql_files import sql

_GIVEN_LIST = re.compile(r"\bin \(select unnest\((\$[0-9]+::\w+\[\])\)\)")
_COMPUTED_LIST = re.compile(r"\bin \((select \w+ from \w+)\)")


@cache
def statement(name: str) -> str:
    """A statement, by the name of its file."""
    text = _GIVEN_LIST.sub(r"= any(\1)", sql(name))
    return _COMPUTED_LIST.sub(r"= any(array(\1))", text)
