// npm baccarat-engine: its game engine, its results and its road maps, asked through its public classes.
"use strict";
const { serve, known, UNSUPPORTED } = require("./lines.cjs");
const { BaccaratGameEngine, BaccaratResultsEngine, RoadmapGenerator, Card, Hand } = require("baccarat-engine");
const { version } = require("baccarat-engine/package.json");

const SUITS = { S: "spade", H: "heart", D: "diamond", C: "club" };
const toCard = (text) => new Card(SUITS[text[1]], text[0] === "T" ? "10" : text[0]);
const fromCard = (card) => (card.value === "10" ? "T" : card.value) + card.suit[0].toUpperCase();
const results = new BaccaratResultsEngine();
const roads = new RoadmapGenerator();
const OUTCOMES = { B: "banker", P: "player", T: "tie" };

function deal({ cards }) {
  const engine = new BaccaratGameEngine();
  const left = cards.map(toCard);
  engine.shoe.draw = () => left.shift(); // the shoe of the question in place of its own
  const hand = engine.dealGame();
  return { player: hand.playerCards.map(fromCard), banker: hand.bankerCards.map(fromCard) };
}

function outcome({ player, banker, bets }) {
  const hand = new Hand(player.map(toCard), banker.map(toCard));
  const found = results.calculateGameResult(hand);
  const tied = found.outcome === "tie";
  const said = (won) => (won ? "won" : "lost");
  const say = {
    player: () => (tied ? undefined : said(found.outcome === "player")), // it says nothing of stakes on a tie
    banker: () => (tied ? undefined : said(found.outcome === "banker")),
    tie: () => said(tied),
    player_pair: () => said(["player", "both"].includes(found.pair)),
    banker_pair: () => said(["banker", "both"].includes(found.pair)),
    player_natural_8: () => said(found.natural === "player8"),
    player_natural_9: () => said(found.natural === "player9"),
    banker_natural_8: () => said(found.natural === "banker8"),
    banker_natural_9: () => said(found.natural === "banker9"),
  };
  const parts = known(bets, (bet) => say[bet]?.());
  return {
    winner: found.outcome,
    player_points: results.calculateHandValue(hand.playerCards),
    banker_points: results.calculateHandValue(hand.bankerCards),
    bets: parts ?? {},
  };
}

const games = (text) => [...text].map((one) => ({ outcome: OUTCOMES[one], natural: "none", pair: "none" }));
const bigRoad = (text) => roads.bigRoad(games(text), { columns: 1000, rows: 6, scroll: false });
const letters = (marks) => marks.map((mark) => (mark === "red" ? "R" : "B")).join("");

function derived({ results: text }) {
  const big = bigRoad(text);
  if (!/[BP]/.test(text)) return UNSUPPORTED;
  return {
    big_eye: letters(roads.bigEyeRoad(big)),
    small: letters(roads.smallRoad(big)),
    cockroach: letters(roads.cockroachPig(big)),
  };
}

function rows(cells, mark) {
  const width = Math.max(0, ...cells.map((cell) => cell.column + 1));
  const grid = Array.from({ length: 6 }, () => Array(width).fill("."));
  for (const cell of cells) grid[cell.row][cell.column] = mark(cell);
  return { rows: grid.map((row) => row.join("")) };
}

const letter = (cell) => (cell.result.outcome ?? "tie")[0].toUpperCase();

serve(
  {
    name: "baccarat-engine",
    version,
    editions: ["live-baccarat-insurance-commission/undated"],
    levels: ["deal", "outcome", "roads"],
  },
  {
    deal,
    outcome,
    derived,
    bead: ({ results: text }) => rows(roads.beadPlate(games(text), { columns: 1000, rows: 6 }), letter),
    "big-road": ({ results: text }) => rows(bigRoad(text), letter),
  },
);
