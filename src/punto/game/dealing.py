"""Drawing and turning cards: the next place, face-down tables, the squeeze and the Banker's third card first (P7)."""

from __future__ import annotations

from punto.cards import points
from punto.codes import Code
from punto.game import commands as c
from punto.game import events as e
from punto.game import insurance_offers, people, shoe
from punto.game.coup import banker_draws_anyway, next_side
from punto.game.evolve import evolve_all
from punto.game.refusals import Refusal, named, refuse
from punto.game.table import CarriedCard, Laid, Phase, Squeeze, Table
from punto.rulebook.model import Bet, Rank, Rulebook, Side

Events = tuple[e.AnyEvent, ...]
PLACES = ("P1", "B1", "P2", "B2", "P3", "B3")


def next_place(rules: Rulebook, table: Table) -> str | Refusal | None:
    """Where the next card goes; None when no card is due; a refusal when cards must be turned first."""
    current = table.current
    player = sum(card.place[0] == "P" for card in current.cards)
    banker = sum(card.place[0] == "B" for card in current.cards)
    if player + banker < 4:
        return f"P{player + 1}" if player == banker else f"B{banker + 1}"
    if not all(card.exposed for card in current.cards[:4]):
        text = "the first four cards are turned before a third card is drawn"
        return refuse(Code.CARDS_FACE_DOWN, text, rules.paragraph("table-of-play"))
    if player == 3 and banker == 2 and not current.all_open:
        if banker_first(rules, table):
            return "B3"
        text = "the Player's third card is turned before the Banker's is drawn"
        return refuse(Code.CARDS_FACE_DOWN, text, rules.paragraph("table-of-play"))
    if not current.all_open:
        return None
    due = next_side(rules.table_of_play, current.coup.player, current.coup.banker)
    return None if due is None else "P3" if due is Side.PLAYER else "B3"


def banker_first(rules: Rulebook, table: Table) -> bool:
    """P7: consent was given, and on the first four cards, as they are known by now, the Banker draws in any case."""
    coup = table.current.coup
    return table.current.waived and banker_draws_anyway(rules.table_of_play, coup.player[:2], coup.banker[:2])


def draw(rules: Rulebook, table: Table, command: c.DrawCard) -> Events | Refusal:
    """The next card. It closes an open offer (P6), and may bring the cut card with it."""
    place = next_place(rules, table)
    if isinstance(place, Refusal):
        return place
    if place is None:
        return refuse(Code.TABLE_OF_PLAY, "no card is due", rules.paragraph("table-of-play"))
    if table.in_use.left <= 0 and not table.in_use.carried:
        cite = rules.topics.get("void.too-few-cards", rules.paragraph("void"))
        return refuse(Code.TOO_FEW_CARDS, "there is no card left to finish the round", cite)
    drawn = _drawn(rules, table, command.card)
    if isinstance(drawn, Refusal):
        return drawn
    events: list[e.AnyEvent] = []
    if not table.in_use.carried and shoe.cut_card_due(table.in_use):
        cut = shoe.cut_card_drawn(rules, table)
        if cut.withdrawal:
            return (cut,)
        events.append(cut)
    if table.phase is Phase.OFFER:
        events += insurance_offers.closed(rules, table)
    cite = drawn_cite(rules, table, place)
    waited = bool(table.in_use.carried)
    events.append(e.CardDrawn(paragraph=cite, place=place, card=drawn.face, exposed=drawn.exposed, carried=waited))
    after = evolve_all(table, tuple(events))
    return (*events, *then(rules, after))


def _drawn(rules: Rulebook, table: Table, entered: str | None) -> CarriedCard | Refusal:
    """The next card: its face, if known, and whether it lies face up. One that waits (I4) comes before the shoe's."""
    face_up = table.opened.facing == "up"
    waiting = table.in_use.carried[0] if table.in_use.carried else None
    if waiting is not None and waiting.face is not None:
        if entered is not None and entered.upper().replace("10", "T") != waiting.face:
            text = f"{waiting.face if waiting.exposed else 'another card'} is left over and must be dealt first"
            return refuse(Code.BAD_CARD, text, rules.paragraph("define.reconstruction"))
        return CarriedCard(waiting.face, waiting.exposed or face_up)
    if entered is None and not face_up and (waiting is not None or table.in_use.order is None):
        return CarriedCard(None, False)
    face = shoe.next_face(rules, table, entered)
    return face if isinstance(face, Refusal) else CarriedCard(face, face_up)


def drawn_cite(rules: Rulebook, table: Table, place: str) -> str:
    """The paragraph on the first four cards, the Table of Play, or a Banker whose Player stood."""
    play = rules.table_of_play
    if place[1] != "3":
        return rules.paragraph("deal.four-cards")
    if place == "P3":
        return play.player_cite
    return play.banker_cite if any(card.place == "P3" for card in table.current.cards) else play.alone_cite


def then(rules: Rulebook, table: Table) -> Events:
    """What follows from the cards that lie open now: an offer, the end of the coup, or nothing."""
    current = table.current
    if len(current.cards) < 4 or not current.all_open:
        return ()
    opened = insurance_offers.opened(rules, table)
    if opened is not None:
        return (opened,)
    coup = current.coup
    if next_side(rules.table_of_play, coup.player, coup.banker) is not None:
        return ()
    return (
        e.CoupCompleted(
            paragraph=rules.paragraph("hand.ranking"),
            player_points=coup.player_points,
            banker_points=coup.banker_points,
        ),
    )


def expose(rules: Rulebook, table: Table, command: c.ExposeCard) -> Events | Refusal:
    """Turn a card: by staff, or by the patron who was granted the squeeze."""
    current = table.current
    lying = next((card for card in current.cards if card.place == command.place), None)
    if lying is None or lying.exposed:
        text = f"no face-down card lies at {named(command.place)}"
        return refuse(Code.NO_FACE_DOWN_CARD, text, rules.paragraph("deal.four-cards"), place=command.place)
    refusal = may_turn(rules, table, command)
    if refusal is not None:
        return refusal
    if lying.face is not None:
        if command.card is not None and command.card.upper().replace("10", "T") != lying.face:
            text = f"{command.place} was drawn as another card than {command.card}"
            cite = rules.paragraph("cards.decks")
            return refuse(Code.BAD_CARD, text, cite, place=command.place, card=command.card)
        face: str | Refusal = lying.face
    elif command.card is None:
        return refuse(Code.CARD_NEEDED, "enter the card that was turned", rules.paragraph("deal.four-cards"))
    else:
        face = shoe.known_face(rules, table, command.card)
    if isinstance(face, Refusal):
        return face
    cite = _turned_cite(rules, table, command)
    turned = e.CardExposed(paragraph=cite, place=command.place, card=face, by=command.by)
    # A late offer, made while a card lies face down, ends as that card is turned (I7).
    events: Events = (*(insurance_offers.closed(rules, table) if table.phase is Phase.OFFER else ()), turned)
    return (*events, *then(rules, evolve_all(table, events)))


def _turned_cite(rules: Rulebook, table: Table, command: c.ExposeCard) -> str:
    """The paragraph on the squeeze that was granted, or else on the draw of the card."""
    first = table.current.banker_first
    if command.by not in table.staff:
        by_consent = first is not None and first.granted and command.place[1] == "3"
        return (rules.procedure.banker_first_cite if by_consent else None) or rules.procedure.squeeze_cite
    return drawn_cite(rules, table, command.place)


def may_turn(rules: Rulebook, table: Table, command: c.ExposeCard) -> Refusal | None:
    """Refuse a turn by the wrong person or too early."""
    current = table.current
    places = [card.place for card in current.cards if not card.exposed]
    if command.place == "P3" and ("B3" in places or len(current.cards) < 6) and banker_first(rules, table):
        cite = rules.procedure.banker_first_cite
        return refuse(Code.BANKER_FIRST, "the Banker's third card is drawn and opened first", cite)
    holder = squeezer(table, command.place)
    if holder is not None and not table.patrons[holder].present:
        holder = None
    if command.by in table.staff:
        if holder is not None and not table.staff[command.by].may_act_as(Rank.PIT_SUPERVISOR):
            text = f"{holder} may squeeze this card"
            return refuse(Code.SQUEEZE_GRANTED, text, rules.procedure.squeeze_cite, patron=holder)
        return None
    if command.by != holder:
        text = f"{command.by} may not squeeze {command.place}"
        return refuse(Code.NO_SQUEEZE, text, rules.procedure.squeeze_cite, patron=command.by, place=command.place)
    return None


def squeezer(table: Table, place: str) -> str | None:
    """The patron who may squeeze the card at a place; one who has left the round has lost the right (I3)."""
    squeeze, first = table.current.squeeze, table.current.banker_first
    if first is not None and first.granted and place == ("B3" if first.way == "squeeze" else "P3"):
        holder = first.patron
    elif squeeze is not None and squeeze.granted and place in squeeze.places:
        holder = squeeze.patron
    else:
        return None
    return holder if any(laid.patron == holder for laid in table.current.wagers.values()) else None


def highest(rules: Rulebook, table: Table) -> Laid | None:
    """P7: the largest single wager on Player or Banker; the earliest of equals; 2024 among seated patrons."""
    seated_only = rules.procedure.squeeze_by == "seated"
    mains = [
        laid
        for laid in table.current.wagers.values()
        if laid.bet in (Bet.PLAYER, Bet.BANKER)
        and (laid.seated or not seated_only)
        and table.patrons[laid.patron].present
    ]
    return min(mains, key=lambda laid: (-laid.in_play_cents, laid.order), default=None)


def _asks(rules: Rulebook, table: Table, patron: str, cite: str) -> Refusal | None:
    """3.9, 3.14: refuse without a face-down table and the highest Original Bet."""
    if table.opened.facing != "down":
        return refuse(Code.NOT_FACE_DOWN, "cards are squeezed where they are dealt face down", cite)
    best = highest(rules, table)
    if best is None or best.patron != patron:
        text = "another patron has the highest wager" if best else "nobody has a wager on Player or Banker"
        return refuse(Code.NOT_HIGHEST_BET, text, cite)
    return None


def ask_squeeze(rules: Rulebook, table: Table, command: c.AskSqueeze) -> Events | Refusal:
    cite = rules.procedure.squeeze_cite
    refusal = _asks(rules, table, command.patron, cite)
    if refusal is not None:
        return refusal
    if _squeezing(table):
        return refuse(Code.SQUEEZE_GRANTED, "a squeeze was granted, and its cards are not all turned yet", cite)
    left, places = undrawn(rules, table), set(command.places)
    if not places or len(places) < len(command.places) or not places <= set(left):
        text = f"expected places not yet drawn, of {' '.join(left)}"
        return refuse(Code.TOO_LATE_TO_SQUEEZE, text, cite)
    return (e.SqueezeAsked(paragraph=cite, patron=command.patron, places=command.places),)


def undrawn(rules: Rulebook, table: Table) -> tuple[str, ...]:
    """The places that may still get a card. Once the first four cards are open they say whether the Player draws."""
    current = table.current
    taken = {card.place for card in current.cards}
    coup = current.coup
    if len(current.cards) >= 4 and all(card.exposed for card in current.cards[:4]):
        first = next_side(rules.table_of_play, coup.player[:2], coup.banker[:2])
        taken |= set() if first is Side.PLAYER else {"P3"}
    return tuple(place for place in PLACES if place not in taken)


def _squeezing(table: Table) -> bool:
    """Whether a granted squeeze is still to be carried out, by a patron who is there."""
    squeeze = table.current.squeeze
    if squeeze is None or not squeeze.granted or not table.patrons[squeeze.patron].present:
        return False
    opened = {card.place for card in table.current.cards if card.exposed}
    return not opened.issuperset(squeeze.places)


def asked_too_late(table: Table, squeeze: Squeeze) -> bool:
    """Whether a card that was asked for has been drawn before it was granted."""
    return not squeeze.granted and any(card.place in squeeze.places for card in table.current.cards)


def grant_squeeze(rules: Rulebook, table: Table, command: c.GrantSqueeze) -> Events | Refusal:
    """Permission is the Dealer's (P7)."""
    cite = rules.procedure.squeeze_cite
    squeeze = table.current.squeeze
    if squeeze is None or squeeze.granted:
        return refuse(Code.NOTHING_ASKED, "nobody has asked to squeeze", cite)
    if asked_too_late(table, squeeze):
        return refuse(Code.TOO_LATE_TO_SQUEEZE, "a card that was asked for has been drawn", cite)
    refusal = _asks(rules, table, squeeze.patron, cite)
    if refusal is not None:
        return refusal
    return (e.SqueezeGranted(paragraph=cite, patron=squeeze.patron, by=command.by),)


def ask_banker_first(rules: Rulebook, table: Table, command: c.AskBankerFirst) -> Events | Refusal:
    """3.14: before the Player's third card is drawn, and only where the Banker draws whatever it is (P7)."""
    cite = rules.procedure.banker_first_cite
    if cite is None:
        return refuse(Code.NOT_FACE_DOWN, "this game is dealt face up", rules.procedure.squeeze_cite)
    if table.current.waived:
        return refuse(Code.NOTHING_TO_DO, "it has been granted that the Banker's third card is opened first", cite)
    if command.way not in ("squeeze", "expose"):
        text = f"{named(command.way)} is unknown: expected squeeze or expose"
        return refuse(Code.BAD_SETTING, text, cite, word=command.way)
    refusal = _asks(rules, table, command.patron, cite) or _banker_first_fault(rules, table, cite)
    if refusal is not None:
        return refusal
    return (e.BankerFirstAsked(paragraph=cite, patron=command.patron, way=command.way),)


def _banker_first_fault(rules: Rulebook, table: Table, cite: str) -> Refusal | None:
    current = table.current
    if len(current.cards) != 4 or not current.all_open:
        text = "this can be asked for only while four cards lie open and no third card has been drawn"
        return refuse(Code.TOO_LATE_TO_SQUEEZE, text, cite)
    if not banker_draws_anyway(rules.table_of_play, current.coup.player, current.coup.banker):
        player, banker = points(current.coup.player), points(current.coup.banker)
        draws = rules.table_of_play.player_draws(player, banker)
        why = f"the Banker may stand on {banker}" if draws else "the Player draws no third card"
        text = f"{why}, so the Banker's third card can't be opened first"
        return refuse(Code.BANKER_MAY_STAND, text, cite, points=banker)
    return None


def grant_banker_first(rules: Rulebook, table: Table, command: c.GrantBankerFirst) -> Events | Refusal:
    """Consent is a Pit Supervisor's (P7), and waives the second offer for the whole table."""
    cite = rules.procedure.banker_first_cite or rules.procedure.squeeze_cite
    wish = table.current.banker_first
    if wish is None or wish.granted:
        return refuse(Code.NOTHING_ASKED, "nobody has asked for the Banker's third card first", cite)
    if not table.staff[command.by].may_act_as(Rank.PIT_SUPERVISOR):
        return people.wrong_rank(rules, Rank.PIT_SUPERVISOR, cite)
    refusal = _asks(rules, table, wish.patron, cite) or _banker_first_fault(rules, table, cite)
    if refusal is not None:
        return refusal
    return (e.BankerFirstGranted(paragraph=cite, patron=wish.patron, by=command.by),)
