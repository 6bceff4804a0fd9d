"""The numbers of section 5 and of the Live page's terms, typed in by hand from the documents.

Both Tiger Buffalo documents of a year print section 5 alike; both Live variants share their page.
"""

from __future__ import annotations

from typing import Final

SECTION_5_2024: Final = """
    5.1 limit.excess  5.1.1 limit.pro-rata  5.1.2 limit.pro-rata-below-minimum
    5.2 minimum.noticed  5.2.1 minimum.unnoticed  5.3 insurance.forgone  5.3.1 walked-away
    5.4 interruption  5.4.1 interruption.concluded  5.4.2 interruption.void
    5.5 void  5.5.1 void.foreign-card  5.5.2 void.wrong-count  5.5.3 void.not-reconstructible
    5.5.4 void.too-few-cards  5.5.5 void.unshuffled
    5.6 late-wagers  5.7 excess-card  5.7.1 excess-card.options
    5.8 wrong-hand  5.8.1 wrong-hand.area  5.8.2 wrong-hand.person  5.9 face-up
    5.10 simultaneous  5.10.1 simultaneous.options  5.10.2 simultaneous.replace
    5.11 late-discovery  5.12 options  5.12.1 options.continue  5.12.2 options.reconstructed  5.12.3 options.returned
    5.13 insurance-missed  5.13.1 insurance-missed.before  5.13.2 insurance-missed.after
    5.14 chips-lie  5.15 displays  5.16 void.returns  5.17 staff-place  5.18 discretion
"""

SECTION_5_2025: Final = """
    5.1 limit.excess  5.1.1 limit.pro-rata  5.1.2 limit.pro-rata-below-minimum
    5.2 minimum.noticed  5.2.1 minimum.unnoticed  5.3 insurance.forgone  5.3.1 walked-away
    5.4 interruption  5.4.1 interruption.concluded  5.4.2 interruption.void
    5.5 void  5.5.1 void.foreign-card  5.5.2 void.wrong-count  5.5.3 void.not-reconstructible
    5.5.4 void.too-few-cards  5.5.5 void.unshuffled
    5.6 late-wagers  5.7 cut-card  5.7.1 cut-card.withdraw  5.7.2 cut-card.too-late  5.7.3 cut-card.not-offered
    5.8 excess-card  5.8.1 excess-card.options
    5.9 wrong-hand  5.9.1 wrong-hand.area  5.9.2 wrong-hand.person  5.10 face-up
    5.11 simultaneous  5.11.1 simultaneous.options  5.11.2 simultaneous.replace
    5.12 reset  5.13 damaged-card  5.13.1 damaged-card.value  5.13.2 damaged-card.void
    5.14 late-discovery  5.15 late-table-of-play  5.15.1 late-table-of-play.missing-card
    5.15.2 late-table-of-play.extra-card  5.15.3 late-table-of-play.discretion  5.15.4 late-table-of-play.side-bets
    5.16 options  5.16.1 options.continue  5.16.2 options.reconstructed  5.16.3 options.returned
    5.17 insurance-missed  5.17.1 insurance-missed.before  5.17.2 insurance-missed.after
    5.18 insurance-misplaced  5.18.1 insurance-misplaced.player  5.18.2 insurance-misplaced.banker
    5.19 chips-lie  5.20 displays  5.21 void.returns  5.22 staff-place  5.23 discretion
"""

# Headings and bullets counted in page order.
LIVE_TERMS: Final = """
    11.1.1 commencement.skip  11.1.2 commencement.failure  11.1.3 commencement.void
    11.2.1 blue-card.last  11.2.2 blue-card.during  11.2.3 blue-card.between  11.2.4 blue-card.after
    11.3.1 exposed.betting  11.3.2 exposed.unneeded  11.3.3 exposed.shuffling  11.3.4 exposed.commencement
    11.4.1 wrong-dealing  11.4.2 wrong-dealing.shoe
    11.5.1 dropped.outside-play  11.5.2 dropped.dealing
"""
