"""Playing over HTTP: a guest sits down and bets, and a key has one effect and one answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.house.web.running import AT_ONCE, EDITION, GAME, LIMITS, Person, Server, eventually, guest, staff

HOSTILE = (
    "-1.00",
    "NaN",
    "1e400",
    "1e2",
    "0x10",
    "١٠٠",
    "100.001",
    " 100.00",
    "",
    "18446744073709551616",
    "9" * 5000,
)


def ledger(auditor: Person) -> str:
    answer = auditor.get("/api/exports/ledger.csv")
    assert answer.status_code == 200
    return answer.text


def test_a_guest_has_chips_and_plays(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        me = ann.get("/api/me").json()
        assert (me["wallet"], me["role"], me["guest"]) == ("10000.00", "patron", True)
        pit.open("play-1", name="Tiger Buffalo 8")
        assert ann.get("/api/tables/play-1").json()["view"]["name"] == "Tiger Buffalo 8"
        ann.must("play-1", {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 1})
        assert ann.get("/api/me").json()["wallet"] == "9000.00"
        pit.must("play-1", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
        answer = ann.must("play-1", {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
        assert answer["events"][0]["event"] == "wager-placed"
        view = ann.get("/api/tables/play-1").json()["view"]
        assert (view["balance"], view["wagers"][0]["stake"]) == ("900.00", "100.00")
        cards = ("KH", "2S", "7D", "3C", "4H")
        pit.must("play-1", {"do": "close-betting"})
        for card in cards:
            pit.must("play-1", {"do": "draw-card", "card": card})
        pit.must("play-1", {"do": "settle"})
        ann.must("play-1", {"do": "leave"})
        ann.must("play-1", {"do": "cash-chips", "chips": "900.00"})
        assert ann.get("/api/me").json()["wallet"] == "9900.00"
        past = ann.get("/api/me/rounds").json()["rounds"]
        assert [(row["table"], row["winner"], row["net"]) for row in past] == [("play-1", "banker", "-100.00")]
        whole = ann.get("/api/tables/play-1/rounds/1").json()
        assert whole["cards"] == {"P1": "KH", "B1": "2S", "P2": "7D", "B2": "3C", "B3": "4H"}
        assert whole["says"]
        assert whole["lines"][0]["paragraph"]
        with Person(server) as nobody:
            public = nobody.get("/api/tables/play-1/rounds/1").json()
        assert public["lines"] == []
        assert public["wagers"] == []


def test_a_round_is_told_frame_by_frame(server: Server) -> None:
    """The pit sees everybody's chips, a patron their own, and nobody a card that lies face down."""
    with guest(server) as ann, guest(server) as bob, staff(server, "pit-supervisor") as pit, Person(server) as nobody:
        pit.open("frames-1", facing="down")
        ann.must("frames-1", {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 1})
        bob.must("frames-1", {"do": "join", "chips": "1000.00"}, {"do": "sit", "box": 2})
        pit.must("frames-1", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
        ann.must("frames-1", {"do": "place-wager", "box": 1, "bet": "player", "stake": "100.00"})
        bob.must("frames-1", {"do": "place-wager", "box": 2, "bet": "banker", "stake": "70.00"})
        pit.must("frames-1", {"do": "close-betting"}, *[{"do": "draw-card"}] * 4)
        for place, card in {"P1": "KH", "B1": "2S", "P2": "9D", "B2": "3C"}.items():
            pit.must("frames-1", {"do": "expose-card", "place": place, "card": card})
        pit.must("frames-1", {"do": "settle"})
        path = "/api/tables/frames-1/rounds/1/frames"
        seen = {name: who.get(path).json()["frames"] for name, who in (("pit", pit), ("ann", ann), ("all", nobody))}
        kinds = [frame["events"][0]["event"]["event"] for frame in seen["pit"]]
        dealt = kinds.index("card-drawn")
        names = (ann.name, bob.name)
        assert [sorted({laid["patron"] for laid in seen[reader][-2]["wagers"]}) for reader in seen] == [
            sorted(names),
            [ann.name],
            [],
        ]
        for frames in seen.values():
            after = frames[[frame["events"][0]["event"]["event"] for frame in frames].index("card-drawn")]
            assert (after["cards"], after["next_place"], after["phase"]) == ({"P1": None}, "B1", "dealing")
            assert (frames[-1]["player_points"], frames[-1]["banker_points"], frames[-1]["winner"]) == (9, 5, "player")
        assert [frame["next_place"] for frame in seen["pit"][dealt : dealt + 4]] == ["B1", "P2", "B2", None]
        assert [len(seen[reader][-1]["lines"]) for reader in seen] == [2, 1, 0]
        first = pit.get(f"{path}?limit=3").json()
        rest = pit.get(f"{path}?after={first['next']}").json()
        assert ([*first["frames"], *rest["frames"]], rest["next"]) == (seen["pit"], None)
        assert pit.get("/api/tables/frames-1/rounds/2/frames").status_code == 404


def test_a_key_has_one_effect_and_the_same_bytes(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        pit.open("play-2")
        first = ann.do("play-2", {"do": "join", "chips": "10.00"}, key="one")
        again = ann.do("play-2", {"do": "join", "chips": "10.00"}, key="one")
        assert first.status_code == again.status_code == 200
        assert first.content == again.content
        other = ann.do("play-2", {"do": "join", "chips": "20.00"}, key="one")
        assert (other.status_code, other.json()["code"]) == (409, "key-reused")
        refused = ann.do("play-2", {"do": "sit", "box": 99}, key="two")
        assert refused.status_code == 409
        assert refused.headers["content-type"].startswith("application/problem+json")
        assert refused.content == ann.do("play-2", {"do": "sit", "box": 99}, key="two").content
        assert refused.json()["paragraph"]
        assert ann.get("/api/me").json()["wallet"] == "9990.00"
        # A key that was answered keeps its answer, also when its sender may not give the command any more.
        ruled = pit.do("play-2", {"do": "load-shoe", "count": 416, "shuffled": True}, key="shoe")
        with staff(server, "dealer") as dealer:
            dealer.must("play-2", {"do": "start-duty"})
        pit.must("play-2", {"do": "end-duty"})
        again = pit.do("play-2", {"do": "load-shoe", "count": 416, "shuffled": True}, key="shoe")
        assert (again.status_code, again.content) == (200, ruled.content)


def test_a_round_takes_a_moment(server: Server) -> None:
    """A pace without a wait is refused: one table would keep the whole house writing."""
    with staff(server, "pit-supervisor") as pit:
        settings = {"edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS, "source": "virtual"}
        hasty = {**AT_ONCE, "betting": 0}
        for pace in (hasty, {**hasty, "result": 0.04}, {**hasty, "insurance": 1}, {**AT_ONCE, "card": -1}):
            answer = pit.post("/api/tables", {"table": "hasty", **settings, "pace": pace})
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-pace"), pace
        pit.open("hasty", source="virtual", pace={**hasty, "result": 0.05})
        pit.must("hasty", {"do": "start-duty"})
        assert eventually(lambda: pit.do("hasty", {"do": "close-table"}).status_code == 200)


def test_a_table_opened_again_with_another_pace_is_another_asking(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit:
        settings: dict[str, Any] = {"edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS}
        body = {"key": "o", "table": "pace-1", **settings, "source": "virtual", "pace": {"betting": 30}}
        first = pit.post("/api/tables", body)
        assert first.status_code == 201, first.text
        again = pit.post("/api/tables", body)
        assert (again.status_code, again.content) == (201, first.content)
        other = pit.post("/api/tables", {**body, "pace": {"betting": 5}})
        assert (other.status_code, other.json()["code"]) == (409, "key-reused")


def test_a_table_is_opened_again_after_its_close_by_a_request_without_a_key(server: Server) -> None:
    """Sent again while the table is open, the request has had its effect. After a close it is a new one."""
    with staff(server, "pit-supervisor") as pit:
        body = {"table": "again-1", "edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS}
        for _ in range(3):
            first = pit.post("/api/tables", body)
            assert first.status_code == 201, first.text
            pit.must("again-1", {"do": "load-shoe", "count": 416, "shuffled": True})
            again = pit.post("/api/tables", body)
            assert (again.status_code, again.content) == (201, first.content)
            assert pit.get("/api/tables/again-1").json()["view"]["phase"] != "closed"
            pit.must("again-1", {"do": "close-table"})
        log = pit.get("/api/tables/again-1/events?limit=2000").json()["events"]
        assert sum(entry["event"]["event"] == "table-opened" for entry in log) == 3


def test_an_older_opening_that_is_sent_again_leaves_the_pace_of_the_newest(server: Server) -> None:
    with staff(server, "pit-supervisor") as pit:
        body = {"table": "pace-2", "edition": EDITION, "layout": "C", "positions": 6, "limits": LIMITS}
        older = {**body, "key": "older", "pace": {"betting": 30}}
        first = pit.post("/api/tables", older)
        assert first.status_code == 201, first.text
        pit.must("pace-2", {"do": "close-table"})
        assert pit.post("/api/tables", {**body, "key": "newer", "pace": {"betting": 5}}).status_code == 201
        again = pit.post("/api/tables", older)
        assert (again.status_code, again.content) == (201, first.content)
        pit.must("pace-2", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
        assert pit.get("/api/tables/pace-2").json()["clock"]["seconds"] == 5


def test_no_more_than_the_wallet_holds(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        pit.open("play-3")
        answer = ann.do("play-3", {"do": "join", "chips": "10000.01"})
        assert (answer.status_code, answer.json()["code"]) == (409, "not-enough-funds")
        assert ann.get("/api/tables/play-3").json()["version"] == 1


def test_hostile_amounts_move_nothing(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit, staff(server, "auditor") as auditor:
        pit.open("play-4")
        ann.must("play-4", {"do": "join", "chips": "100.00"})
        pit.must("play-4", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
        before = [line for line in ledger(auditor).splitlines() if "play-4" in line]
        path = "/api/tables/play-4/commands"
        raw = [f'"{amount}"' for amount in HOSTILE]
        raw += ["-1", "NaN", "1e400", "Infinity", "true", "null", "18446744073709551616", "9" * 5000, "[]", "{}", "1.5"]
        for number, stake in enumerate(raw):
            for do in ("buy-chips", "place-wager"):
                field = "chips" if do == "buy-chips" else "stake"
                more = "" if do == "buy-chips" else '"box":1,"bet":"player",'
                body = f'{{"key":"h{number}{do}","command":{{"do":"{do}",{more}"{field}":{stake}}}}}'
                answer = ann.raw(path, body.encode())
                assert 400 <= answer.status_code < 500, (body[:80], answer.text)
                assert answer.json()["code"]
        twice = b'{"key":"d","command":{"do":"buy-chips","chips":"1.00","chips":"2.00"}}'
        assert ann.raw(path, twice).json()["code"] == "bad-json"
        assert [line for line in ledger(auditor).splitlines() if "play-4" in line] == before


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"null", 400),
        (b'"x"', 400),
        (b'{"key":"k"}', 400),
        (b'{"key":"","command":{"do":"join"}}', 400),
        (b'{"key":"k","command":{"do":"nothing"}}', 400),
        (b'{"key":"k","command":{"do":["join"]}}', 400),
        (b'{"key":"k","command":{"do":"join","more":1}}', 400),
        (b'{"key":"k","command":{"do":"join"},"commands":[]}', 400),
        (b'{"key":"k","commands":[]}', 400),
        (b'{"key":"k","command":{"do":"sit","box":1e2}}', 400),
        (b'{"key":"k","command":{"do":"sit","box":"1"}}', 400),
        (b'{"key":"\\ud800","command":{"do":"join"}}', 400),
        (b'{"key":"a\\u0000","command":{"do":"join"}}', 400),
        (b'{"key":"k","key":"k","command":{"do":"join"}}', 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b" " * 300_000, 413),
    ],
)
def test_what_is_not_strict_json_is_refused(server: Server, body: bytes, status: int) -> None:
    with guest(server) as ann:
        answer = ann.raw(f"/api/tables/{GAME}/commands", body)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"].startswith("application/problem+json")


def test_a_virtual_table_deals_by_itself(server: Server) -> None:
    with guest(server) as ann, staff(server, "pit-supervisor") as pit:
        pit.open("virtual-1", source="virtual", pace={"betting": 0.4, "card": 0, "result": 0.05, "insurance": 0})
        ann.must("virtual-1", {"do": "join", "chips": "500.00"}, {"do": "sit", "box": 2})

        def placed() -> bool:
            wager = {"do": "place-wager", "box": 2, "bet": "banker", "stake": "10.00"}
            return ann.do("virtual-1", wager).status_code == 200

        assert eventually(placed)
        assert eventually(lambda: bool(ann.get("/api/me/rounds").json()["rounds"]))
        shoe = ann.get("/api/tables/virtual-1/shoes/1").json()
        assert shoe["commitment"]
        assert (shoe["salt"], shoe["order"]) == (None, None)
        assert eventually(lambda: ann.get("/api/tables/virtual-1/roads").json()["results"] != "")
        answer = pit.do("virtual-1", {"do": "draw-card"})
        assert (answer.status_code, answer.json()["code"]) == (403, "virtual-table")
        pit.must("virtual-1", {"do": "start-duty"}, {"do": "end-duty"})


def test_the_dealer_enters_the_card_that_a_patron_squeezes(server: Server) -> None:
    """At a live table a face is not recorded until its card is turned. Who turned it and who entered it both are."""
    with guest(server) as ann, guest(server) as bob, staff(server, "pit-supervisor") as pit:
        pit.open("play-squeeze", facing="down")
        with staff(server, "dealer") as dealer:
            dealer.must("play-squeeze", {"do": "start-duty"})
            pit.must("play-squeeze", {"do": "load-shoe", "count": 416, "shuffled": True}, {"do": "open-betting"})
            for patron in (ann, bob):
                patron.must("play-squeeze", {"do": "join", "chips": "1000.00"})
            ann.must("play-squeeze", {"do": "sit", "box": 1})
            bob.must("play-squeeze", {"do": "sit", "box": 2})
            for box, patron, stake in ((1, ann, "200.00"), (2, bob, "100.00")):
                patron.must("play-squeeze", {"do": "place-wager", "box": box, "bet": "player", "stake": stake})
            dealer.must("play-squeeze", {"do": "close-betting"})
            ann.must("play-squeeze", {"do": "ask-squeeze", "places": ["P1"]})
            dealer.must("play-squeeze", {"do": "grant-squeeze"})
            for _ in range(4):
                dealer.must("play-squeeze", {"do": "draw-card"})
            name, other = ann.get("/api/me").json()["name"], bob.get("/api/me").json()["name"]
            assert dealer.get("/api/tables/play-squeeze").json()["view"]["squeezing"] == {"P1": name}
            assert "may_squeeze" not in ann.get("/api/tables/play-squeeze").json()["view"]
            turn = {"do": "expose-card", "place": "P1", "card": "9H"}
            assert dealer.do("play-squeeze", turn).json()["code"] == "squeeze-granted"
            assert dealer.do("play-squeeze", {**turn, "by": other}).status_code == 403
            assert dealer.do("play-squeeze", {**turn, "place": "B1", "by": name}).status_code == 403
            answer = dealer.must("play-squeeze", {**turn, "by": name})
            assert answer["events"][0] | {"paragraph": ""} == {
                "event": "card-exposed",
                "paragraph": "",
                "place": "P1",
                "card": "9H",
                "by": name,
            }
