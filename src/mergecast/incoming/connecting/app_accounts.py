"""How a GitHub App that the store keeps reads a repository."""

import msgspec

from mergecast.incoming.platform.app_manifest import AppSecrets
from mergecast.incoming.platform.app_tokens import AppKey
from mergecast.incoming.platform.source_hosts import SourceHosts
from mergecast.incoming.sources.origin import Account
from mergecast.process.sealing import Seal
from mergecast.queues.store.added_sources import GitHubAppRow

GITHUB = "github"
_ADVICE = "if it was deleted there, remove it here, and create another one"


def open_secrets(app: GitHubAppRow, seal: Seal) -> AppSecrets:
    return msgspec.json.decode(seal.open(app.sealed, app.about), type=AppSecrets)


def app_key(app: GitHubAppRow, secrets: AppSecrets) -> AppKey:
    return AppKey(app.id, secrets.pem, _ADVICE)


def app_account(app: GitHubAppRow, seal: Seal, hosts: SourceHosts) -> Account:
    return Account(GITHUB, app.url, app=app_key(app, open_secrets(app, seal)), hosts=hosts)
