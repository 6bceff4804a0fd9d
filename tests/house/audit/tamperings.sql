-- Ways to tamper with a house's database by hand, and what an audit says to each: `name | code of a finding | options`, then
-- the statements, one a line. `nothing`: no finding, which docs/house.md says too; `seen by heads`: an audit that knows
-- earlier heads sees it. `alone`: nothing else is found. `at`: the stream of the finding. `hashes anew`: of the table's stream. @table and @record are
-- the streams of a table and of its snapshots, @at and @last a row of the first and its last version.

---- Rows changed, and no hash made anew
-- another actor | chain
UPDATE "events" SET "actor" = 'eve' WHERE @at = 3;
-- another time | chain
UPDATE "events" SET "at" = "at" + 1 WHERE @at = 3;
-- another key | chain
UPDATE "events" SET "key" = 'eve/k' WHERE @at = 3;
-- no hash of what was asked | chain
UPDATE "events" SET "body" = NULL WHERE @at = 3;
-- a row taken out | version
DELETE FROM "events" WHERE @at = 3;
-- the first row taken out | version
DELETE FROM "events" WHERE @at = 1;
-- a row once more at the end | chain
INSERT INTO "events" SELECT "stream", "version" + 1, "at", "actor", NULL, NULL, 1, "rules", "schema", "event", "hash" FROM "events" WHERE @at = @last;
-- two rows changed for each other | chain
UPDATE "events" SET "version" = 1000003 WHERE @at = 3;
UPDATE "events" SET "version" = 3 WHERE @at = 4;
UPDATE "events" SET "version" = 4 WHERE @at = 1000003;
-- a stream of another kind | stream
UPDATE "events" SET "stream" = 'cellar/t1-0' WHERE "stream" = @table;

---- Rows changed, and all hashes made anew
-- somebody else as actor | actor | hashes anew
UPDATE "events" SET "actor" = 'eve' WHERE @at = 3;
-- a time before the one before | time | hashes anew
UPDATE "events" SET "at" = "at" - @hour WHERE @at = @last;
-- a time to come | time | hashes anew
UPDATE "events" SET "at" = "at" + 24 * @hour WHERE @at = @last;
-- rules that there are not | unknown-rules | hashes anew
UPDATE "events" SET "rules" = 'ab' WHERE @at = 3;
-- a shape of events to come | schema | hashes anew
UPDATE "events" SET "schema" = 9 WHERE @at = 3;
-- a command of two rows more | count | hashes anew
UPDATE "events" SET "count" = "count" + 2 WHERE @at = @last;

---- Money
-- a cent more in a transfer | ledger
UPDATE "transfers" SET "cents" = "cents" + 1 WHERE "n" = 1;
-- a transfer taken out | ledger
DELETE FROM "transfers" WHERE "stream" = @table AND "n" = 1;
-- a transfer of no event | ledger
INSERT INTO "transfers" VALUES (@table, 1, 1, 'wallet/ann', 'wallet/bob', 5);
-- a fuller wallet | wallet
UPDATE "wallets" SET "cents" = "cents" + 100 WHERE "person" = 'ann';
-- a wallet less than nothing | wallet | on sqlite
UPDATE "wallets" SET "cents" = -1 WHERE "person" = 'ann';
-- a wallet taken out | wallet
DELETE FROM "wallets" WHERE "person" = 'ann';
-- a wallet of nobody | wallet
INSERT INTO "wallets" VALUES ('eve', 0);

---- What lies beside the events
-- a round found elsewhere | rounds
UPDATE "rounds" SET "version" = "version" + 1 WHERE "round" = 1;
-- a round not found | rounds
DELETE FROM "rounds" WHERE "stream" = @table AND "round" = 1;
-- a history without its rounds | played
DELETE FROM "played";
-- a history of somebody else | played
UPDATE "played" SET "person" = 'eve' WHERE "person" = 'ann';
-- another refusal | refusal | on postgresql
UPDATE "refusals" SET "answer" = convert_to('{}', 'UTF8');
-- another refusal here | refusal | on sqlite
UPDATE "refusals" SET "answer" = CAST('{}' AS BLOB);
-- refusals forgotten | nothing | on sqlite
DELETE FROM "refusals" WHERE "key" NOT LIKE '%approval-%';
-- refusals forgotten, and not their keys | key | on postgresql
DELETE FROM "refusals";
-- keys forgotten | key | on postgresql
DELETE FROM "keys";
-- a pace of another kind | table | alone
UPDATE "tables" SET "pace" = 'quick';
-- another game in the lobby | table | alone
UPDATE "tables" SET "game" = 'chess';
-- a betting clock where staff deal, which binds nobody | nothing
UPDATE "tables" SET "pace" = '{}' WHERE "pace" IS NULL;
-- neither a table for show nor another | table | on sqlite | alone
UPDATE tables SET demo = 2;
-- a table that was listed before it was opened | table | alone
UPDATE "tables" SET "opened_at" = "opened_at" - @hour;
-- a table that was never opened | table | at table/nowhere
UPDATE "tables" SET "id" = 'nowhere' WHERE "id" = 't1-0';
-- the record of a state changed | chain
UPDATE "events" SET "at" = "at" + 1 WHERE "stream" = @record;
-- a state of a later version | snapshot
UPDATE "snapshots" SET "version" = "version" + 1000;
-- the record of a state gone: it is not believed | nothing | seen by heads
DELETE FROM "events" WHERE "stream" = @record;
-- a state gone: the house takes longer | nothing
DELETE FROM "snapshots";

---- People
-- a role in the row alone | account
UPDATE "people" SET "role" = 'shift-manager' WHERE "name" = 'ann';
-- a lock in the row alone | account
UPDATE "people" SET "locked" = true WHERE "name" = 'pit-manager';
-- an account that waits for a year | account
UPDATE "people" SET "waits_until" = "opened_at" + 9000 * @hour WHERE "name" = 'ann';
-- more wrong passwords than are counted | account
UPDATE "people" SET "failures" = 101 WHERE "name" = 'ann';
-- an account that waits for a minute | nothing
UPDATE "people" SET "waits_until" = "opened_at" + 60000000 WHERE "name" = 'ann';
-- another password | nothing
UPDATE "people" SET "password" = 'a hash' WHERE "name" = 'pit-manager';
-- an account without a stream | account
INSERT INTO "people" VALUES ('eve', 'dealer', false, false, NULL, 0, 0, 1, NULL);
-- guests without a row | account
DELETE FROM "people" WHERE "guest";
-- neither a guest nor another | account | on sqlite | alone
UPDATE people SET guest = 2 WHERE name = (SELECT min(name) FROM people WHERE guest);
-- an approval said to be done | approval
UPDATE "approvals" SET "state" = 'done' WHERE "state" = 'rejected';
-- an approval taken out | approval
DELETE FROM "approvals" WHERE "state" = 'done';

---- The schema itself
-- a trigger of somebody else | object | on sqlite
CREATE TRIGGER richer AFTER INSERT ON "wallets" BEGIN SELECT 1; END;
-- a trigger in place of another | trigger | on sqlite
CREATE TRIGGER events_no_update BEFORE update ON events BEGIN SELECT 1; END;
-- a trigger with another function | object | on postgresql
CREATE FUNCTION richer() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER richer BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION richer();
-- a trigger under a name of the engine's own | object | on sqlite
PRAGMA writable_schema = ON;
INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_richer', 'wallets', 0, 'CREATE TRIGGER sqlite_richer AFTER INSERT ON wallets BEGIN SELECT 1; END');
-- a trigger under known names, on another table | object | on postgresql
CREATE SCHEMA blind;
CREATE FUNCTION blind.punto_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER events_append_only BEFORE INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION blind.punto_append_only();
-- a table under a known name, elsewhere | object | on postgresql
CREATE SCHEMA blind;
CREATE TABLE blind.wallets (LIKE wallets);
-- other tables first, for a role | object | on postgresql
DO $$ BEGIN EXECUTE format('ALTER ROLE %I SET search_path = blind, public', current_user); END $$;
-- a trigger taken out | trigger | on postgresql | alone
DROP TRIGGER events_append_only ON events;
-- a trigger of the keys taken out | trigger | on postgresql | alone
DROP TRIGGER keys_no_truncate ON keys;
-- one trigger that is not heard | trigger | on postgresql | alone
ALTER TABLE transfers DISABLE TRIGGER transfers_no_truncate;
-- a trigger of less | trigger | on postgresql | alone
CREATE OR REPLACE TRIGGER events_append_only BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION punto_append_only();
-- a function that lets all through | trigger | on postgresql | alone
CREATE OR REPLACE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
-- a trigger that is not heard | trigger | on postgresql
ALTER TABLE events DISABLE TRIGGER ALL;
-- a function that lets one through | trigger | on postgresql
CREATE OR REPLACE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF current_user = 'eve' THEN RETURN NEW; END IF; BEGIN RAISE EXCEPTION 'no'; END; END $$;
-- a rule | object | on postgresql
CREATE RULE blind AS ON INSERT TO wallets DO INSTEAD NOTHING;
-- a policy | object | on postgresql
ALTER TABLE wallets ENABLE ROW LEVEL SECURITY;
CREATE POLICY blind ON wallets USING (false);
-- a value filled in | object | on postgresql
ALTER TABLE people ALTER COLUMN role SET DEFAULT 'shift-manager';
-- other tables first | object | on postgresql
CREATE SCHEMA blind;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = blind, public', current_database()); END $$;
-- a table of somebody else | object
CREATE TABLE "events_old" AS SELECT * FROM "events";
-- a view of somebody else | object
CREATE VIEW "rich" AS SELECT * FROM "wallets";
-- an index of somebody else | object
CREATE UNIQUE INDEX "one_each" ON "approvals" ("id");
-- a column of somebody else | object
ALTER TABLE "wallets" ADD COLUMN "mine" TEXT;
-- keys that may be taken twice | constraint | alone
DROP INDEX "events_key";
-- wallets that may go below nothing | constraint | on postgresql | alone
ALTER TABLE wallets DROP CONSTRAINT wallets_never_negative;
-- wallets that may go a little below nothing | constraint | on postgresql | alone
ALTER TABLE wallets DROP CONSTRAINT wallets_never_negative, ADD CONSTRAINT wallets_never_negative CHECK (cents >= -100);
-- transfers from an account to itself | constraint | on postgresql | alone
ALTER TABLE transfers DROP CONSTRAINT transfers_between_two;
-- keys that two nodes may take | constraint | on postgresql | alone
ALTER TABLE keys DROP CONSTRAINT keys_pkey;
-- a migration to come | migration | alone
UPDATE "alembic_version" SET "version_num" = '9999';
-- a migration that was | migration | on postgresql | alone
UPDATE "alembic_version" SET "version_num" = '0001';
-- two migrations | migration
INSERT INTO "alembic_version" VALUES ('0001');
-- no migration | migration
DELETE FROM "alembic_version";
