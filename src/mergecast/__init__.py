"""Mergecast shows teams what their merge queues do."""

import sys

# Until it is released, it ends with .dev and the number of the last migration of stores.
__version__ = "0.1.0.dev26"

# pip refuses older versions. Copied files, and environments whose Python was replaced, end here instead of
# in a syntax error, so this module must be valid in old versions too.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("mergecast: needs Python 3.11 or later, and this is Python %d.%d" % sys.version_info[:2])  # noqa: UP031
