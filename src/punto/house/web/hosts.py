"""Which hosts the house answers to.

Whoever owns a name can point it at this machine, and a browser then treats their page and the house as one site (DNS
rebinding). So the house answers to a name only if the operator has given it. An IP address belongs to nobody else, and
`localhost` is the visitor's own machine: the house always answers to these, at any port.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import Final

from punto.codes import Code
from punto.house.web.problems import Stop

_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_NAME: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_PLACE: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-:[]")
"""Characters of an Origin's host and port, as browsers write them: no slash at the end."""


def judge_host(headers: Iterable[tuple[bytes, bytes]], names: tuple[str, ...]) -> None:
    """Require exactly one Host, with a name that is served. `names` are those of the operator."""
    hosts = [value for header, value in headers if header == b"host"]
    name = _name(hosts[0]) if len(hosts) == 1 else None
    if name is None:
        raise Stop(400, Code.BAD_HOST, "expected exactly one valid Host header")
    if not (name in names or _always(name)):
        text = "the house is not served under this host name; the operator can add it with --host-name"
        raise Stop(421, Code.UNKNOWN_HOST, text)


def check_names(names: Iterable[str]) -> None:
    """Raise ValueError for a host name that no browser ever sends: it would silently have no effect."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a host name: expected one such as tables.example, in lower case")


def check_origins(origins: Iterable[str]) -> None:
    """Raise ValueError for an Origin that no browser ever sends: it would silently shut its page out."""
    for origin in origins:
        scheme, _, place = origin.partition("://")
        if scheme not in ("http", "https") or not place or not _PLACE.issuperset(place):
            raise ValueError(f"{origin!r} is no Origin: expected one such as https://tables.example")


@lru_cache(256)
def _name(host: bytes) -> str | None:
    """The name without its port; None if it is not valid."""
    match = _HOST.fullmatch(host.decode("latin-1").lower())
    return match[1] if match is not None else None


@lru_cache(256)
def _always(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
