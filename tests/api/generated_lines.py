"""A schemathesis hook, loaded in its own process: how to serialize an NDJSON body."""

import gc

import requests
import schemathesis

# Thousands of requests leave little that only the garbage collector frees.
gc.set_threshold(100_000, 50, 100)
# Do not look for a proxy and for a .netrc file, for each request.
requests.Session.trust_env = property(lambda _: False, lambda *_: None)  # type: ignore[assignment]


@schemathesis.serializer("application/x-ndjson")
def send_lines(_: schemathesis.SerializationContext, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
