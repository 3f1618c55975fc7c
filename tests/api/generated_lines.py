"""For schemathesis, in its own process: how a body of lines is sent."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def send_lines(_: schemathesis.SerializationContext, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
