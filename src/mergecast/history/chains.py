"""The stays of each pull request, one after the other."""

from collections import defaultdict

from mergecast.history.structure import History, Stay


def chains(history: History) -> list[tuple[Stay, ...]]:
    """The stays of each pull request up to the one that was merged, in order of their first entering.

    A pull request that is queued once more after it was merged begins a new chain, and so does one that
    changes its queue.
    """
    open_chains: dict[tuple[int, str], list[Stay]] = defaultdict(list)
    closed: list[tuple[Stay, ...]] = []
    for stay in history.stays:
        place = (stay.pull_request, stay.queue_name)
        chain = open_chains[place]
        if chain and chain[-1].is_merged:
            closed.append(tuple(chain))
            chain = open_chains[place] = []
        chain.append(stay)
    found = [*closed, *(tuple(chain) for chain in open_chains.values())]
    return sorted(found, key=lambda chain: (chain[0].entered, chain[0].number))
