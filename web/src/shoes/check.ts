/** Checks a virtual shoe that has ended against what the house committed to before its first card. `punto verify-shoe`
 * does the same. */

import { RANKS, SUITS } from "../dealer/entry";

/** A shoe as the house shows it to anybody. `salt` and `order` are there once it has ended. */
export interface Shoe {
  shoe: number;
  cards: number;
  commitment: string | null;
  salt: string | null;
  order: string[] | null;
  /** The cards that left the shoe: the place in it, and the face if it was shown. */
  dealt: { at: number | null; how: string; card?: string | null; round?: number | null }[];
}

/** The result of a check, as the key of its sentence. `at` is the first card that differs from the commitment. */
export interface Verdict {
  is: "good" | "not-yet" | "unable" | "hash" | "decks" | "card";
  at?: number;
}

/** SHA-256 of the salt's bytes and the cards in their order, in hexadecimal. */
export async function commitment(salt: string, order: string[]): Promise<string> {
  const bytes = [...(salt.match(/../g) ?? []).map((pair) => parseInt(pair, 16)), ...new TextEncoder().encode(order.join(""))];
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function checked(shoe: Shoe): Promise<Verdict> {
  const { salt, order, dealt } = shoe;
  if (!salt || !order) return { is: "not-yet" };
  if (!globalThis.crypto?.subtle) return { is: "unable" };
  if ((await commitment(salt, order)) !== shoe.commitment) return { is: "hash" };
  const each = order.length / 52;
  if (!SUITS.every((suit) => RANKS.every((rank) => order.filter((card) => card === rank + suit).length === each))) return { is: "decks" };
  const left = dealt.filter((card) => card.at !== null);
  const wrong = left.findIndex((card, i) => card.at !== i + 1 || i >= order.length || (card.card != null && card.card !== order[i]));
  return wrong < 0 ? { is: "good" } : { is: "card", at: wrong + 1 };
}
