// Money in the page: whole cents in a number, text in requests and answers. Odds are exact ratios of BigInt.

export type Cents = number;

const AMOUNT = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/** "100.00" → 10000. Throws on anything that is no amount. */
export function cents(text: string): Cents {
  const match = AMOUNT.exec(text);
  if (!match) throw new Error(`${text} is no amount`);
  const value = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] ? -value : value;
}

/** 10000 → "100.00", as the house reads it. */
export function amount(value: Cents): string {
  const size = Math.abs(value);
  const text = `${Math.trunc(size / 100)}.${String(size % 100).padStart(2, "0")}`;
  return value < 0 ? `-${text}` : text;
}

/** 1234500 → "12,345.00"; `short` leaves out ".00". */
export function shown(value: Cents, short = false): string {
  const size = Math.abs(value);
  const whole = String(Math.trunc(size / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
  const part = size % 100;
  const sign = value < 0 ? "−" : "";
  return short && part === 0 ? sign + whole : `${sign}${whole}.${String(part).padStart(2, "0")}`;
}

/** With a sign in front, for a net result. */
export function signed(value: Cents): string {
  return value > 0 ? `+${shown(value)}` : shown(value);
}

/** The text on a chip: 500, 1K, 25K, 1M. */
export function chipText(value: Cents): string {
  const whole = Math.trunc(value / 100);
  if (value % 100) return amount(value);
  if (whole >= 1_000_000 && whole % 100_000 === 0) return `${tenths(whole, 1_000_000)}M`;
  if (whole >= 1_000 && whole % 100 === 0) return `${tenths(whole, 1_000)}K`;
  return String(whole);
}

function tenths(whole: number, unit: number): string {
  const rest = Math.trunc((whole % unit) / (unit / 10));
  return rest ? `${Math.trunc(whole / unit)}.${rest}` : String(Math.trunc(whole / unit));
}

export interface Ratio {
  top: bigint;
  bottom: bigint;
}

/** "3/2" or "10" as an exact ratio. */
export function ratio(text: string): Ratio {
  const match = /^(-?\d+)(?:\/(\d+))?$/.exec(text);
  if (!match) throw new Error(`${text} is no ratio`);
  return { top: BigInt(match[1]!), bottom: BigInt(match[2] ?? "1") };
}

/** Odds with a larger denominator are written as decimals. */
const LARGEST_WHOLE = 9n;

/** Odds in the one form that people read (O100). `to` is the text, with places for what is won and what is staked. */
export function oddsText(odds: string, to: string): string {
  const { top, bottom } = ratio(odds);
  const exact = bottom > LARGEST_WHOLE ? decimal(top, bottom) : null;
  return exact === null ? paid(to, String(top), String(bottom)) : paid(to, exact, "1");
}

/** 19/20 → "0.95"; null if it needs more than six decimals. */
function decimal(top: bigint, bottom: bigint): string | null {
  const scale = 1_000_000n;
  if ((top * scale) % bottom) return null;
  const digits = String((top * scale) / bottom).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "");
}

export function paid(to: string, won: string, staked: string): string {
  return to.replace("{won}", won).replace("{staked}", staked);
}
