"""Idempotency keys: each was answered once, by a command or by a refusal that can be sent again."""

from __future__ import annotations

from typing import Final

import msgspec

from punto.game import notation
from punto.house.audit.findings import Context
from punto.house.store.answers import Problem

TWO_COMMANDS: Final = (
    'SELECT "stream", max("version"), "key" FROM "events" WHERE "key" IS NOT NULL '
    'GROUP BY "stream", "key" HAVING count(*) > 1'
)
COMMAND_AND_REFUSAL: Final = (
    'SELECT "refusals"."stream", "events"."version", "refusals"."key" FROM "refusals" JOIN "events" '
    'ON "events"."stream" = "refusals"."stream" AND "events"."key" = "refusals"."key"'
)
UNANSWERED: Final = (
    'SELECT "stream", 0, "key" FROM "keys" AS k '
    'WHERE NOT EXISTS (SELECT 1 FROM "events" AS e WHERE e."stream" = k."stream" AND e."key" = k."key") '
    'AND NOT EXISTS (SELECT 1 FROM "refusals" AS r WHERE r."stream" = k."stream" AND r."key" = k."key")'
)
NOT_TAKEN: Final = (
    'SELECT "stream", "version", "key" FROM "events" AS e WHERE "key" IS NOT NULL '
    'AND NOT EXISTS (SELECT 1 FROM "keys" AS k WHERE k."stream" = e."stream" AND k."key" = e."key") '
    'UNION ALL SELECT "stream", 0, "key" FROM "refusals" AS r '
    'WHERE NOT EXISTS (SELECT 1 FROM "keys" AS k WHERE k."stream" = r."stream" AND k."key" = r."key")'
)
REFUSALS: Final = 'SELECT "stream", "key", "body", "answer" FROM "refusals"'
_MESSAGES: Final = {
    TWO_COMMANDS: "is used by more than one command",
    COMMAND_AND_REFUSAL: "was carried out and refused",
    UNANSWERED: "is in the table 'keys', but no command and no refusal has it",
    NOT_TAKEN: "was answered, but is missing in the table 'keys', so it could be answered again",
}


def compare_keys(context: Context) -> None:
    """On PostgreSQL answered keys have a table of their own, so that none can be answered twice at once. A database
    without that table is migrated at the next start."""
    own_table = context.reader.has("keys")
    for statement, message in _MESSAGES.items():
        if own_table or statement not in (UNANSWERED, NOT_TAKEN):
            for stream, version, key in context.reader.rows(statement):
                context.findings.add(stream, version, "key", f"the key {key!r} {message}")


def check_refusals(context: Context) -> None:
    """Every stored refusal can be sent again."""
    decode = msgspec.json.Decoder(Problem).decode
    for stream, key, body, answer in context.reader.rows(REFUSALS):
        context.seen.refusals += 1
        fault = None if len(body) == 32 else "the hash of the request is not 32 bytes long"
        try:
            problem = decode(answer)
            if not 400 <= problem.status < 500 or not problem.code:
                fault = "it has no code, or its status is not 400 to 499"
            elif notation.encode(problem) != answer:
                fault = "the answer is not written as the house writes refusals"
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            fault = f"the answer can't be read: {error}"
        if fault is not None:
            context.findings.add(stream, 0, "refusal", f"the refusal under {key!r}: {fault}")
