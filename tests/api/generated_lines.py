"""A schemathesis hook, loaded in its own process: how to serialize an NDJSON body."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def send_lines(_: schemathesis.SerializationContext, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
