"""The records of the OpenAPI document that the page uses. `npm run types` in `web` generates its types from them."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any, Final

from litestar import Litestar

from punto.house.web.app import ROUTES
from punto.house.web.json_schema import REF
from punto.house.web.openapi import document

READ: Final = (
    *("ApprovalShown", "Listed", "Me", "PastRound", "Preview", "TableSeen", "TableShown"),
    *("DaySheet", "FloorShown", "Mine", "Opened", "PersonWhole"),
    *("PatronsShown", "TableExposure", "WatchShown"),
)
"""These records, and all that they refer to, are written."""


def page() -> str:
    with warnings.catch_warnings(action="ignore"):
        whole = document(Litestar(route_handlers=ROUTES, openapi_config=None), "")
    every = whole["components"]["schemas"]
    schemas: dict[str, Any] = {}
    left = list(READ)
    while left:
        name = left.pop()
        if name not in schemas:
            schemas[name] = every[name]
            left += re.findall(f'"{REF}(\\w+)"', json.dumps(every[name]))
    described = {**whole, "paths": {}, "components": {"schemas": schemas}}
    return json.dumps(described, sort_keys=True, ensure_ascii=False) + "\n"
