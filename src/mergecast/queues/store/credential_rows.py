"""The rows of application keys and sessions, which every kind of store writes in the same way."""

from collections.abc import Sequence
from typing import Any

from mergecast.queues.model.credentials import ApplicationKey, Session

_KEY_COLUMNS = "id, digest, name, owner, scopes, created_at, expires_at, last_used_at"
_SESSION_COLUMNS = "digest, is_code, kind, name, credential, key_id, sealed, created_at, expires_at"
SELECT_KEYS = f"select {_KEY_COLUMNS} from application_keys"  # noqa: S608 - constants
SELECT_SESSIONS = f"select {_SESSION_COLUMNS} from sessions"  # noqa: S608 - constants
INSERT_KEY = f"insert into application_keys ({_KEY_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)"  # noqa: S608
INSERT_SESSION = f"insert into sessions ({_SESSION_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"  # noqa: S608
TAKE_SESSION = f"delete from sessions where digest = $1 returning {_SESSION_COLUMNS}"  # noqa: S608


def key_from_row(row: Sequence[Any]) -> ApplicationKey:
    id, digest, name, owner, scopes, *times = row
    return ApplicationKey(id, bytes.fromhex(digest), name, owner, tuple(scopes.split()), *times)


def key_to_row(key: ApplicationKey) -> list[object]:
    return [
        key.id, key.digest.hex(), key.name, key.owner, " ".join(key.scopes), key.created_at,
        key.expires_at, key.last_used_at,
    ]  # fmt: skip


def session_from_row(row: Sequence[Any]) -> Session:
    digest, is_code, kind, name, credential, *more = row
    return Session(bytes.fromhex(digest), bool(is_code), kind, name, bytes.fromhex(credential), *more)


def session_to_row(session: Session) -> list[object]:
    return [
        session.digest.hex(), session.is_code, session.kind, session.name, session.credential.hex(),
        session.key_id, session.sealed, session.created_at, session.expires_at,
    ]  # fmt: skip
