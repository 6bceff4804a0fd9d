"""If others keep writing to the same stream, every route answers that it is busy."""

from __future__ import annotations

from litestar import get
from litestar.testing import create_test_client

from punto.house.people.accounts import Contended
from punto.house.store.own_stream import Crowded
from punto.house.web.app import handlers


@get("/crowded")
async def crowded() -> None:
    raise Crowded("watch/house")


@get("/contended")
async def contended() -> None:
    raise Contended("ann")


def test_who_meets_others_is_told_to_try_again() -> None:
    with create_test_client([crowded, contended], exception_handlers=handlers(), logging_config=None) as client:
        for path in ("/crowded", "/contended"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "busy"), path
