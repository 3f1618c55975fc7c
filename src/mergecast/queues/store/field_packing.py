"""The fields of deliveries as they are stored: compressed, because a monorepo has 70,000 of them a day.

What was stored must stay readable: the dictionary never changes.
"""

import zlib

# Longer ones are not loaded. Earlier versions stored texts of any length: a few of them filled the memory.
MOST_FIELD_BYTES = 64 << 10
_RAW = -15  # without a header and a checksum, which the database has
_LEVEL = 6  # a higher one saves nothing, and takes 30 times as long for some texts
_MEMORY = 5  # enough for short texts; reserving more takes longer than compressing
_DICTIONARY = (
    b'"seen":"left","reason":"MERGE","seen":"entered","seen":"closed","is_merged":true,"is_by_queue":true,'
    b'"seen":"group_destroyed","seen":"group_built","at":178,"is_from_timeline":true,"seen":"group_seen",'
    b'"seen":"pipeline","status":"success","seen":"car","status":"merged","ended_at":178,'
    b'"type":"action.queue.enter","type":"action.queue.leave","code":"PR_MERGED","is_merged":true,'
    b'"type":"action.queue.merged","type":"action.queue.checks_start","type":"action.queue.checks_end",'
    b'"session":"","pull_request":,"queue_name":"default","queued_at":178,"batch_id":"","members":[],'
    b'"checked_number":,"checks_started_at":178,"checks_ended_at":178,'
    b'"check":"workflow ","attempt":1,"check":"check_suite ","check":"status ","conclusion":"failure",'
    b'[{"seen":"check","id":"","received_at":178,"base_ref":"main","number":,"head_sha":"","base_sha":"",'
    b'"check":"check_run github-actions ","check_id":"","started_at":178,"ended_at":178,'
    b'"conclusion":"success"}]'
)


# In place of compressed text: no compressed text begins like this, because there is no such type of block.
_PLAIN = b"\x07"


def pack_fields(fields: str) -> bytes:
    compressor = zlib.compressobj(_LEVEL, wbits=_RAW, memLevel=_MEMORY, zdict=_DICTIONARY)
    return compressor.compress(fields.encode()) + compressor.flush()


def plain_fields(fields: str) -> bytes:
    """The same without compressing, which would take longer than everything else about an imported item."""
    return _PLAIN + fields.encode()


def unpack_fields(packed: bytes) -> str:
    """The text of packed fields.

    >>> unpack_fields(pack_fields('[{"seen":"left"}]')), unpack_fields(plain_fields('[]'))
    ('[{"seen":"left"}]', '[]')
    """
    if packed.startswith(_PLAIN):
        return packed[1:].decode()
    return zlib.decompressobj(wbits=_RAW, zdict=_DICTIONARY).decompress(packed).decode()


def unpack_short_fields(packed: bytes | None) -> str | None:
    """The same; None if the text is too long, or was not loaded because of that.

    >>> unpack_short_fields(pack_fields("[]")), unpack_short_fields(pack_fields(" " * 100_000))
    ('[]', None)
    """
    if packed is None or packed.startswith(_PLAIN):
        return None if packed is None else unpack_fields(packed)
    text = zlib.decompressobj(wbits=_RAW, zdict=_DICTIONARY).decompress(packed, MOST_FIELD_BYTES + 1)
    return None if len(text) > MOST_FIELD_BYTES else text.decode()
