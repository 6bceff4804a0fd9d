"""What a browser gets on its first visit: what is the same for everybody is compressed, and nothing is an error."""

from __future__ import annotations

import re

import pytest

from tests.house.web.running import Person, Server, guest

EDITION = "/api/rules/tiger-buffalo-commission/2025-11-21"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "gzip"), ("br;q=1, GZIP;q=0.5", "gzip"), ("gzip;q=0", None), ("br", None), ("", None)],
)
def test_what_everybody_gets_is_compressed_for_who_takes_it(
    server: Server, accepted: str, encoding: str | None
) -> None:
    with Person(server) as visitor:
        script = re.findall(r'src="(/assets/[^"]+\.js)"', visitor.get("/").text)[0]
        for path in (script, EDITION):
            answer = visitor.http.get(path, headers={"accept-encoding": accepted})
            assert answer.headers.get("content-encoding") == encoding, path
            assert answer.headers["vary"] == "accept-encoding"
            whole = visitor.http.get(path, headers={"accept-encoding": "identity"})
            assert answer.content == whole.content
            assert (int(answer.headers["content-length"]) < len(whole.content) * 0.7) == (encoding is not None)
        tag = visitor.http.get(EDITION).headers["etag"]
        again = visitor.http.get(EDITION, headers={"if-none-match": tag, "accept-encoding": accepted})
        assert (again.status_code, again.content, again.headers.get("content-encoding")) == (304, b"", None)


def test_what_one_person_gets_is_not_compressed(server: Server) -> None:
    with guest(server) as ann:
        for path in ("/api/me", "/api/sessions/current", "/api/me/rounds", "/api/tables"):
            assert "content-encoding" not in ann.get(path).headers, path


def test_nobody_is_no_error(server: Server) -> None:
    with Person(server) as nobody:
        answer = nobody.get("/api/sessions/current")
        assert (answer.status_code, answer.json()) == (200, None)
        assert nobody.get("/api/me").status_code == 401
    with guest(server) as ann:
        assert ann.get("/api/sessions/current").json() == ann.get("/api/me").json()
