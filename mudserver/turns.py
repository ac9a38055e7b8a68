"""A queue in which networks take turns, so that one of them cannot make all others wait.

Rule 1: a whole IPv4 /24 is one turn.  Of IPv6 the /32s take turns, and within each its /48s: who
        rents one prefix has one turn, however many networks are in it.
Rule 2: a network has at most `per_network_max` items waiting, all together at most `all_max`.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    def __init__(self, per_network_max: int, all_max: int) -> None:
        self.per_network_max, self.all_max = per_network_max, all_max
        self._length = 0
        # by prefix, then by network; the next turn is the first one's
        self._waiting: OrderedDict[str, OrderedDict[str, deque[T]]] = OrderedDict()

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        """Those who wait; of one network the oldest first."""
        for networks in self._waiting.values():
            for items in networks.values():
                yield from items

    def put(self, network: str, item: T) -> bool:
        """Queue *item*.  False: its network has no place, or nobody."""
        if not self.has_share(network) or self._length >= self.all_max:
            return False
        networks = self._waiting.setdefault(_prefix_of(network), OrderedDict())
        networks.setdefault(network, deque()).append(item)
        self._length += 1
        return True

    def has_share(self, network: str) -> bool:
        """Whether *network* has fewer items waiting than it may have."""
        items = self._waiting.get(_prefix_of(network), OrderedDict()).get(network, deque())
        return len(items) < self.per_network_max

    def pop(self) -> T:
        """The item whose turn it is.  IndexError: nobody waits."""
        if not self._length:
            raise IndexError("nobody waits")
        prefix, networks = next(iter(self._waiting.items()))
        network, items = next(iter(networks.items()))
        item = items.popleft()
        self._length -= 1
        networks.move_to_end(network)
        self._waiting.move_to_end(prefix)
        self._tidy(network)
        return item

    def remove(self, network: str, item: T) -> None:
        """Take *item* out: it no longer waits.  Nothing happens if it has had its turn."""
        items = self._waiting.get(_prefix_of(network), OrderedDict()).get(network)
        if items is not None and item in items:
            items.remove(item)
            self._length -= 1
            self._tidy(network)

    def _tidy(self, network: str) -> None:
        """Forget a network, and a prefix, that nobody waits in."""
        prefix = _prefix_of(network)
        networks = self._waiting[prefix]
        if not networks[network]:
            del networks[network]
        if not networks:
            del self._waiting[prefix]


def _prefix_of(network: str) -> str:
    if ":" not in network:
        return network
    return str(ipaddress.ip_network(network).supernet(new_prefix=32))
