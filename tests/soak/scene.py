"""Names of what is stored before the attacks, and the settings that the attacks need."""

import json

from logged_secrets import remember
from soak.target import PROXY

OWNER = "umbrella"
HEAVY = f"/v1/repos/{OWNER}/heavy"  # 10,000 pull requests enter at once
QUEUE = f"/v1/repos/{OWNER}/queue"  # weeks of a busy queue, for forecasts
RECENT = f"/v1/repos/{OWNER}/recent"  # the last weeks of another one, for tools, which know no other period
WIDE = f"/v1/repos/{OWNER}/wide"  # batches of 1,000
QUEUE_WINDOW = {"start_at": "2026-08-31T00:00:00Z", "end_at": "2026-09-21T00:00:00Z"}
SECRET = remember("the secret of one owner's webhooks")
# As an operator sets them.
SETTINGS = {
    "MERGECAST_WEBHOOK_SECRETS": json.dumps([{"secret": SECRET, "owners": [OWNER]}]),
    "MERGECAST_TRUSTED_PROXIES": PROXY,
}
