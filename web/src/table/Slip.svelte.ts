// The bet slip at one table: the wish, what the house has accepted, and what it refused. A tap changes the wish at
// once, so that the ghost chip appears in the same frame. The answer makes it solid or takes it away.

import type { Problem } from "../lib/api";
import { LINE_LOST } from "../lib/live";
import type { Cents } from "../lib/money";
import type { Answer, Command } from "../lib/shapes";
import { doubled, plan, spot, tapped, touched, type Stakes } from "./slip";

export interface Refused {
  spots: string[];
  code: string;
  text: string;
  paragraph: string | null;
}

const NOTHING: Stakes = new Map();
const DEPTH = 50;
/** Refusals of chips that were tapped in time and came after the close, or not at all. Chips don't wait for another
 * round or another socket. */
const LATE = new Set(["another-round", "no-more-bets", "betting-not-open", LINE_LOST]);

export class Slip {
  /** What the house has accepted, according to the newest view. */
  laid = $state.raw<Stakes>(NOTHING);
  /** Where the patron wants the chips. */
  wish = $state.raw<Stakes>(NOTHING);
  refused = $state.raw<Refused | null>(null);
  private before = $state.raw<Stakes[]>([]);
  private flying = $state(0);
  private round: number | null = null;
  /** The version of the newest answer; the view may not have reached it yet. */
  private due = 0;
  private version = 0;

  constructor(
    private readonly send: (commands: Command[]) => Promise<Answer>,
    private readonly sound: (problem: Problem) => string,
    private readonly late: (problem: Problem) => void,
  ) {}

  get canUndo(): boolean {
    return this.before.length > 0;
  }

  get busy(): boolean {
    return this.flying > 0;
  }

  solid(at: string): Cents {
    return Math.min(this.laid.get(at) ?? 0, this.wish.get(at) ?? 0);
  }

  ghost(at: string): Cents {
    return Math.max((this.wish.get(at) ?? 0) - (this.laid.get(at) ?? 0), 0);
  }

  /** A newer view has come. */
  follow(version: number, round: number | null, laid: Stakes): void {
    this.version = version;
    this.laid = laid;
    if (round !== this.round) {
      this.round = round;
      this.wish = laid;
      this.before = [];
      this.refused = null;
    }
    this.settle();
  }

  /** Betting is over: what was refused no longer matters. */
  forgive(): void {
    this.refused = null;
  }

  tap(box: number, bet: string, chip: Cents): void {
    this.make(tapped(this.wish, spot(box, bet), chip));
  }

  clear(): void {
    this.make(NOTHING);
  }

  double(): void {
    this.make(doubled(this.wish));
  }

  place(stakes: Stakes): void {
    this.make(stakes);
  }

  undo(): void {
    const last = this.before.at(-1);
    if (!last) return;
    this.before = this.before.slice(0, -1);
    void this.carry(last);
  }

  private make(wish: Stakes): void {
    if (plan(this.wish, wish).length === 0) return;
    this.before = [...this.before, this.wish].slice(-DEPTH);
    void this.carry(wish);
  }

  private async carry(wish: Stakes): Promise<void> {
    const commands = plan(this.wish, wish);
    if (commands.length === 0) return;
    const round = this.round;
    this.refused = null;
    this.wish = wish;
    this.flying += 1;
    try {
      const answer = await this.send(commands);
      this.due = Math.max(this.due, answer.version);
      const cut = answer.events.find((event) => event.event === "excess-rejected");
      if (cut) {
        this.refused = {
          spots: [spot(cut.box as number, cut.bet as string)],
          code: "excess-rejected",
          text: String(cut.stake),
          paragraph: cut.paragraph ?? null,
        };
      }
    } catch (error) {
      const problem = error as Problem;
      if (round === this.round) this.before = this.before.slice(0, -1);
      // Raising a wager that was refused a moment ago fails too. The first refusal is the one to show.
      if (LATE.has(problem.code)) this.late(problem);
      else if (problem.code !== "no-such-wager" || this.refused === null) {
        this.refused = { spots: touched(commands), code: problem.code, text: this.sound(problem), paragraph: problem.paragraph };
      }
      this.due = this.version;
    } finally {
      this.flying -= 1;
      this.settle();
    }
  }

  /** Once nothing is unanswered and the view is as new as the last answer, the wish is what the house has accepted. */
  private settle(): void {
    if (this.flying === 0 && this.version >= this.due) this.wish = this.laid;
  }
}
