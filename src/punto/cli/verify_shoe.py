"""`punto verify-shoe`: check that a virtual shoe was dealt in its committed order, without access to the house."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import typer

from punto.cli.screen import fail, print_json
from punto.cli.streams import NobodyReads

if TYPE_CHECKING:
    from punto.game.events import AnyEvent
    from punto.house.history.published_shoe import ShoeRecord

MOST_BYTES: Final = 64 << 20
SECONDS: Final = 30


def verify_shoe(
    source: Annotated[str, typer.Argument(metavar="FILE|URL", help="The JSON of a shoe, or a table's events.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Check a shoe that has ended: the commitment against salt and order, and every card against the order.

    Takes what /api/tables/ID/shoes/N gives, or a table's events as JSON lines or a list, and checks each shoe in it.

    Example: punto verify-shoe shoe-3.json
    """
    from punto.house.history.published_shoe import difference

    try:
        shoes = list(_shoes(_bytes(source)))
    except RecursionError:
        fail(f"{source}: the JSON is nested too deep")
    except (OSError, ValueError) as error:
        fail(f"{source}: {error}")
    if not shoes:
        fail(f"{source} has no shoe with a commitment: expected a virtual shoe, or the events of a virtual table")
    answers = [_answer(shoe, difference(shoe)) for shoe in shoes]
    with suppress(NobodyReads):  # a closed pipe does not change the verdict
        if json:
            print_json(answers[0] if len(answers) == 1 else answers)
        else:
            for answer in answers:
                typer.echo(_line(answer))
    if not all(answer["good"] for answer in answers):
        first = next(answer for answer in answers if not answer["good"])
        fail(f"shoe {first['shoe']}: {first['difference']}")


def _answer(record: ShoeRecord, wrong: str | None) -> dict[str, Any]:
    return {
        "shoe": record.shoe,
        "good": wrong is None,
        "opened": record.order is not None and record.salt is not None,
        "commitment": record.commitment,
        "cards": len(record.order or ()),
        "dealt": sum(place.at is not None for place in record.dealt),
        "shown": sum(place.card is not None for place in record.dealt if place.at is not None),
        "difference": wrong,
    }


def _line(shoe: dict[str, Any]) -> str:
    if not shoe["good"]:
        return f"shoe {shoe['shoe']}: {'NO' if shoe['opened'] else 'not yet'}, {shoe['difference']}"
    return (
        f"shoe {shoe['shoe']}: yes, commitment {shoe['commitment'][:16]}… is the hash of salt and order, and the "
        f"{shoe['dealt']} cards that left the shoe ({shoe['shown']} of them shown) are the first {shoe['dealt']} of it"
    )


def _bytes(source: str) -> bytes:
    if source.startswith(("http://", "https://")):
        from urllib.request import urlopen

        with urlopen(source, timeout=SECONDS) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
    else:
        with Path(source).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"it is longer than {MOST_BYTES:,} bytes")
    return data


def _shoes(data: bytes) -> Iterator[ShoeRecord]:
    from punto.house.history.published_shoe import ShoeRecord, records

    try:
        whole = [msgspec.json.decode(data)]
    except msgspec.DecodeError:
        whole = [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
    if len(whole) == 1 and isinstance(whole[0], dict) and "commitment" in whole[0] and "event" not in whole[0]:
        yield msgspec.convert(whole[0], ShoeRecord)
        return
    yield from records(_events(whole))


def _events(values: list[Any]) -> Iterator[AnyEvent]:
    """Events that come alone, in rows with their version, in answers, or in lists of these."""
    from punto.game import notation

    for value in values:
        if isinstance(value, list):
            yield from _events(value)
        elif isinstance(value, dict) and isinstance(value.get("event"), str):
            yield notation.event(msgspec.json.encode(value))
        elif isinstance(value, dict):
            yield from _events([value[name] for name in ("event", "events") if name in value])
