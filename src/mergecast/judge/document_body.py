"""The document in the body of a request."""

from typing import NamedTuple

from mergecast.errors import FieldError, InvalidInput
from mergecast.inputs.json_object import JsonObject, json_kind, position_of
from mergecast.judge.messages import LONGEST_DOCUMENT

# The second name is an alias that an existing command-line client sends.
DOCUMENT_FIELDS = ("config_yml", "mergify_yml")
# A longer body goes to a child undecoded. The decoder takes 2 ms per MiB, or 6 if the body is hostile, and
# nothing else runs in the server meanwhile. A document of full length makes a body of 12 MiB if all its
# characters are escaped as surrogate pairs.
LONGEST_IN_SERVER = LONGEST_DOCUMENT + (64 << 10)

_OBJECT = JsonObject(DOCUMENT_FIELDS)


class DocumentPlace(NamedTuple):
    """The field that holds the document, and where in the body its JSON text is."""

    field: str
    start: int
    end: int


def find_document(body: bytes) -> DocumentPlace:
    """Raises InvalidInput unless the body is an object whose only field is the text of a document."""
    first, alias = DOCUMENT_FIELDS
    fields = _OBJECT.split(body)
    if not fields:
        raise _refusal(first, "is missing; it holds the text of a configuration document")
    if len(fields) > 1:
        raise _refusal(alias, f"is another name for {first}; give one of them")
    ((field, value),) = fields.items()
    if json_kind(value) != "a string":
        raise _refusal(field, f"must be a string, the text of a document; got {json_kind(value)}")
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        raise _refusal(field, "is not UTF-8") from None
    start = position_of(value, body)
    return DocumentPlace(field, start, start + len(value))


def _refusal(field: str, message: str) -> InvalidInput:
    return InvalidInput([FieldError("body", f"/{field}", message)])
