"""A killed server forgets neither created nor revoked keys."""

from pathlib import Path
from random import Random

from robustness.server_process import server_process

_ROUNDS = 8


def test_kill_right_after_the_answer(tmp_path: Path) -> None:
    """Every acknowledged change is still there after the next start."""
    chance = Random(20260302)
    valid: dict[str, str] = {}
    revoked: dict[str, str] = {}
    with server_process(tmp_path) as server:
        for number in range(_ROUNDS):
            with server.client() as http:
                made = http.post("/v1/keys", json={"owner": "acme", "name": f"key {number}"}).json()
                valid[made["id"]] = made["key"]
                if chance.random() < 0.5:
                    id = chance.choice(sorted(valid))
                    assert 204 == http.delete(f"/v1/keys/{id}").status_code
                    revoked[id] = valid.pop(id)
            server.kill()
            server.start()
            with server.client() as http:
                listed = {one["id"] for one in http.get("/v1/keys").json()["keys"]}
                statuses = {
                    id: http.get("/v1/repos", headers={"Authorization": f"Bearer {key}"}).status_code
                    for id, key in {**valid, **revoked}.items()
                }

            assert valid.keys() == listed
            assert {**dict.fromkeys(valid, 200), **dict.fromkeys(revoked, 403)} == statuses
    assert len(revoked) > 2
