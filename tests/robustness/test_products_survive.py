"""An acknowledged product setting survives however the server ends."""

from pathlib import Path
from random import Random

from mergecast.queues.model.repository import PRODUCTS
from robustness.server_process import server_process

_KILLS = 6


def test_kills_after_the_answer(tmp_path: Path) -> None:
    """Each setting survives a SIGKILL right after its response."""
    chance = Random(20261115)
    with server_process(tmp_path) as server:
        for turn in range(_KILLS):
            products = [product for product in PRODUCTS if chance.random() < 0.5]
            path = f"/v1/repos/acme/survivor-{turn % 2}/products"
            with server.client() as http:
                http.put(path, json={"products": products}).raise_for_status()
            server.kill()
            server.start()
            with server.client() as http:
                assert {"products": products} == http.get(path).json()
