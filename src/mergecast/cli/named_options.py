"""What is wrong with a request, said about the options of the command that sent it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mergecast.cli.errors import WrongUsage

_UNPROCESSABLE = 422


@contextmanager
def named_options(options: Mapping[str, str]) -> Iterator[None]:
    """`options` says which option or argument each field of the request comes from.

    A field within another one is looked up first: `/targets/0/base_ref`, then `/targets`, with its own name.
    """
    from mergecast.client.errors import ErrorResponse

    try:
        yield
    except ErrorResponse as error:
        if error.status != _UNPROCESSABLE or not error.errors:
            raise
        lines = (f"{_option(options, name)}{message}" for name, message in error.errors)
        raise WrongUsage("\n".join(lines)) from error


def _option(options: Mapping[str, str], name: str) -> str:
    outer, *within = name.strip("/").split("/")
    inner = within[-1] if within else outer
    if inner in options:
        named = options[inner]
    else:
        # One of several values, such as `failure_rate` in `--limit failure_rate=1.5`, unless it is a place.
        words = [options.get(outer, outer), *(one for one in within[-1:] if not one.isdigit())]
        named = " ".join(word for word in words if word)
    return f"{named}: " if named else ""
