import { afterEach, expect, test } from "vitest";
import editions from "./fixtures/editions.json";
import { cloth, CLOTHS, gameTitle, tableName, tableNames } from "../src/words/games";
import { room, type Language } from "../src/words/room.svelte";
import { ANY, choices, chosen, renewed, type Wish } from "../src/lobby/filter";
import type { TableShown } from "../src/lib/shapes";

const table = (id: string, facts: Partial<TableShown> = {}): TableShown =>
  ({ id, name: null, game: "tiger", phase: "betting", source: "virtual", seats: { taken: 0, of: 6 }, limits: { minimum: "10.00" }, ...facts }) as TableShown;

const TABLES = [
  table("t10", { name: "Tiger 10" }),
  table("t2", { name: "Tiger 2", seats: { taken: 6, of: 6 } }),
  table("shut", { name: "A shut one", phase: "closed" }),
  table("floor", { source: "live", game: "live", limits: { minimum: "50.00" } as TableShown["limits"] }),
];
const ids = (wish: Partial<Wish>, liked: string[] = []): string[] => chosen(TABLES, { ...ANY, ...wish }, new Set(liked)).map((tile) => tile.id);

test("tables stand by name as people count, favourites first, closed ones last", () => {
  expect(ids({})).toEqual(["floor", "t2", "t10", "shut"]);
  expect(ids({}, ["t10", "shut"])).toEqual(["t10", "floor", "t2", "shut"]);
});

test.each<[Partial<Wish>, string[]]>([
  [{ game: "live" }, ["floor"]],
  [{ minimum: 1000 }, ["t2", "t10", "shut"]],
  [{ minimum: 5000 }, ["floor", "t2", "t10", "shut"]],
  [{ free: true }, ["floor", "t10"]],
  [{ source: "live" }, ["floor"]],
  [{ source: "virtual", free: true }, ["t10"]],
  [{ liked: true }, []],
])("%o lets through %o", (wish, expected) => expect(ids(wish)).toEqual(expected));

test("only what there is can be chosen", () => {
  expect(choices(TABLES)).toEqual({ games: ["live", "tiger"], minimums: [1000, 5000] });
});

test("news of a tile change what it names, and a new table is added", () => {
  const now = renewed(TABLES, [{ id: "t2", phase: "dealing" }, table("new")]);
  expect(now).toHaveLength(5);
  expect(now[1]).toEqual({ ...TABLES[1], phase: "dealing" });
  expect(now[0]).toBe(TABLES[0]);
  expect(TABLES[1]!.phase).toBe("betting");
});

afterEach(() => (room.language = "en"));

const titles = [...new Set(Object.values(editions).map((edition) => edition.title))];

test.each<Language>(["zh-Hant", "zh-Hans"])("every game has a title in %s", (language) => {
  for (const title of titles) expect(gameTitle(title)).toBe(title);
  room.language = language;
  for (const title of titles) expect(gameTitle(title)).not.toMatch(/[A-Za-z()]/);
  expect(new Set(titles.map(gameTitle)).size).toBe(titles.length);
  expect(tableName({ id: "t1", name: "Tiger Buffalo 12" })).toBe("老虎水牛 12");
  expect(tableName({ id: "t1", name: null })).toBe("t1");
});

test("tables of one name are told apart by their ids, all others go by their names", () => {
  const names = tableNames([{ id: "t1", name: "Salon" }, { id: "t2", name: "Salon" }, { id: "t3", name: "Terrace" }, { id: "t4" }, { id: "t5", name: "t4" }]);
  expect(Object.fromEntries(names)).toEqual({ t1: "Salon · t1", t2: "Salon · t2", t3: "Terrace", t4: "t4", t5: "t4 · t5" });
});

test("each game of today has a cloth of its own", () => {
  const games = [...new Set(Object.values(editions).map((edition) => edition.game))];
  expect(games.map(cloth).sort()).toEqual([...CLOTHS].sort());
});
