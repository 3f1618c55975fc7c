"""Bodies are stored small, and are read back as they came."""

from hypothesis import given
from hypothesis import strategies as st

from mergecast.incoming.intake.packing import compress, decompress
from mergecast.queues.store.field_packing import pack_fields, unpack_fields

_BODIES = st.binary(max_size=200)


@given(_BODIES, _BODIES, _BODIES)
def test_a_body_is_read_back(body: bytes, dictionary: bytes, ending: bytes) -> None:
    """Whether or not it ends as the dictionary does, and with an empty one."""
    assert body + ending == decompress(compress(body + ending, dictionary + ending), dictionary + ending)
    assert body == decompress(compress(body, b""), b"")


@given(st.text())
def test_fields_are_read_back(fields: str) -> None:
    """Any text."""
    assert fields == unpack_fields(pack_fields(fields))
