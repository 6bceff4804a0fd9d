"""Ways to tamper with the schema itself, and what an audit says to each."""

from __future__ import annotations

from typing import Final

from tests.house.audit.tamperings import tampering

HARMLESS: Final = "BEGIN SELECT 1; END"
SCHEMA: Final = (
    tampering(
        "a trigger of somebody else",
        "object",
        f'CREATE TRIGGER richer AFTER INSERT ON "wallets" {HARMLESS}',
        engine="sqlite",
    ),
    tampering(
        "a trigger in place of another",
        "trigger",
        f"CREATE TRIGGER events_no_update BEFORE update ON events {HARMLESS}",
        engine="sqlite",
    ),
    tampering(
        "a trigger with another function",
        "object",
        "CREATE FUNCTION richer() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER richer BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION richer()",
        engine="postgresql",
    ),
    tampering(
        "a trigger under a name of the engine's own",
        "object",
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_richer', 'wallets', 0, "
        f"'CREATE TRIGGER sqlite_richer AFTER INSERT ON wallets {HARMLESS}')",
        engine="sqlite",
    ),
    tampering(
        "a trigger under known names, on another table",
        "object",
        "CREATE SCHEMA blind",
        "CREATE FUNCTION blind.punto_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER events_append_only BEFORE INSERT ON wallets FOR EACH ROW "
        "EXECUTE FUNCTION blind.punto_append_only()",
        engine="postgresql",
    ),
    tampering(
        "a table under a known name, elsewhere",
        "object",
        "CREATE SCHEMA blind",
        "CREATE TABLE blind.wallets (LIKE wallets)",
        engine="postgresql",
    ),
    tampering(
        "other tables first, for a role",
        "object",
        "DO $$ BEGIN EXECUTE format('ALTER ROLE %I SET search_path = blind, public', current_user); END $$",
        engine="postgresql",
    ),
    tampering("a trigger taken out", "trigger", "DROP TRIGGER events_append_only ON events", engine="postgresql"),
    tampering("a trigger that is not heard", "trigger", "ALTER TABLE events DISABLE TRIGGER ALL", engine="postgresql"),
    tampering(
        "a function that lets one through",
        "trigger",
        "CREATE OR REPLACE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF current_user = 'eve' THEN RETURN NEW; END IF; BEGIN RAISE EXCEPTION 'no'; END; END $$",
        engine="postgresql",
    ),
    tampering("a rule", "object", "CREATE RULE blind AS ON INSERT TO wallets DO INSTEAD NOTHING", engine="postgresql"),
    tampering(
        "a policy",
        "object",
        "ALTER TABLE wallets ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY blind ON wallets USING (false)",
        engine="postgresql",
    ),
    tampering(
        "a value filled in",
        "object",
        "ALTER TABLE people ALTER COLUMN role SET DEFAULT 'shift-manager'",
        engine="postgresql",
    ),
    tampering(
        "other tables first",
        "object",
        "CREATE SCHEMA blind",
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = blind, public', current_database()); END $$",
        engine="postgresql",
    ),
    tampering("a table of somebody else", "object", 'CREATE TABLE "events_old" AS SELECT * FROM "events"'),
    tampering("a view of somebody else", "object", 'CREATE VIEW "rich" AS SELECT * FROM "wallets"'),
    tampering("an index of somebody else", "object", 'CREATE UNIQUE INDEX "one_each" ON "approvals" ("id")'),
    tampering("a column of somebody else", "object", 'ALTER TABLE "wallets" ADD COLUMN "mine" TEXT'),
    tampering("keys that may be taken twice", "constraint", 'DROP INDEX "events_key"'),
    tampering(
        "wallets that may go below nothing",
        "constraint",
        "ALTER TABLE wallets DROP CONSTRAINT wallets_never_negative",
        engine="postgresql",
    ),
    tampering("a migration to come", "migration", 'UPDATE "alembic_version" SET "version_num" = \'9999\''),
    tampering(
        "a migration that was",
        "migration",
        'UPDATE "alembic_version" SET "version_num" = \'0001\'',
        engine="postgresql",
    ),
    tampering("two migrations", "migration", "INSERT INTO \"alembic_version\" VALUES ('0001')"),
    tampering("no migration", "migration", 'DELETE FROM "alembic_version"'),
)
