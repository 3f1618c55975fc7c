"""Which servers are trusted over TLS: those that certifi knows, or those that the operator names."""

import os
import re
import ssl
from functools import cache

import certifi

from mergecast.errors import MergecastError

_FILE, _FOLDER = "SSL_CERT_FILE", "SSL_CERT_DIR"  # as for OpenSSL, curl and most other programs


class UnusableCertificates(MergecastError):
    """The operator named certificates that cannot be loaded."""


_ERROR_NUMBER = re.compile(r"^\[Errno -?[0-9]+\] ")
# How OpenSSL calls an answer that is not TLS, in its versions.
_NOT_TLS = frozenset(
    {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG"}
)


def failure(error: BaseException) -> str:
    """Why a request failed, without the number of the error.

    A server without TLS is named as such: OpenSSL's text about it says nothing.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    if cause is not None and cause.reason in _NOT_TLS:
        return "it does not use TLS, so its URL begins with http:// and not with https://"
    return _ERROR_NUMBER.sub("", str(error)) or type(error).__name__


def trusted_certificates() -> ssl.SSLContext:
    return _loaded(os.environ.get(_FILE) or None, os.environ.get(_FOLDER) or None)


@cache
def _loaded(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Each choice is loaded once, because loading takes 50 ms."""
    if file is None and folder is None:
        file = certifi.where()
    try:
        return ssl.create_default_context(cafile=file, capath=folder)
    except OSError as error:
        # Python's ssl reports a folder that is missing as an empty one, so it is about the file.
        reason = (
            error.strerror
            if isinstance(error, FileNotFoundError | PermissionError)
            else "it has no certificate"
        )
        raise UnusableCertificates(f"{_FILE} is {file}, which cannot be used: {reason}") from error
