"""The pages on what a bet and an insurance offer are worth."""

from __future__ import annotations

from fractions import Fraction

from punto.report.figures import MINUS, decimal, pays, percent, whole
from punto.report.pages.shape import Cell, Column, Page, Row, Table, cell, columns, row
from punto.report.records import INSURANCE_NAMES, MOMENT_NAMES, BetSheet, OfferSheet, OfferTable, Report
from punto.rulebook.model import Bet, Insurance

TONES = {
    Bet.PLAYER: "player",
    Bet.BANKER: "banker",
    Bet.TIE: "tie",
    Insurance.PLAYER: "player",
    Insurance.BANKER: "banker",
}
SHOWN_OFFERS = 5
FLAG = "favours the patron"


def glance(report: Report) -> Page:
    """The summary page: every bet by house edge, and the best and the worst insurance offers."""
    worst = max(abs(bet.house_edge) for bet in report.bets)
    bets = Table(
        title="Bets, best for the patron first",
        columns=columns("<Bet | <Pays | Wins | House edge | < | Deviation | <Paragraph"),
        rows=tuple(
            row(
                cell(bet.name, tone=TONES.get(bet.bet, "")),
                " / ".join(pays(event.pays) for event in bet.events if event.result == "won"),
                cell(percent(bet.hit_frequency), bet.hit_frequency),
                edge(bet.expectation),
                cell("", bar=abs(bet.house_edge) / worst, tone=TONES.get(bet.bet, "")),
                decimal(bet.standard_deviation, 4),
                cell(bet.paragraph, tone="small"),
            )
            for bet in report.by_edge()
        ),
        note="House edge and deviation are per unit staked. Wins is the hit frequency: the share of coups that win.",
    )
    offers = report.offers_by_edge()
    return Page(
        id="glance",
        title="At a glance",
        words=(_favourable(report),),
        tables=(
            bets,
            _ranked("Best insurance offers for the patron", offers[:SHOWN_OFFERS]),
            _ranked("Worst insurance offers for the patron", tuple(reversed(offers[-SHOWN_OFFERS:]))),
        ),
    )


def _favourable(report: Report) -> str:
    decks = report.cover.decks
    bets = sum(bet.favours_patron for bet in report.bets)
    offers = sum(offer.favours_patron for table in report.insurance for offer in table.offers)
    if not bets and not offers:
        return f"In a whole shoe of {decks} decks no bet and no insurance offer favours the patron."
    return f"In a whole shoe of {decks} decks {bets} bets and {offers} insurance offers favour the patron, all flagged."


def _ranked(title: str, offers: tuple[tuple[OfferTable, OfferSheet], ...]) -> Table:
    return Table(
        title=title,
        columns=columns("<Insurance | <Offered | Player | Banker | <Pays | Offered in | House edge | <Paragraph"),
        rows=tuple(
            row(
                cell(INSURANCE_NAMES[table.bet], tone=TONES[table.bet]),
                MOMENT_NAMES[table.after],
                offer.player_points,
                offer.banker_points,
                pays(offer.pays),
                cell(percent(offer.reached), offer.reached),
                edge(offer.expectation),
                cell(offer.paragraph, tone="small"),
            )
            for table, offer in offers
        ),
    )


def edge(expectation: Fraction, places: int = 4) -> Cell:
    """A house edge; one that favours the patron is flagged."""
    tone = "flag" if expectation > 0 else ""
    text = percent(-expectation, places)
    return cell(f"{text} {FLAG}" if tone else text, -expectation, tone)


def bets(report: Report) -> Page:
    """The page of pay tables: Event | Pays | Combinations | Probability | Return."""
    return Page(
        id="bets",
        title="Every bet",
        words=(
            "Combinations are ordered sequences of six cards out of the whole shoe: exact counts, all over one total. "
            "Return is probability × pays: the odds when the bet is won, 0 when it is returned, −1 when it is lost. "
            "Its total is the expectation of one unit staked; the house edge is the expectation with its sign turned.",
        ),
        tables=tuple(_bet(bet) for bet in report.bets),
    )


def _bet(sheet: BetSheet) -> Table:
    rows = [
        row(
            event.event,
            cell(pays(event.pays)),
            cell(whole(event.combinations), event.combinations),
            cell(decimal(event.probability, 10), event.probability),
            cell(decimal(event.contribution, 10), event.contribution),
            cell(event.paragraph, tone="small"),
        )
        for event in sheet.events
    ]
    total = row(
        "Total",
        "",
        cell(whole(sheet.combinations), sheet.combinations),
        cell(decimal(1, 10), 1),
        cell(decimal(sheet.expectation, 10), sheet.expectation),
        "",
        tone="total",
    )
    where = f"layouts {' '.join(sheet.layouts)}" if len(sheet.layouts) > 1 else f"layout {sheet.layouts[0]}"
    flag = f" · {FLAG}" if sheet.favours_patron else ""
    return Table(
        title=sheet.name,
        paragraph=sheet.paragraph,
        tone=TONES.get(sheet.bet, ""),
        columns=columns("<Event | Pays | Combinations | Probability | Return | <Paragraph"),
        rows=(*rows, total),
        note=f"House edge {percent(-sheet.expectation)}{flag} · hit frequency {percent(sheet.hit_frequency)} · "
        f"deviation {decimal(sheet.standard_deviation, 6)} · "
        f"expectation {str(sheet.expectation).replace('-', MINUS)} · {where}",
    )


def insurance(report: Report) -> Page:
    """The page with every cell of every insurance table."""
    return Page(
        id="insurance",
        title="Insurance",
        words=(
            "An offer is made when the points lie as stated and a card is still due. Offered is out of all coups; won, "
            "returned and lost are given the offer. A star marks points on which a tie is paid.",
        ),
        tables=tuple(_offers(table) for table in report.insurance),
    )


def _offers(table: OfferTable) -> Table:
    rows = [
        row(
            f"{offer.player_points}{'*' if offer.tie_pays else ''}",
            offer.banker_points,
            cell(pays(offer.pays)),
            cell(whole(offer.made), offer.made),
            cell(percent(offer.reached), offer.reached),
            cell(percent(offer.won_share), offer.won_share),
            cell(percent(offer.returned_share), offer.returned_share),
            cell(percent(offer.lost_share), offer.lost_share),
            edge(offer.expectation),
            decimal(offer.standard_deviation, 4),
            cell(offer.paragraph, tone="small"),
        )
        for offer in table.offers
    ]
    total = row(
        "All",
        "",
        "",
        cell(whole(table.made), table.made),
        cell(percent(table.reached), table.reached),
        *("", "", ""),
        edge(table.expectation),
        "",
        "",
        tone="total",
    )
    return Table(
        title=f"{INSURANCE_NAMES[table.bet]} {MOMENT_NAMES[table.after]}",
        tone=TONES[table.bet],
        columns=columns(
            "Player | Banker | Pays | Combinations | Offered | Won | Returned | Lost | House edge | Dev. | <§"
        ),
        rows=(*rows, total),
        note="All: one unit staked at every offer of this table.",
    )


def heat(report: Report) -> Page:
    """The page of heat maps: house edge by the points of both hands."""
    strongest = max(abs(offer.house_edge) for table in report.insurance for offer in table.offers)
    return Page(
        id="heat",
        title="Insurance heat maps",
        words=(
            "House edge in percent by the points of both hands when the offer is made, Player down, Banker across. "
            "The deeper the red, the dearer the offer; green would favour the patron; empty: nothing is offered.",
        ),
        tables=tuple(_map(table, strongest) for table in report.insurance),
    )


def _map(table: OfferTable, strongest: float) -> Table:
    def shaded(value: float | None) -> Cell:
        return cell("") if value is None else cell(decimal(100 * value, 1), heat=value / strongest)

    return Table(
        title=f"{INSURANCE_NAMES[table.bet]} {MOMENT_NAMES[table.after]}",
        tone=TONES[table.bet],
        kind="map",
        columns=(Column("P \\ B"), *(Column(str(points)) for points in range(10))),
        rows=tuple(Row((cell(player), *(shaded(value) for value in line))) for player, line in enumerate(table.heat())),
    )


def together(report: Report) -> Page:
    """The page on the Original Bet and insurance as one play."""
    limit = report.insurance_limit
    return Page(
        id="together",
        title="Original Bet plus insurance",
        words=(
            "From the moment of the offer on: what one unit on the insured hand is expected to bring and how much it "
            "varies, without insurance and with the largest stake on it that the rules allow as such "
            f"({limit.number}: {limit.gist} A table's own maximum may allow less.)",
        ),
        tables=(_whole_rounds(report), *(_together(table) for table in report.insurance)),
    )


def _whole_rounds(report: Report) -> Table:
    return Table(
        title="Whole rounds, before a card is seen",
        columns=columns("<Original Bet | <Insurance | Taken in | Staked on it | House edge | Deviation"),
        rows=tuple(
            row(
                cell(whole.bet.side.value.capitalize(), tone=TONES[whole.bet]),
                whole.strategy,
                cell(percent(whole.taken), whole.taken),
                cell(decimal(whole.insured, 6), whole.insured),
                edge(whole.expectation),
                decimal(whole.standard_deviation, 4),
            )
            for whole in report.whole_rounds
        ),
        note="Per unit of Original Bet, insurance included. An offer that is taken is taken in full.",
    )


def _together(table: OfferTable) -> Table:
    return Table(
        title=f"{table.bet.side.value.capitalize()}, insured {MOMENT_NAMES[table.after]}",
        tone=TONES[table.bet],
        columns=columns(
            "Player | Banker | Pays | Stake | Expectation alone | insured | Deviation alone | insured | Given up"
        ),
        rows=tuple(
            row(
                offer.player_points,
                offer.banker_points,
                pays(offer.pays),
                offer.stake,
                cell(decimal(offer.alone, 6), offer.alone),
                cell(decimal(offer.together, 6), offer.together),
                decimal(offer.deviation_alone, 4),
                decimal(offer.deviation_together, 4),
                cell(percent(offer.alone - offer.together), offer.alone - offer.together),
            )
            for offer in table.offers
        ),
        note="Given up: expectation that the insured play costs, in percent of the Original Bet.",
    )
