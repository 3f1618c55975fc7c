"""Attacks on what needs no credential: webhooks, signed and unsigned, and signing in."""

import hmac
import json
import re
from collections.abc import Callable
from functools import partial
from itertools import count

from soak.scene import OWNER, SECRET
from soak.target import MIB, PROXY, STRANGER, Target, hold, in_threads, json_lines, request_head

_HOOK, _SESSION = "/v1/hooks/github", "/v1/session"
_GITHUB = f"{_SESSION}/github"
_UNFINISHED = 300
_BEHIND_PROXY = "X-Forwarded-For: 203.0.113.9"
_LETTERS = bytes(b"ab"[byte & 1] for byte in range(256))
_MARK = b"@" * 40
_COOKIE = re.compile(rb"set-cookie: ([^=]+=([^.;]+)[^;]*)", re.IGNORECASE)


def webhooks(target: Target) -> None:
    """Bodies of up to 24 MiB that are slow to parse, to compress or to translate; others never end."""
    numbers = count(target.chance.randrange(10**8))
    letters = target.chance.randbytes(MIB).translate(_LETTERS)
    bodies = {
        "random letters": _check(_MARK, b'"%b"' % letters),
        "a long commit": _check(_MARK + b"a" * (24 * MIB), b'""'),
        "many lists": _check(_MARK, b"[%b[]]" % (b"[]," * (8 * MIB))),
    }

    def genuine(name: str) -> None:
        number = next(numbers)
        target.ask(_webhook(bodies[name].replace(_MARK, b"%040d" % number), f"d{number}", SECRET))

    def unsigned() -> None:
        target.ask(_webhook(bodies["a long commit"], "d", "a guess that is long enough"))

    def unfinished() -> None:
        beginning = request_head("POST", _HOOK, *json_lines(24 * MIB)) + b"{"
        hold(target, lambda: beginning, 80)

    in_threads(target, 1, *(partial(genuine, name) for name in bodies), unsigned, unfinished)


def sign_in(target: Target) -> None:
    """Invented codes and tokens, and bodies that never end, from one address and from behind a proxy."""

    def invented() -> bytes:
        secret = target.chance.choice(({"code": "c"}, {"token": "mck_"}, {"token": "ghp_"}))
        made_up = {name: start + target.chance.randbytes(18).hex() for name, start in secret.items()}
        return json.dumps(made_up).encode()

    def guess(source: str) -> None:
        body = invented()
        lines = ("Connection: close", *_forwarded(source), *json_lines(len(body)))
        target.ask(request_head("POST", _SESSION, *lines) + body, source)

    def guess_for_github(source: str) -> None:
        lines = ("Connection: close", *_forwarded(source))
        found = _COOKIE.search(target.ask(request_head("GET", _GITHUB, *lines), source))
        if found is not None:
            cookie, state = found[1].decode(), found[2].decode()
            path = f"{_GITHUB}/return?code={target.chance.randbytes(9).hex()}&state={state}"
            target.ask(request_head("GET", path, *lines, f"Cookie: {cookie}"), source)

    def unfinished(source: str) -> None:
        beginning = request_head("POST", _SESSION, *_forwarded(source), *json_lines(1000)) + b"{"
        hold(target, lambda: beginning, _UNFINISHED, source=source)

    turns = [
        partial(act, source)
        for source in (STRANGER, PROXY)
        for act in (guess, guess, guess_for_github, unfinished, unfinished)
    ]
    in_threads(target, 1, *turns)


def _forwarded(source: str) -> tuple[str, ...]:
    return (_BEHIND_PROXY,) if source == PROXY else ()


def _webhook(body: bytes, guid: str, secret: str) -> bytes:
    signature = hmac.digest(secret.encode(), body, "sha256").hex()
    headers = ("X-GitHub-Event: check_run", f"X-GitHub-Delivery: {guid}")
    signed = f"X-Hub-Signature-256: sha256={signature}"
    return request_head("POST", _HOOK, "Connection: close", *json_lines(len(body)), *headers, signed) + body


def _check(commit: bytes, summary: bytes) -> bytes:
    """A report about a check, written without parsing what may be very long."""
    repository = {"id": 7, "name": "hooked", "full_name": f"{OWNER}/hooked", "owner": {"login": OWNER}}
    suite = {"id": 1, "head_branch": f"gh-readonly-queue/main/pr-7-{'b' * 40}"}
    run = {"id": 1, "name": "build", "status": "queued", "check_suite": suite}
    known = json.dumps({"action": "created", "repository": repository, "check_run": run}).encode()
    return known[:-2] + b', "head_sha": "%b", "output": {"summary": %b}}}' % (commit, summary)


VISITOR_ATTACKS: dict[str, Callable[[Target], None]] = {"webhooks": webhooks, "sign-in": sign_in}
