// An engine for the conformance kit: Live Baccarat Insurance with commission, levels deal, outcome, settle, insurance.
// Written from docs/conformance.md alone. Run: punto conformance run --engine "node conformance/engines/live.js"
"use strict";
const readline = require("node:readline");

const EDITION = "live-baccarat-insurance-commission/undated";
const BETS = new Set(
  ("player banker tie player_pair banker_pair big small player_natural_8 player_natural_9 " +
    "banker_natural_8 banker_natural_9 super_6_plus").split(" "),
);

// ---- Cards

const value = (card) => (card[0] === "A" ? 1 : "23456789".includes(card[0]) ? Number(card[0]) : 0);
const points = (hand) => hand.reduce((sum, card) => sum + value(card), 0) % 10;
const isPair = (hand) => hand[0][0] === hand[1][0];

// ---- Drawing

const natural = (player, banker) => points(player.slice(0, 2)) >= 8 || points(banker.slice(0, 2)) >= 8;
const playerDraws = (player, banker) => !natural(player, banker) && points(player.slice(0, 2)) <= 5;

function bankerDraws(player, banker) {
  if (natural(player, banker)) return false;
  const own = points(banker.slice(0, 2));
  if (!playerDraws(player, banker)) return own <= 5;
  const third = value(player[2]);
  if (own <= 2) return true;
  if (own === 3) return third !== 8;
  if (own === 4) return third >= 2 && third <= 7;
  if (own === 5) return third >= 4 && third <= 7;
  return own === 6 && (third === 6 || third === 7);
}

function deal({ cards }) {
  const [p1, b1, p2, b2, ...rest] = cards;
  const player = [p1, p2];
  const banker = [b1, b2];
  if (playerDraws(player, banker)) player.push(rest.shift());
  if (bankerDraws(player, banker)) banker.push(rest.shift());
  return { player, banker };
}

function lawful(player, banker) {
  if (player.length < 2 || banker.length < 2 || player.length > 3 || banker.length > 3) return false;
  if (playerDraws(player, banker) !== (player.length === 3)) return false;
  return bankerDraws(player, banker) === (banker.length === 3);
}

// ---- Outcomes: [result, numerator, denominator] of a bet

function winner(player, banker) {
  const ahead = points(player) - points(banker);
  return ahead > 0 ? "player" : ahead < 0 ? "banker" : "tie";
}

function won(bet, player, banker) {
  const who = winner(player, banker);
  const cards = player.length + banker.length;
  switch (bet) {
    case "player":
      return who === "player" && [1, 1];
    case "banker":
      return who === "banker" && [19, 20];
    case "tie":
      return who === "tie" && [8, 1];
    case "player_pair":
      return isPair(player) && [11, 1];
    case "banker_pair":
      return isPair(banker) && [11, 1];
    case "big":
      return cards > 4 && [1, 2];
    case "small":
      return cards === 4 && [3, 2];
    case "super_6_plus":
      return who === "banker" && points(banker) === 6 && (banker.length === 2 ? [12, 1] : [18, 1]);
    default: {
      const [side, , wanted] = bet.split("_"); // player_natural_8 and its like
      const hand = side === "player" ? player : banker;
      return who === side && hand.length === 2 && points(hand) === Number(wanted) && [8, 1];
    }
  }
}

function verdict(bet, player, banker) {
  if ((bet === "player" || bet === "banker") && winner(player, banker) === "tie") return ["returned"];
  const odds = won(bet, player, banker);
  return odds ? ["won", ...odds] : ["lost"];
}

function outcome({ player, banker, bets }) {
  return {
    winner: winner(player, banker),
    player_points: points(player),
    banker_points: points(banker),
    bets: Object.fromEntries(bets.map((bet) => [bet, verdict(bet, player, banker)[0]])),
  };
}

// ---- Money, in whole cents

const cents = (text) => {
  const [whole, part = ""] = text.split(".");
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, "0"));
};
const amount = (sum) => `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`;

function handedBack(stake, [result, times, per]) {
  if (result === "lost") return 0n;
  if (result === "returned") return stake;
  const [n, d] = [BigInt(times), BigInt(per)];
  return stake + (2n * stake * n + d) / (2n * d); // half a cent goes up
}

// ---- Insurance: rows of [lowest and highest Player points, lowest and highest Banker points, odds, starred]

const ROWS = {
  "four-cards": {
    player_insurance: [
      [5, 5, 4, 4, 3, 2],
      [6, 6, 0, 5, 5, 2],
      [7, 7, 0, 5, 4, 1],
    ],
    banker_insurance: [
      [0, 3, 4, 4, 3, 2],
      [0, 4, 5, 5, 3, 2],
      [0, 5, 6, 6, 5, 2],
      [0, 5, 7, 7, 4, 1],
    ],
  },
  "player-third": {
    player_insurance: [
      [5, 5, 0, 4, 3, 2],
      [6, 6, 0, 5, 5, 2],
      [7, 7, 0, 6, 4, 1],
      [8, 8, 0, 6, 10, 1],
      [9, 9, 0, 6, 10, 1, true],
    ],
    banker_insurance: [
      [0, 0, 1, 6, 10, 1, true],
      [1, 1, 1, 1, 6, 1],
      [1, 1, 2, 6, 10, 1],
      [2, 2, 3, 6, 4, 1],
      [3, 3, 4, 4, 5, 2],
    ],
  },
};

// The cards may be those of the whole round: only what lay open at the moment counts.
function offered(after, allPlayer, allBanker) {
  const player = allPlayer.slice(0, after === "four-cards" ? 2 : 3);
  const banker = allBanker.slice(0, 2);
  if (after === "player-third" && (player.length < 3 || !playerDraws(player, banker))) return null;
  const due = after === "four-cards" && playerDraws(player, banker) ? true : bankerDraws(player, banker);
  if (!due) return null;
  const [p, b] = [points(player), points(banker)];
  for (const [bet, rows] of Object.entries(ROWS[after])) {
    for (const [low, high, least, most, n, d, starred = false] of rows) {
      if (p >= low && p <= high && b >= least && b <= most) return { bet, n, d, starred };
    }
  }
  return null;
}

function offer({ after, player, banker }) {
  const found = offered(after, player, banker);
  return { offer: found && { bet: found.bet, odds: found.d === 1 ? `${found.n}` : `${found.n}/${found.d}` } };
}

const sideOf = (bet) => bet.replace("_insurance", "");

function insured(taken, player, banker) {
  const found = offered(taken.after, player, banker);
  const who = winner(player, banker);
  if (who === "tie") return found.starred ? ["won", found.n, found.d] : ["returned"];
  return who === sideOf(taken.bet) ? ["lost"] : ["won", found.n, found.d];
}

// What one more insurance stake may be: the odds of 3 to 2 and 5 to 2 make halves, so winnings are counted in halves.
function room(bet, after, player, banker, wagers, taken) {
  const staked = (side) => wagers.filter((one) => one.bet === side).reduce((sum, one) => sum + cents(one.stake), 0n);
  const found = offered(after, player, banker);
  if (!found || found.bet !== bet || !staked(sideOf(bet)) || (staked("player") && staked("banker"))) return 0n;
  let halves = 2n * staked(sideOf(bet));
  for (const one of taken) {
    const earlier = one.bet === bet && offered(one.after, player, banker);
    if (earlier) halves -= (2n * cents(one.stake) * BigInt(earlier.n)) / BigInt(earlier.d);
  }
  const most = (halves * BigInt(found.d)) / (2n * BigInt(found.n));
  return most > 0n ? most : 0n;
}

function most({ bet, after, player, banker, wagers, insurance = [] }) {
  return { most: amount(room(bet, after, player, banker, wagers, insurance)) };
}

function settle({ layout, player, banker, wagers, insurance = [] }) {
  const refused = { refused: true };
  if (layout !== "live" || !lawful(player, banker) || wagers.some((one) => !BETS.has(one.bet))) return refused;
  const inOrder = [...insurance].sort((a, b) => (a.after > b.after) - (a.after < b.after)); // four-cards first
  const taken = [];
  for (const one of inOrder) {
    if (cents(one.stake) > room(one.bet, one.after, player, banker, wagers, taken)) return refused;
    taken.push(one);
  }
  const lines = {};
  let sum = 0n;
  for (const one of [...wagers, ...insurance]) {
    const found = one.after ? insured(one, player, banker) : verdict(one.bet, player, banker);
    const back = handedBack(cents(one.stake), found);
    lines[one.id] = { result: found[0], handed_back: amount(back) };
    sum += back;
  }
  return { lines, handed_back: amount(sum) };
}

// ---- The protocol

const ANSWERS = { deal, outcome, settle, offer, most };
const HELLO = { protocol: 1, name: "live.js", version: "1.0", editions: [EDITION] };

function reply(line) {
  const asked = JSON.parse(line);
  if (asked.hello) return { hello: { ...HELLO, levels: ["deal", "outcome", "settle", "insurance"] } };
  const answer = asked.edition === EDITION && ANSWERS[asked.ask];
  if (!answer) return { question: asked.question, unsupported: `no ${asked.ask} of ${asked.edition} here` };
  return { question: asked.question, answer: answer(asked.input) };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(reply(line)) + "\n");
});
