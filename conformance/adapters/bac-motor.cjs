// npm bac-motor (with marga and cardation): a hand dealt by its engine, its tags, and what it hands back for a bet.
"use strict";
const { serve, known } = require("./lines.cjs");
const motor = require("bac-motor");
const { version } = require("bac-motor/package.json");

const RANKS = "A23456789TJQK";
const SUITS = { SUIT_SPADE: "S", SUIT_HEART: "H", SUIT_DIAMOND: "D", SUIT_CLUB: "C" };
const nameOf = (card) => RANKS[card.getRank() - 1] + SUITS[card.getCardSuit()._id];
const byName = new Map(new motor.BaccaratDeck().getDuplicatedCardArray().map((card) => [nameOf(card), card]));
const toCard = (text) => byName.get(text);

// The edition's odds in the engine's own pay table: what is measured is how it uses the table, not its defaults.
const ODDS = { banco: { nocommission: { normal: 1, six: 0.5 }, traditional: 0.95 }, punto: 1, tie: 8 };
const payoutTable = { ...motor.defaultPayoutTable, ...ODDS, superSix: { two: 12, three: 18 } };
payoutTable.pair = { ...payoutTable.pair, BancoPair: 11, puntoPair: 11 };
const configOf = (edition) => ({
  ...motor.defaultConfig,
  payoutTable,
  gameRules: { isNoCommision: edition.includes("no-commission"), isSuperSixSupported: true },
});

function play(cards, edition) {
  const engine = new motor.Engine();
  engine.powerOn(configOf(edition));
  const left = cards.map(toCard);
  engine.getShoe().deal = () => [left.shift()]; // the shoe of the question in place of its own
  return engine.playOneHand();
}

const cardsOf = (hand) => hand.getDuplicatedCardArray().map(nameOf);

// The hands of a question, dealt again by the engine in their order. It deals for itself, so hands that no deal gives
// can't be put to it.
function handOf({ player, banker }, edition) {
  const cards = [player[0], banker[0], player[1], banker[1], ...player.slice(2), ...banker.slice(2)];
  if (cards.length < 4 || cards.includes(undefined)) return undefined;
  const spare = ["2S", "2S"];
  const found = play([...cards, ...spare], edition);
  const same = (hand, given) => cardsOf(hand).join() === given.join();
  return same(found.puntoHand, player) && same(found.bancoHand, banker) ? found : undefined;
}

function deal({ cards }, edition) {
  const found = play(cards, edition);
  return { player: cardsOf(found.puntoHand), banker: cardsOf(found.bancoHand) };
}

function winnerOf(hand) {
  if (hand.result === motor.HandResult.PuntoWins) return "player";
  return hand.result === motor.HandResult.BancoWins ? "banker" : "tie";
}

function outcome(asked, edition) {
  const hand = handOf(asked, edition);
  const winner = winnerOf(hand);
  const said = (won) => (won ? "won" : "lost");
  const say = {
    player_pair: () => said(hand.hasPuntoPair),
    banker_pair: () => said(hand.hasBancoPair),
    super_6_plus: () => said(hand.hasSuperSix),
    tie: () => said(winner === "tie"),
    player: () => (winner === "tie" ? "returned" : said(winner === "player")),
    banker: () => (winner === "tie" ? "returned" : said(winner === "banker")),
  };
  return {
    winner,
    player_points: hand.puntoHand.getPoint(),
    banker_points: hand.bancoHand.getPoint(),
    bets: known(asked.bets, (bet) => say[bet]?.()) ?? {},
  };
}

const BETS = { player: "PuntoMun", banker: "BancoMun", tie: "TieMun", super_6_plus: "SuperSixMun" };
Object.assign(BETS, { player_pair: "PairMun", banker_pair: "PairMun" });

function settle(asked, edition) {
  const hand = asked.layout === "live" ? handOf(asked, edition) : undefined; // layouts are not its business
  if (!hand) return undefined;
  const lines = {};
  for (const { id, bet, stake } of asked.wagers) {
    if (!(bet in BETS)) continue; // it has no such bet
    const back = motor.HandOutcome.getPayout(new motor.Bet(new motor[BETS[bet]](), Number(stake)), hand, configOf(edition));
    const result = back > Number(stake) ? "won" : back === Number(stake) ? "returned" : "lost";
    lines[id] = { result, handed_back: back.toFixed(2) };
  }
  return Object.keys(lines).length ? { lines } : undefined;
}

serve(
  {
    name: "bac-motor",
    version,
    editions: ["live-baccarat-insurance-commission/undated", "live-baccarat-insurance-no-commission/undated"],
    levels: ["deal", "outcome", "settle"],
  },
  { deal, outcome, settle },
);
